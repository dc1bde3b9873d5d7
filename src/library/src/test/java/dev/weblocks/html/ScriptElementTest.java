package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Script elements that script inserts, and their attributes. */
class ScriptElementTest {

  private static final String INSERT =
      """
      const insert = (attributes, text) => {
        const script = document.createElement('script');
        Object.assign(script, attributes);
        if (text !== undefined) script.textContent = text;
        document.head.append(script);
        return script;
      };
      """;

  private static Scenario scenario() {
    return new Scenario(1)
        .resource("/one.js", "console.log('one ' + document.currentScript?.id)")
        .resource("/two.js", "console.log('two')")
        .resource("/module.js", "console.log('module ' + document.currentScript)");
  }

  private static List<String> logOf(String script) {
    try (Scenario scenario = scenario()) {
      return scenario.window(INSERT + script).run();
    }
  }

  @Test
  void an_inline_script_runs_as_soon_as_it_is_inserted() {
    assertEquals(
        List.of("inner true", "after true"),
        logOf(
            """
            const outer = document.currentScript;
            const inner = insert({}, 'console.log("inner " + (document.currentScript !== outer))');
            console.log('after ' + (document.currentScript === outer));
            """));
  }

  @Test
  void a_script_runs_once_and_clones_of_it_do_not_run() {
    assertEquals(
        List.of("ran"),
        logOf(
            "const s = insert({}, 'console.log(\"ran\")'); document.head.append(s); document.head.append(s.cloneNode(true))"));
  }

  @Test
  void empty_script_runs_when_it_gets_text_or_src() {
    assertEquals(
        List.of("text", "after text", "after address", "two"),
        logOf(
            """
            insert({}).append('console.log("text")');
            console.log('after text');
            insert({}).src = '/two.js';
            console.log('after address');
            """));
  }

  @Test
  void scripts_in_inner_markup_do_not_run() {
    assertEquals(
        List.of("1"),
        logOf(
            "document.head.innerHTML += '<script>console.log(\"no\")<\\/script>'; console.log(document.head.querySelectorAll('script').length - 1)"));
  }

  @Test
  void a_fetched_script_is_asynchronous_and_has_load_and_error_events() {
    assertEquals(
        List.of(
            "true",
            "inserted",
            "one x",
            "load",
            "script failed to load: https://one.test/missing.js",
            "error"),
        logOf(
            """
            insert({ id: 'x', src: '/one.js', onload() {
              console.log('load');
              insert({ src: '/missing.js', onerror() { console.log('error'); } });
            } });
            console.log(document.createElement('script').async);
            console.log('inserted');
            """));
  }

  @Test
  void scripts_that_are_not_asynchronous_run_in_the_order_of_their_insertion() {
    try (Scenario scenario = scenario()) {
      scenario.window(
          INSERT
              + "for (const src of ['/one.js', '/two.js', '/one.js']) insert({ async: false, src })");
      assertEquals(List.of("one ", "two", "one "), scenario.run());
    }
  }

  @Test
  void load_event_waits_for_scripts_inserted_at_dom_content_loaded() {
    assertEquals(
        List.of("content", "two", "load"),
        logOf(
            """
            addEventListener('DOMContentLoaded', () => { console.log('content'); insert({ src: '/two.js' }); });
            addEventListener('load', () => console.log('load'));
            """));
  }

  @Test
  void deferred_scripts_run_in_order_after_parsing_and_before_dom_content_loaded() {
    try (Scenario scenario = scenario()) {
      scenario
          .resource(
              "/page.html",
              "<script defer src=/two.js></script><script defer src=/one.js></script><script>console.log('inline ' + document.readyState); addEventListener('DOMContentLoaded', () => console.log('content'))</script>")
          .open("/page.html");
      assertEquals(List.of("inline loading", "two", "one ", "content"), scenario.run());
    }
  }

  @Test
  void inserted_modules_run_and_inserted_nomodule_scripts_do_not() {
    assertEquals(
        List.of("module null", "load", "inline null"),
        logOf(
            """
            insert({ noModule: true }, 'console.log("no")');
            insert({ type: 'text/plain' }, 'console.log("no")');
            insert({ type: 'module', src: '/module.js', onload() {
              console.log('load');
              insert({ type: 'module' }, 'console.log("inline " + document.currentScript)');
            } });
            """));
  }

  @Test
  void script_removed_before_its_text_is_fetched_still_runs() {
    assertEquals(List.of("two"), logOf("insert({ src: '/two.js' }).remove()"));
  }

  @Test
  void integrity_attribute_is_checked() {
    assertEquals(
        List.of("script failed to load: https://one.test/two.js", "error", "two"),
        logOf(
            """
            const bytes = 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
            insert({ src: '/two.js', integrity: bytes, onerror() { console.log('error'); insert({ src: '/two.js', integrity: 'md5-x' }); } });
            """));
  }

  @Test
  void script_does_not_run_if_for_event_or_language_is_unsupported() {
    try (Scenario scenario = scenario()) {
      scenario
          .resource(
              "/page.html",
              "<script for=window event=' ONLOAD() '>console.log('runs')</script><script for=x event=onload>console.log('no')</script><script language=vbs>console.log('no')</script><script language=JavaScript1.2>console.log('old')</script>")
          .open("/page.html");
      assertEquals(List.of("runs", "old"), scenario.run());
    }
  }

  @Test
  void attributes_of_script_elements_are_reflected() {
    assertEquals(
        List.of("false|anonymous|null|use-credentials|https://one.test/x|true true false"),
        logOf(
            """
            const s = document.createElement('script');
            const out = [];
            s.async = false; out.push(s.async || s.hasAttribute('async'));
            s.crossOrigin = 'whatever'; out.push(s.crossOrigin);
            s.crossOrigin = null; out.push(s.crossOrigin);
            s.crossOrigin = 'Use-Credentials'; out.push(s.crossOrigin);
            s.src = 'x'; out.push(s.src);
            out.push(HTMLScriptElement.supports('module') + ' ' + HTMLScriptElement.supports('importmap')
                + ' ' + HTMLScriptElement.supports('speculationrules'));
            console.log(out.map(String).join('|'));
            """));
  }

  @Test
  void script_can_change_the_document_during_parsing() {
    try (Scenario scenario = scenario()) {
      scenario
          .resource(
              "/page.html",
              "<body><p></p><script>document.body.append(document.createElement('i')); document.currentScript.remove()</script><b></b>text<script>console.log(document.body.innerHTML.replace(/<script.*/s, ''))</script>")
          .open("/page.html");
      assertEquals(List.of("<p></p><i></i><b></b>text"), scenario.run());
    }
  }

  @Test
  void page_with_thousands_of_scripts_and_removed_elements_loads() {
    try (Scenario scenario = scenario()) {
      scenario
          .resource(
              "/page.html",
              "<script>var count = 0</script>"
                  + "<p></p><script>count++; document.querySelector('p').remove()</script>"
                      .repeat(1000)
                  + "<script>console.log(count + ' ' + document.getElementsByTagName('p').length)</script>")
          .open("/page.html");
      assertEquals(List.of("1000 0"), scenario.run());
    }
  }
}
