package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes and queries of a tree by script. */
class NodeTreeTest {

  private static final String HELPERS =
      """
      const make = (markup) => { const e = document.createElement('div'); e.innerHTML = markup; return e; };
      const threw = (f) => { try { f(); return 'nothing'; } catch (e) { return e.name; } };
      """;

  private static void assertLog(String expected, String script) {
    assertEquals(List.of(expected), Scenario.logOf(HELPERS + "{" + script + "}"));
  }

  @Test
  void nodes_are_appended_inserted_replaced_and_removed() {
    assertLog(
        "<b></b><i></i> <u></u><i></i> <u></u> false",
        """
        const div = document.createElement('div');
        const i = div.appendChild(document.createElement('i'));
        const b = div.insertBefore(document.createElement('b'), i);
        const first = div.innerHTML;
        const u = document.createElement('u');
        const old = div.replaceChild(u, b) === b;
        const second = div.innerHTML;
        div.removeChild(i);
        console.log(first + ' ' + second + ' ' + div.innerHTML + ' ' + (i.parentNode === div || !old));
        """);
  }

  @Test
  void attribute_selector_has_no_bracket_outside_of_a_string() {
    assertLog(
        "SyntaxError SyntaxError 1 1",
        """
        const div = make('<b x="a]b[c" data-\u00e9=1></b>');
        console.log(threw(() => div.querySelector('[a[b~="c"].*]')),
            threw(() => div.querySelector('[a=b[c]')),
            div.querySelectorAll('[x="a]b[c"]').length,
            div.querySelectorAll('[data-\u00e9=\u0031]').length);
        """);
  }

  @Test
  void long_list_of_selectors_is_valid_but_not_a_long_selector() {
    assertLog(
        "1000 SyntaxError SyntaxError",
        """
        const ids = Array.from({length: 1000}, (_, i) => 'i' + i);
        const div = make(ids.map(id => `<b id=${id}></b>`).join(''));
        const nested = ':not('.repeat(600) + 'a' + ')'.repeat(600);
        console.log(div.querySelectorAll(ids.map(id => '#' + id).join()).length,
            threw(() => div.querySelectorAll('a > '.repeat(600) + 'a')),
            threw(() => div.querySelectorAll(nested)));
        """);
  }

  @Test
  void a_node_that_is_inserted_leaves_its_old_place() {
    assertLog(
        "<i></i>|<b></b>",
        "const one = make('<b></b><i></i>'), two = make(''); two.append(one.firstChild); console.log(one.innerHTML + '|' + two.innerHTML)");
  }

  @Test
  void inserted_fragment_moves_its_children() {
    assertLog(
        "0 <a></a>text<b></b>",
        """
        const fragment = document.createDocumentFragment();
        fragment.append(document.createElement('a'), 'text', document.createElement('b'));
        const div = make('');
        div.appendChild(fragment);
        console.log(fragment.childNodes.length + ' ' + div.innerHTML);
        """);
  }

  @Test
  void insertions_that_the_standard_forbids_throw() {
    assertLog(
        "HierarchyRequestError,HierarchyRequestError,HierarchyRequestError,HierarchyRequestError,HierarchyRequestError,NotFoundError,NotFoundError,TypeError",
        """
        const div = make('<p></p>');
        console.log([
          () => div.firstChild.appendChild(div),
          () => document.appendChild(document.createElement('x')),
          () => document.appendChild(document.createTextNode('x')),
          () => div.appendChild(document),
          () => document.createTextNode('').appendChild(div),
          () => div.removeChild(document.body ?? document.head),
          () => div.insertBefore(document.createElement('x'), document.head),
          () => div.appendChild(null),
        ].map(threw).join());
        """);
  }

  @Test
  void document_accepts_comments_and_a_new_root_after_its_root_was_removed() {
    assertLog(
        "HTML null X",
        """
        const root = document.documentElement;
        const name = root.nodeName;
        root.remove();
        const none = String(document.documentElement);
        document.append(document.createComment('c'), document.createElement('x'));
        console.log(name + ' ' + none + ' ' + document.documentElement.tagName);
        """);
  }

  @Test
  void before_after_and_replace_with_accept_siblings_as_arguments() {
    assertLog(
        "<b></b><i></i><u></u> <i></i><b></b><u></u> <u></u>x<b></b>",
        """
        const div = make('<i></i><b></b><u></u>');
        const [i, b, u] = div.children;
        i.before(b);
        const first = div.innerHTML;
        i.after(b);
        const second = div.innerHTML;
        i.replaceWith(u, 'x');
        console.log(first + ' ' + second + ' ' + div.innerHTML);
        """);
  }

  @Test
  void live_lists_follow_the_tree_and_static_lists_do_not() {
    assertLog(
        "1,1,1,1 2,2,2,1",
        """
        const div = make('<p class="a"></p>');
        const lists = [div.childNodes, div.children, div.getElementsByClassName('a'), div.querySelectorAll('p')];
        const sizes = () => lists.map((list) => list.length).join();
        const before = sizes();
        div.append(div.firstChild.cloneNode());
        console.log(before + ' ' + sizes());
        """);
  }

