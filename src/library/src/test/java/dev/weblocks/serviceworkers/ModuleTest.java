package dev.weblocks.serviceworkers;

import static dev.weblocks.serviceworkers.Scripts.assertLog;
import static dev.weblocks.serviceworkers.Scripts.async;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Service workers whose script is a module. */
class ModuleTest {

  @Test
  void module_worker_restarts_with_its_original_imports() {
    assertLog(
        List.of("runs one undefined", "https://one.test/sw.js one", "runs one undefined", "one"),
        scenario -> {
          scenario
              .resource("/lib.js", "import './deep.js'; export const lib = deep;")
              .resource("/deep.js", "globalThis.deep = 'one';")
              .resource(
                  "/sw.js",
                  """
                  import { lib } from './lib.js';
                  console.log('runs', lib, typeof this);
                  onactivate = () => console.log(import.meta.url, lib);
                  onmessage = () => console.log(lib);
                  """)
              .window(async("await active('/sw.js', { type: 'module' })"))
              .run();
          scenario.stopIdleServiceWorkers().run();
          return scenario
              .resource("/deep.js", "globalThis.deep = 'two';")
              .window(async("(await sw.ready).active.postMessage('')"));
        });
  }

  @Test
  void update_detects_a_change_of_an_imported_module() {
    assertLog(
        List.of("one", "same", "two", "updated"),
        scenario -> {
          scenario
              .resource("/lib.js", "console.log('one')")
              .resource("/sw.js", "import './lib.js'")
              .window(
                  async(
                      "const r = await active('/sw.js', { type: 'module' }); await r.update(); log(r.installing === null && 'same')"))
              .run();
          return scenario
              .resource("/lib.js", "console.log('two')")
              .window(
                  async(
                      "const r = await sw.ready; await r.update(); await state(r.installing, 'installed'); log('updated')"));
        });
  }

  @Test
  void module_with_top_level_await_is_refused() {
    for (String text : List.of("await 0", "await new Promise(() => {})", "import './wait.js'")) {
      for (int seed = 0; seed < 4; seed++) {
        try (Scenario scenario = new Scenario(seed)) {
          scenario
              .resource("/sw.js", text)
              .resource("/wait.js", "await 0")
              .window(
                  async(
                      """
                      await sw.register('/sw.js', { type: 'module' }).then(r => log('registered'), e => log(name(e)));
                      log(String(await sw.getRegistration()));
                      """));
          assertEquals(
              List.of(
                  "service worker https://one.test/sw.js did not start: top-level await is not"
                      + " allowed in service workers",
                  "TypeError TypeError",
                  "undefined"),
              scenario.run());
        }
      }
    }
  }

  @Test
  void module_that_cannot_be_loaded_is_refused() {
    for (String text : List.of("import './missing.js'", "import './bad.js'", "import 'bare'")) {
      try (Scenario scenario = new Scenario(1)) {
        scenario
            .resource("/sw.js", text)
            .resource("/bad.js", "}")
            .window(
                async(
                    "await sw.register('/sw.js', { type: 'module' }).then(r => log('registered'), e => log(name(e)))"));
        assertEquals("TypeError TypeError", scenario.run().getLast());
      }
    }
  }

  @Test
  void dynamic_import_is_refused_in_service_workers() {
    assertLog(
        List.of("TypeError", "TypeError", "TypeError"),
        scenario ->
            scenario
                .resource("/lib.js", "export const lib = 1")
                .resource(
                    "/module.js",
                    """
                    import './lib.js';
                    oninstall = e => e.waitUntil(import('./another.js').catch(e => console.log(e.constructor.name)));
                    onactivate = e => e.waitUntil(import('./other.js').catch(e => console.log(e.constructor.name)));
                    """)
                .resource(
                    "/classic.js",
                    "oninstall = e => e.waitUntil(import('./lib.js').catch(e => console.log(e.constructor.name)))")
                .window(
                    async(
                        "await active('/module.js', { type: 'module' }); await active('/classic.js', { scope: '/x' })")));
  }
}
