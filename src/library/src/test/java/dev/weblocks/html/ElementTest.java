package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Attributes, tokens and markup of elements. */
class ElementTest {

  private static void assertLog(String expected, String script) {
    assertEquals(
        List.of(expected),
        Scenario.logOf(
            """
            const e = document.createElement('p');
            const threw = (f) => { try { f(); return 'nothing'; } catch (e) { return e.name; } };
            {\
            """
                + script
                + "}"));
  }

  @Test
  void attributes_are_set_toggled_and_removed_case_insensitively() {
    assertLog(
        "1 data-x,b true false InvalidCharacterError",
        """
        e.setAttribute('DATA-X', 1);
        e.toggleAttribute('b');
        const names = e.getAttributeNames().join();
        const on = e.toggleAttribute('b', true), off = e.toggleAttribute('b');
        console.log([e.getAttribute('data-X'), names, on, off || e.hasAttribute('b'), threw(() => e.setAttribute('a b', ''))].join(' '));
        """);
  }

  @Test
  void attribute_names_special_to_jsoup_are_plain_attributes() {
    assertLog(
        "x null",
        "e.setAttribute('abs:href', 'x'); console.log(e.getAttribute('abs:href') + ' ' + e.getAttribute('href'))");
  }

  @Test
  void id_and_class_reflect_their_attributes() {
    assertLog(
        "i c <p id=\"i\" class=\"c\"></p>",
        "e.id = 'i'; e.className = 'c'; console.log(e.getAttribute('id') + ' ' + e.getAttribute('class') + ' ' + e.outerHTML)");
  }

  @Test
  void token_list_reflects_the_set_of_tokens_in_the_attribute() {
    assertLog(
        "a b 2 true|c b|false|c b d||e e|TypeError,SyntaxError,InvalidCharacterError",
        """
        e.className = ' a  b a ';
        const list = e.classList;
        const first = [...list].join(' ') + ' ' + list.length + ' ' + (list === e.classList);
        list.replace('a', 'c');
        const second = e.className, toggled = list.toggle('b', true) && list.toggle('x', false);
        list.add('d', 'd');
        const third = String(list);
        list.remove('c', 'b', 'd');
        const fourth = list.value;
        e.classList = 'e e';
        console.log([first, second, toggled, third, fourth, e.className,
          [() => list.supports('a'), () => list.add(''), () => list.add('a b')].map(threw).join()].join('|'));
        """);
  }

  @Test
  void removing_a_token_does_not_create_a_missing_attribute() {
    assertLog("false", "e.classList.remove('x'); console.log(e.hasAttribute('class'))");
  }

  @Test
  void inner_markup_is_parsed_in_context_and_serialized_with_escapes() {
    assertLog(
        "<tr><td>1</td></tr> a&amp;b&lt;c&gt;&nbsp;\" <p title=\"&quot;&amp;\"></p> <br> <script>a<b</script>",
        """
        const of = (name, markup) => { const e = document.createElement(name); e.innerHTML = markup; return e.innerHTML; };
        e.title = '"&';
        const text = document.createElement('p');
        text.textContent = 'a&b<c>\\u00a0"';
        console.log([of('tbody', '<tr><td>1'), text.innerHTML, e.outerHTML, of('p', '<br>'), of('p', '<script>a<b<\\/script>')].join(' '));
        """);
  }

  @Test
  void outer_markup_replaces_the_element() {
    assertLog(
        "<i></i>x<b></b> NoModificationAllowedError",
        """
        e.innerHTML = '<u></u><b></b>';
        e.firstChild.outerHTML = '<i></i>x';
        console.log(e.innerHTML + ' ' + threw(() => { document.documentElement.outerHTML = ''; }));
        """);
  }

  @Test
  void adjacent_markup_is_inserted_beside_and_inside_the_element() {
    assertLog(
        "1<b>2x3</b>4 SyntaxError",
        """
        e.innerHTML = '<b>x</b>';
        const b = e.firstChild;
        b.insertAdjacentHTML('beforebegin', '1');
        b.insertAdjacentHTML('afterBegin', '2');
        b.insertAdjacentText('beforeend', '3');
        b.insertAdjacentHTML('afterend', '4');
        console.log(e.innerHTML + ' ' + threw(() => b.insertAdjacentHTML('inside', '')));
        """);
  }

  @Test
  void tag_name_is_in_upper_case_only_for_html_elements() {
    assertLog(
        "http://www.w3.org/2000/svg svg false DIV",
        "e.innerHTML = '<svg></svg>'; const svg = e.firstChild; console.log([svg.namespaceURI, svg.tagName, svg instanceof HTMLElement, document.createElement('Div').tagName].join(' '))");
  }

  @Test
  void each_element_has_the_interface_of_its_name() {
    assertLog(
        "HTMLDivElement HTMLSpanElement HTMLAnchorElement HTMLElement HTMLElement HTMLUnknownElement TypeError HTMLElement",
        """
        const name = (n) => document.createElement(n).constructor.name;
        console.log([...['div', 'span', 'a', 'section', 'x-y', 'blink'].map(name), threw(() => new HTMLDivElement()), Object.getPrototypeOf(HTMLDivElement).name].join(' '));
        """);
  }

  @Test
  void url_attributes_are_reflected_as_absolute_urls() {
    assertLog(
        "https://one.test/x https://one.test/x x https://base.test/y https://base.test/",
        """
        const a = document.createElement('a');
        a.href = 'x';
        const first = [a.href, String(a), a.getAttribute('href')].join(' ');
        const base = document.createElement('base');
        base.href = 'https://base.test/';
        document.head.append(base);
        a.href = 'y';
        console.log(first + ' ' + a.href + ' ' + base.href);
        """);
  }
}