  @Test
  void lists_are_accessible_by_name_index_and_iteration() {
    assertLog(
        "true true B I,B true",
        """
        const div = make('<i id="one"></i><b name="two"></b>');
        console.log([
          div.childNodes === div.childNodes, div.children[0] === div.children.one,
          div.children.namedItem('two').tagName, [...div.childNodes].map((e) => e.tagName).join(),
          div.children[2] === undefined].join(' '));
        """);
  }

  @Test
  void setting_text_content_replaces_all_children() {
    assertLog(
        "ab 1 x&lt; 0",
        """
        const div = make('a<b>b</b><!--c-->');
        const before = div.textContent;
        div.textContent = 'x<';
        const count = div.childNodes.length, markup = div.innerHTML;
        div.textContent = null;
        console.log([before, count, markup, div.childNodes.length].join(' '));
        """);
  }

  @Test
  void clones_are_equal_but_not_the_same_nodes() {
    assertLog(
        "true false 0 <p a=\"1\">t<!--c--><b></b></p>",
        """
        const p = make('<p a="1">t<!--c--><b></b></p>').firstChild;
        const deep = p.cloneNode(true), flat = p.cloneNode();
        console.log([deep.isEqualNode(p), deep.isEqualNode(flat), flat.childNodes.length, deep.outerHTML].join(' '));
        """);
  }

  @Test
  void a_deep_tree_is_cloned_serialized_and_compared_with_its_root() {
    assertLog(
        "3000 33000 20",
        """
        let at = make(''); const root = at;
        for (let i = 0; i < 3000; i++) at = at.appendChild(document.createElement('div'));
        const copy = root.cloneNode(true);
        console.log([copy.getElementsByTagName('div').length, copy.innerHTML.length, root.compareDocumentPosition(at)].join(' '));
        """);
  }

  @Test
  void compare_document_position_returns_bits() {
    assertLog(
        "0,20,10,4,2,true",
        """
        const div = make('<i></i><b><u></u></b>');
        const [i, b] = div.children, other = make('');
        console.log([
          i.compareDocumentPosition(i), div.compareDocumentPosition(b.firstChild), b.firstChild.compareDocumentPosition(div),
          i.compareDocumentPosition(b.firstChild), b.compareDocumentPosition(i),
          (div.compareDocumentPosition(other) ^ other.compareDocumentPosition(div)) === 6].join());
        """);
  }

  @Test
  void nodes_return_their_root_and_whether_they_are_connected() {
    assertLog(
        "false true true false true",
        """
        const div = make('<p></p>'), p = div.firstChild;
        const before = p.isConnected;
        document.head.append(div);
        const now = p.isConnected, root = p.getRootNode() === document;
        div.remove();
        console.log([before, now, root, p.isConnected, p.getRootNode() === div].join(' '));
        """);
  }

  @Test
  void selectors_match_as_the_standard_specifies() {
    assertLog(
        "a,b b a null true b SyntaxError,SyntaxError,SyntaxError,SyntaxError",
        """
        const div = make('<p id="a" class="x yy"><b id="b" lang="en-US"></b></p>');
        const ids = (s) => [...div.querySelectorAll(s)].map((e) => e.id).join();
        const b = div.querySelector('#b');
        console.log([
          ids('*'), ids('div [lang|=en]'), ids('[class~=yy]'), String(div.querySelector('div')),
          b.matches('div > p b'), b.closest('[id]').id,
          ['', '::x', ':contains(a)', '['].map((s) => threw(() => div.querySelector(s))).join()].join(' '));
        """);
  }

  @Test
  void an_adopted_or_imported_node_belongs_to_the_new_document() {
    assertLog(
        "true true false NotSupportedError",
        """
        const div = document.head.appendChild(make('<p></p>'));
        const copy = document.importNode(div, true);
        console.log([copy.ownerDocument === document, copy.firstChild.tagName === 'P', document.adoptNode(div).isConnected, threw(() => document.adoptNode(document))].join(' '));
        """);
  }

  @Test
  void invalid_element_names_are_refused() {
    assertLog(
        "DIV,InvalidCharacterError,InvalidCharacterError,InvalidCharacterError,X.Y",
        "console.log(['DIV', '', 'a b', '1a', 'x.y'].map((n) => { try { return document.createElement(n).tagName } catch (e) { return e.name } }).join())");
  }

  @Test
  void texts_are_split_joined_and_normalized() {
    assertLog(
        "ab|cdef 3 abXcdef 1 IndexSizeError",
        """
        const div = make('abcdef'), text = div.firstChild, rest = text.splitText(2);
        const cut = text.data + '|' + rest.data;
        rest.before('X');
        const count = div.childNodes.length;
        div.normalize();
        console.log([cut, count, div.innerHTML, div.childNodes.length, threw(() => text.substringData(99, 1))].join(' '));
        """);
  }

  @Test
  void body_and_title_can_be_set() {
    assertLog(
        "x y <title>x  y</title> true HierarchyRequestError",
        """
        document.title = 'x  y';
        const body = document.createElement('body');
        document.body = body;
        console.log([document.title, document.querySelector('title').outerHTML, document.body === body, threw(() => { document.body = document.createElement('p'); })].join(' '));
        """);
  }
}
