package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The search for the imports of a module. */
class ModuleRequestsTest {

  private static List<String> found(String text) {
    return ModuleRequests.of(text).stream()
        .map(request -> {
          assertEquals(
              request.specifier(),
              text.substring(request.start(), request.start() + request.specifier().length()));
          return (request.dynamic() ? "()" : "")
              + request.specifier()
              + (request.json() ? "!" : "");
        })
        .toList();
  }

  @Test
  void each_form_of_import_is_found() {
    assertEquals(
        List.of("1", "2", "3", "4", "5", "6", "7", "8"),
        found(
            """
            #!hashbang import 'no'
            import '1'; import a from "2";import b, {c as d, default as e} from '3'
            import * as f from '4'
            import g, * as h from'5'; import {'a b' as i, "from" as from,} from '6';
            import {} from '7'
            import from from '8'
            """));
  }

  @Test
  void each_form_of_export_from_is_found() {
    assertEquals(
        List.of("1", "2", "3", "4"),
        found(
            """
            export * from '1'; export * as a from '2'; export {b, c as default} from '3'
            export {d}; let from; from
            'no'; export {e as 'f'} from '4';
            export default 'no'; export const g = 'no'; export function h() {} export class i {}
            """));
  }

  @Test
  void type_attribute_marks_json_modules() {
    assertEquals(
        List.of("1!", "2!", "3", "4", "5!", "6"),
        found(
            """
            import a from '1' with {type: 'json'}; import b from '2' with { "type" : "json", }
            import c from '3' with {type: 'css'}
            import d from '4' with {}
            export {default} from '5' with {type:"json"};import '6'
            """));
  }

  @Test
  void argument_of_dynamic_import_is_found_if_it_starts_with_a_literal() {
    assertEquals(
        List.of("()1", "()2", "()3 ", "()4"),
        found(
            """
            import('1'); const f = () => { return import( /* here */ "2") }
            import(`3 ${x} ${`y`}`); import(x); import.meta.url; import.meta; a.import('no');
            `${import('4')}`
            """));
  }

  @Test
  void imports_in_strings_comments_and_regular_expressions_are_ignored() {
    assertEquals(
        List.of("1"),
        found(
            """
            // import 'no'
            /* import 'no' */ 'import "no"'; "\\"import 'no'"; `import 'no' ${'import "no"'} import 'no'`;
            /import 'no'/.test(x); a = /[/]import 'no'\\//; if (x) /import 'no'/g;
            x = {a: 1} / 2; x = y / 2 / 3; x = (y) / 'no' / 2; x++ / 2; return_ / 2;
            const o = { import: 1, export: 2 }; o.import; o.export; class A { import() {} #export; }
            function f() { return /'/ } for (;;) { /"/ }
            import '1'
            """));
  }

  @Test
  void broken_text_ends_the_search_without_an_exception() {
    for (String text :
        List.of(
            "import",
            "import {",
            "import 'x",
            "import x from",
            "export *",
            "export {a",
            "`${",
            "`",
            "/import",
            "/[",
            "'\\",
            "import('",
            "import x from 'y' with {",
            "}}}",
            "))",
            "export",
            "/*",
            "import(`a${")) {
      found(text);
    }
    assertEquals(List.of("1"), found("}) import '1'"));
  }
}
