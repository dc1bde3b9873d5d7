package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.SharedEnvironment;
import dev.weblocks.embed.UserAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Loading of a document, and its tree. */
class DocumentTest {

  private static final String PAGE = "https://one.test/page.html";

  /** Loads a page; returns console messages, and uncaught errors with a leading star. */
  private static List<String> load(String html, Map<String, String> others) {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .random(new SplittableRandom(1))
                .resourceLoader(request -> {
                  String text = request.url().equals(PAGE) ? html : others.get(request.url());
                  return text == null
                      ? CompletableFuture.failedFuture(new IllegalStateException("not there"))
                      : CompletableFuture.completedFuture(
                          ResourceResponse.of(request.url(), "text/html", text));
                })
                .consoleListener(message -> {
                  if (message.level().equals("log")) {
                    log.add(message.text());
                  }
                })
                .errorListener(error -> log.add("*" + error.message()))
                .build()) {
      userAgent.open(PAGE);
      driver.runUntilIdle(1_000_000);
    }
    return log;
  }

  private static void assertLog(String expected, String html) {
    assertEquals(expected, String.join(" ", load(html, Map.of())));
  }

  @Test
  void ready_state_changes_from_loading_to_interactive_to_complete() {
    assertLog(
        "loading change:interactive content change:complete load:complete",
        """
        <!doctype html><script>
        console.log(document.readyState);
        document.onreadystatechange = () => console.log('change:' + document.readyState);
        document.addEventListener('DOMContentLoaded', e => console.log('content'));
        onload = () => console.log('load:' + document.readyState);
        </script>\
        """);
  }

  @Test
  void dom_content_loaded_bubbles_to_the_window() {
    assertLog(
        "true true false",
        "<script>addEventListener('DOMContentLoaded', e => { console.log(e.target === document); console.log(e.bubbles); console.log(e.cancelable); })</script>");
  }

  private static final String SHOW_TREE =
      """
      <script>
      const name = node => node.nodeName === 'HTML' || node.nodeName === 'BODY'
        ? `${node.nodeName}(${[...node.childNodes].map(name).join()})`
        : node.nodeType === 1 ? node.nodeName : node.nodeName + (node.data === undefined ? '' : JSON.stringify(node.data));
      onload = () => console.log([...document.childNodes].map(name).join());
      </script>\
      """;

  @Test
  void white_space_around_head_and_body_is_where_html_has_it() {
    assertLog(
        """
        html,HTML(HEAD,#text"\\n",BODY(#text"x\\n\\n"))\
        """,
        "<!doctype html>\n<html>\n<head>" + SHOW_TREE + "</head>\n<body>x</body>\n</html>\n");
    assertLog(
        """
        html,#comment" a ",HTML(HEAD,BODY(P,#text"\\n\\n"),#comment" b "),#comment" c "\
        """,
        "<!doctype html>\n<!-- a -->\n<html> <head>"
            + SHOW_TREE
            + "</head><body><p></p></body>\n<!-- b --></html>\n<!-- c -->");
    assertLog(
        "html,HTML(HEAD,BODY(#text\"x\",SCRIPT,#text\"\\n\"))",
        "<!doctype html><head>" + SHOW_TREE + "</head><body>x<script></script></body>\n");
  }

  @Test
  void white_space_that_script_puts_beside_the_body_stays_there() {
    assertLog(
        "html,HTML(HEAD,BODY(SCRIPT),#text\" \")",
        "<!doctype html><head>"
            + SHOW_TREE
            + "</head><body><script>document.documentElement.append(' ')</script></body>");
  }

  @Test
  void line_breaks_of_markup_become_line_feeds_and_references_stay() {
    assertLog(
        """
        "a\\nb\\nc\\rd" "x\\ny" "e\\nf" "g\\nh\\r"\
        """,
        "<!doctype html><html>\r\n<body><p>a\r\nb\rc&#13;d</p>\r\n<pre>\r\nx\ry</pre><i title='e\r\nf'></i>"
            + """
            <script>
            const show = text => JSON.stringify(text);
            const [p, pre, i] = document.querySelectorAll('p, pre, i');
            i.innerHTML = 'g\\r\\nh&#13;';
            console.log(show(p.textContent), show(pre.textContent), show(i.title), show(i.textContent));
            </script>\
            """);
  }

  @Test
  void processing_instructions_are_nodes_with_a_target() {
    assertEquals(
        List.of(
            "7,page,page,first ,true,8,true,false",
            "<?page first ?><?page ?><!--?xml version=\"1.0\"?-->",
            "<?page x?> [object ProcessingInstruction] true <?in markup?> <?in noscript?>"),
        load(
            """
            <!doctype html><html><body><?page first ><?page?><?xml version="1.0"?><noscript><?in noscript?></noscript><script>
            const [first, second, comment] = document.body.childNodes;
            const copy = first.cloneNode(), same = first.isEqualNode(copy);
            console.log([first.nodeType, first.nodeName, first.target, first.data, second.data === '', comment.nodeType, same, first.isEqualNode(second)].join());
            console.log(document.body.innerHTML.split('<noscript')[0]);
            copy.data = 'x';
            const div = document.createElement('div'), other = document.createElement('div');
            div.append(copy);
            other.innerHTML = '<?in markup?>';
            console.log(div.innerHTML, Object.prototype.toString.call(copy), copy instanceof CharacterData, other.innerHTML,
              document.querySelector('noscript').textContent);
            </script>\
            """,
            Map.of()));
  }

  @Test
  void names_of_svg_and_mathml_have_the_case_that_html_gives_them() {
    assertLog(
        "linearGradient,foreignObject viewBox,preserveAspectRatio definitionURL xlink:href linearGradient viewBox",
        """
        <!doctype html><svg viewbox="0" PRESERVEASPECTRATIO="x"><lineargradient></lineargradient><FOREIGNOBJECT></FOREIGNOBJECT></svg><math DEFINITIONURL="x" XLINK:HREF="y"></math><div></div><script>
        const svg = document.querySelector('svg'), math = document.querySelector('math'), div = document.querySelector('div');
        div.innerHTML = '<svg viewbox=1><lineargradient/></svg>';
        const names = element => element.getAttributeNames().join();
        console.log([...svg.children].map(each => each.localName) + ' ' + names(svg), names(math).replace(',', ' '),
          div.firstChild.firstChild.localName, names(div.firstChild));
        </script>\
        """);
  }

  @Test
  void noscript_contains_text_and_its_scripts_and_frames_do_nothing() {
    assertEquals(
        List.of(
            "1 <style></style><script>console.log('head')</script>",
            "1 <iframe src=\"/frame.html\"></iframe><script>console.log('body')</script>",
            "scripts 1 frames 0",
            "1 <script>console.log('open')</script>"),
        load(
            """
            <head><noscript><style></style><script>console.log('head')</script></noscript>
            <body><noscript><iframe src="/frame.html"></iframe><script>console.log('body')</script></noscript>
            <script>
            const show = e => console.log(e.childNodes.length + ' ' + e.textContent.trim());
            document.querySelectorAll('noscript').forEach(show);
            console.log('scripts ' + document.querySelectorAll('script').length + ' frames ' + frames.length);
            onload = () => show(document.body.lastChild);
            </script><noscript><script>console.log('open')</script>
            """,
            Map.of("https://one.test/frame.html", "<script>console.log('frame')</script>")));
  }

  @Test
  void noscript_in_inner_html_contains_text_only_with_scripting() {
    assertLog(
        "#text <b>x</b> #text <i></i> B",
        """
        <div></div><script>
        const markup = '<noscript><b>x</b></noscript>';
        const div = document.querySelector('div');
        div.innerHTML = markup;
        const [text] = div.firstChild.childNodes;
        console.log(text.nodeName + ' ' + text.data);
        div.firstChild.innerHTML = '<i></i>';
        const [own] = div.firstChild.childNodes;
        console.log(own.nodeName + ' ' + own.data);
        const {body} = document.implementation.createHTMLDocument('');
        body.innerHTML = markup;
        console.log(body.firstChild.firstChild.nodeName);
        </script>\
        """);
  }

  @Test
  void scripts_run_in_order_and_external_ones_block_the_parser() {
    assertEquals(
        List.of("1", "two", "3"),
        load(
            "<script>console.log(1)</script><script src=two.js></script><script>console.log(3)</script>",
            Map.of("https://one.test/two.js", "console.log('two')")));
  }

  @Test
  void script_sees_only_nodes_parsed_before_it() {
    assertLog(
        "HTML,HEAD,BODY,P,SCRIPT HTML,HEAD,BODY,P,SCRIPT,DIV,SCRIPT",
        """
        <html><head></head><body><p></p><script>const names = () => [...document.getElementsByTagName('*')].map(e => e.tagName).join(); console.log(names())</script><div></div><script>console.log(names())</script></body></html>\
        """);
  }

  @Test
  void document_body_is_null_before_the_body_is_parsed() {
    assertLog(
        "null BODY",
        "<head><script>console.log(String(document.body))</script></head><body><script>console.log(document.body.tagName)</script></body>");
  }

  @Test
  void current_script_is_the_running_one_and_null_in_callbacks() {
    assertEquals(
        List.of("a", "b", "null", "null"),
        load(
            "<script id=a>console.log(document.currentScript.id); setTimeout(() => console.log(String(document.currentScript)))</script>"
                + "<script id=b src=b.js></script><script>addEventListener('load', () => console.log(String(document.currentScript)))</script>",
            Map.of("https://one.test/b.js", "console.log(document.currentScript.id)")));
  }

  @Test
  void script_that_fails_to_load_fires_error_and_parsing_continues() {
    assertLog(
        "SCRIPT false next loaded",
        """
        <script>
        document.addEventListener('error', e => { console.log(e.target.tagName); console.log(e.bubbles); }, true);
        onload = () => console.log('loaded');
        </script>
        <script src="gone.js"></script><script>console.log('next')</script>\
        """);
  }

  @Test
  void urls_are_relative_to_the_first_base_element_with_href() {
    assertEquals(
        List.of("base", "base", "page", "https://one.test/page.html"),
        load(
            """
            <base target=x><base href="dir/"><base href="other/"><script src="a.js"></script>
            <script>
            fetch('b.txt').then(response => response.text()).then(text => console.log(text))
                .then(() => fetch('/b.txt')).then(response => response.text())
                .then(text => { console.log(text); console.log(document.URL); });
            </script>\
            """,
            Map.of(
                "https://one.test/dir/a.js", "console.log('base')",
                "https://one.test/dir/b.txt", "base",
                "https://one.test/b.txt", "page")));
  }

  @Test
  void base_element_with_an_unusable_url_is_ignored() {
    for (String href : List.of("http://", "data:,x", "javascript:x")) {
      assertEquals(
          List.of("page"),
          load(
              "<base href='" + href + "'><script src='a.js'></script>",
              Map.of("https://one.test/a.js", "console.log('page')")));
    }
  }

  @Test
  void script_url_is_normalized_by_the_url_standard() {
    assertEquals(
        List.of("https://xn--bcher-kva.example/a%20b/c.js?it%27s"),
        load(
            "<script src=' HTTPS:\\\\B\u00FCcher.example\\x\\..\\a b\\c.js?it&#39;s '></script>",
            Map.of(
                "https://xn--bcher-kva.example/a%20b/c.js?it%27s",
                "console.log(document.currentScript.src)")));
  }

  @Test
  void script_with_an_empty_or_invalid_src_fires_an_error_event() {
    assertLog(
        "next empty bad",
        """
        <script>document.addEventListener('error', e => console.log(e.target.id), true);</script>
        <script id=empty src=""></script><script id=bad src="http://"></script><script>console.log('next')</script>\
        """);
  }

  @Test
  void external_script_gets_a_load_event_after_it_ran() {
    assertEquals(
        List.of("ran", "load"),
        load(
            "<script>document.addEventListener('load', e => console.log(e.type), true)</script><script src=a.js></script>",
            Map.of("https://one.test/a.js", "console.log('ran')")));
  }

  @Test
  void syntax_error_is_reported_and_later_scripts_run() {
    List<String> log =
        load(
            "<script>onerror = (m, f, l, c, e) => console.log(e.name)</script><script>console.log('never'); let = ;</script><script>console.log('next')</script>",
            Map.of());
    assertEquals("SyntaxError", log.get(0));
    assertEquals(
        "*Uncaught SyntaxError", log.get(1).substring(0, "*Uncaught SyntaxError".length()));
    assertEquals("next", log.get(2));
  }

  @Test
  void exception_of_a_script_is_reported_and_later_scripts_run() {
    assertLog(
        "*Uncaught Error: x next",
        "<script>throw new Error('x')</script><script>console.log('next')</script>");
  }

  @Test
  void microtasks_run_after_each_script() {
    assertLog(
        "1 m 2",
        "<script>Promise.resolve().then(() => console.log('m')); console.log(1)</script><script>console.log(2)</script>");
  }

  @Test
  void scripts_share_one_global_scope() {
    assertLog(
        "1 2 3",
        "<script>var a = 1; let b = 2; function c() { return 3 }</script><script>console.log(a); console.log(b); console.log(window.c())</script>");
  }

  @Test
  void data_blocks_do_not_run_but_scripts_of_old_javascript_types_do() {
    assertLog(
        "old upper",
        "<script type=application/json>{]</script><script type=text/plain>console.log('never')</script>"
            + "<script type=text/jscript>console.log('old')</script><script type='Text/JavaScript '>console.log('upper')</script>");
  }

  @Test
  void collection_by_tag_name_is_live() {
    assertLog(
        "1 2 true",
        "<script>const list = document.getElementsByTagName('script'); console.log(list.length)</script><script>console.log(list.length); console.log(list[1] === document.currentScript)</script>");
  }

  @Test
  void collection_is_indexed_as_in_browsers() {
    assertLog(
        "0,1 true P null false undefined P,P [object HTMLCollection]",
        """
        <p></p><p></p><script>
        const list = document.getElementsByTagName('P');
        console.log(Reflect.ownKeys(list).join());
        console.log(1 in list);
        console.log(list.item(1).tagName);
        console.log(String(list.item(2)));
        console.log(2 in list);
        console.log(String(list[2]));
        console.log(Array.from(list, e => e.tagName).join());
        console.log(String(list));
        </script>\
        """);
  }

  @Test
  void nodes_give_access_to_their_children_siblings_and_parents() {
    assertLog(
        "10 html HTML HEAD,BODY 3 text 8 note true #document null",
        """
        <!doctype html><title>t</title><body>text<!--note--><script>
        console.log(document.firstChild.nodeType); console.log(document.firstChild.name);
        const root = document.documentElement;
        console.log(root.nodeName); console.log([root.firstChild, root.lastChild].map(n => n.nodeName).join());
        const text = document.body.firstChild;
        console.log(text.nodeType); console.log(text.data);
        console.log(text.nextSibling.nodeType); console.log(text.nextSibling.data);
        console.log(text.nextSibling.previousSibling === text);
        console.log(root.parentNode.nodeName); console.log(String(document.parentNode));
        </script>\
        """);
  }

  @Test
  void script_can_read_the_attributes_of_elements() {
    assertLog(
        "a true v null false A HTMLElement title text",
        """
        <title> title
          text </title><i id=a data-x=v></i><script>
        const e = document.getElementById('a');
        console.log(e.id); console.log(e === document.getElementById('a')); console.log(e.getAttribute('DATA-X'));
        console.log(String(e.getAttribute('none'))); console.log(e.hasAttribute('none')); console.log(e.id.toUpperCase());
        console.log(e.constructor.name); console.log(document.title);
        </script>\
        """);
  }

  @Test
  void window_without_frames_is_its_own_top_and_parent() {
    assertLog(
        "true true true true true null 0 one.test",
        "<script>for (const w of [window, self, frames, top, parent]) console.log(w === globalThis); console.log(String(opener)); console.log(length); console.log(location.host)</script>");
  }

  @Test
  void window_has_the_standard_prototype_chain_which_is_immutable() {
    assertLog(
        "true true [object Window] TypeError false TypeError true",
        """
        <script>
        console.log(Object.getPrototypeOf(window) === Window.prototype);
        console.log(Object.getPrototypeOf(Window.prototype) === EventTarget.prototype || Object.getPrototypeOf(Object.getPrototypeOf(Window.prototype)) === EventTarget.prototype);
        console.log(String(window));
        try { Object.setPrototypeOf(window, {}) } catch (e) { console.log(e.name) }
        console.log(Reflect.setPrototypeOf(window, {}));
        try { window.__proto__ = {} } catch (e) { console.log(e.name) }
        console.log(Reflect.setPrototypeOf(window, Object.getPrototypeOf(window)));
        </script>\
        """);
  }

  @Test
  void global_prototype_chain_cannot_be_changed_through_a_proxy() {
    assertLog(
        "TypeError false TypeError trap TypeError true true",
        """
        <script>
        const proxy = new Proxy(window, {});
        try { Object.setPrototypeOf(proxy, {}) } catch (e) { console.log(e.name) }
        console.log(Reflect.setPrototypeOf(new Proxy(EventTarget.prototype, {}), {}));
        try { proxy.__proto__ = null } catch (e) { console.log(e.name) }
        const trapping = new Proxy(proxy, { setPrototypeOf(t, p) { console.log('trap'); return Reflect.setPrototypeOf(t, p) } });
        try { Object.setPrototypeOf(trapping, null) } catch (e) { console.log(e.name) }
        console.log(Reflect.setPrototypeOf(proxy, Object.getPrototypeOf(window)));
        console.log(window instanceof Window && window instanceof EventTarget && addEventListener === EventTarget.prototype.addEventListener);
        </script>\
        """);
  }

  @Test
  void unforgeable_members_of_the_window_are_not_configurable() {
    assertLog(
        "false false false false",
        "<script>for (const k of ['window', 'document', 'location', 'top']) console.log(Object.getOwnPropertyDescriptor(window, k).configurable)</script>");
  }
}
