package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code import()} where there are no module scripts. */
class ImportTest {

  @Test
  void import_rejects_with_a_type_error_whatever_the_specifier() {
    assertEquals(
        List.of("true true", "0"),
        Scenario.logOf(
            """
            const specifiers = ['', 'x', './x.js', '../x.mjs', '/x.wasm', '/x.json', 'a b', 'a\\\\b\\0"\\u2028',
              'https://one.test/x.js', 'file:///etc/passwd', 'node:fs', 'blob:https://one.test/1', 'jar:file:/x!/y', '\\ud800', '%%%'];
            Promise.allSettled(specifiers.map(s => import(s))).then(all => {
              const wrong = all.filter(r => !(r.reason instanceof TypeError && r.reason.message.startsWith('Failed to fetch dynamically imported module: ')));
              console.log(all.every(r => r.status === 'rejected'), all[2].reason.message.endsWith('x.js'));
              console.log(wrong.map(r => r.reason ?? r.value).join(';') || '0');
            });
            """));
  }

  @Test
  void import_in_a_worker_and_with_a_replaced_type_error_is_no_different() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/worker.js",
              """
              const Genuine = TypeError;
              globalThis.TypeError = class {};
              Genuine.prototype.message = 'inherited';
              import('./module.js').catch(e => console.log(e instanceof Genuine, e.stack.includes('\\n'), Object.keys(e).length));
              """)
          .resource("/module.js", "console.log('never')")
          .window("new Worker('/worker.js')");
      assertEquals(List.of("true false 0"), scenario.run());
    }
  }

  @Test
  void exception_of_the_specifier_s_conversion_is_the_reason() {
    assertEquals(
        List.of("5"),
        Scenario.logOf("import({ toString() { throw 5; } }).catch(e => console.log(e))"));
  }
}
