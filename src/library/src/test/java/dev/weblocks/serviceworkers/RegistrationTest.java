package dev.weblocks.serviceworkers;

import static dev.weblocks.serviceworkers.Scripts.assertLog;
import static dev.weblocks.serviceworkers.Scripts.async;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code register()} and its refusals, and the lookup of registrations. */
class RegistrationTest {

  private static void assertRefused(String expected, String arguments) {
    assertLog(
        List.of(expected, "undefined"),
        scenario ->
            scenario
                .resource("/sw.js", "")
                .resource("/dir/sw.js", "")
                .resource("/throws.js", "throw new Error('on purpose')")
                .resource("/bad.js", "}")
                .resource("/rejects.js", "oninstall = e => e.waitUntil(Promise.reject())")
                .response(
                    Scenario.ORIGIN + "/text.js",
                    ResourceResponse.of(Scenario.ORIGIN + "/text.js", "text/plain", ""))
                .response(
                    Scenario.ORIGIN + "/moved.js",
                    new ResourceResponse(
                        Scenario.ORIGIN + "/moved.js",
                        302,
                        "Found",
                        List.of(Map.entry("Location", "/sw.js")),
                        new byte[0]))
                .window(
                    async(
                        """
                        try {
                          const r = await sw.register(%s);
                          log(`registered ${r.scope}`);
                        } catch (e) {
                          log(name(e));
                        }
                        log(String(await sw.getRegistration('/')));
                        """
                            .formatted(arguments))));
  }

  @Test
  void invalid_urls_and_options_are_refused() {
    assertRefused("TypeError TypeError", "'https://:bad:/'");
    assertRefused("TypeError TypeError", "'data:text/javascript,'");
    assertRefused("TypeError TypeError", "'blob:https://one.test/1'");
    assertRefused("TypeError TypeError", "'/sw.js', { scope: 'about:blank' }");
    assertRefused("TypeError TypeError", "'/a%2fsw.js'");
    assertRefused("TypeError TypeError", "'/a%5Csw.js'");
    assertRefused("TypeError TypeError", "'/sw.js', { scope: '/a%5cb' }");
    assertRefused("TypeError TypeError", "'/sw.js', { scope: '/a%2Fb' }");
    assertRefused("TypeError TypeError", "'/sw.js', { type: 'neither' }");
    assertRefused("TypeError TypeError", "'/sw.js', { updateViaCache: 'neither' }");
  }

  @Test
  void script_and_scope_have_to_be_of_the_same_origin() {
    assertRefused("DOMException SecurityError", "'https://two.test/sw.js'");
    assertRefused("DOMException SecurityError", "'/sw.js', { scope: 'https://two.test/' }");
  }

  @Test
  void scope_must_be_below_the_directory_of_the_script() {
    assertRefused("DOMException SecurityError", "'/dir/sw.js', { scope: '/' }");
    assertRefused("DOMException SecurityError", "'/dir/sw.js', { scope: '/dir' }");
    assertRefused("registered https://one.test/dir/x", "'/dir/sw.js', { scope: '/dir/x' }");
  }

  @Test
  void response_has_to_be_a_script() {
    assertRefused("TypeError TypeError", "'/missing.js'");
    assertRefused("DOMException SecurityError", "'/text.js'");
    assertRefused("DOMException SecurityError", "'/moved.js'");
  }

  @Test
  void worker_that_cannot_be_run_is_not_registered() {
    for (String script : List.of("/throws.js", "/bad.js")) {
      for (int seed = 0; seed < 4; seed++) {
        try (Scenario scenario = new Scenario(seed)) {
          scenario
              .resource("/throws.js", "throw new Error('on purpose')")
              .resource("/bad.js", "}")
              .window(
                  async(
                      "try { await sw.register('%s') } catch (e) { log(name(e)) } log(String(await sw.getRegistration()))"
                          .formatted(script)));
          assertEquals(1, scenario.runForErrors().size());
          assertEquals(List.of("TypeError TypeError", "undefined"), scenario.log());
        }
      }
    }
  }

  @Test
  void worker_that_fails_to_install_is_redundant_and_not_registered() {
    assertLog(
        List.of("installing", "redundant null null null", "undefined"),
        scenario ->
            scenario
                .resource("/sw.js", "oninstall = e => e.waitUntil(Promise.reject('no'))")
                .window(
                    async(
                        """
                        const r = await sw.register('/sw.js');
                        const worker = r.installing;
                        log(worker.state);
                        await state(worker, 'redundant');
                        await new Promise(resolve => setTimeout(resolve));
                        log(worker.state, r.installing, r.waiting, r.active);
                        log(String(await sw.getRegistration()));
                        """)));
  }

  @Test
  void service_worker_allowed_header_can_widen_or_narrow_the_allowed_scope() {
    assertLog(
        List.of("https://one.test/", "SecurityError", "SecurityError"),
        scenario -> {
          for (String[] each :
              new String[][] {{"wide", "/"}, {"narrow", "/a/b/"}, {"other", "https://two.test/"}}) {
            String url = Scenario.ORIGIN + "/a/" + each[0] + ".js";
            scenario.response(
                url,
                new ResourceResponse(
                    url,
                    200,
                    "OK",
                    List.of(
                        Map.entry("Content-Type", "text/javascript"),
                        Map.entry("Service-Worker-Allowed", each[1])),
                    new byte[0]));
          }
          return scenario.window(
              async(
                  """
                  log((await sw.register('/a/wide.js', { scope: '/' })).scope);
                  await sw.register('/a/narrow.js', { scope: '/a/' }).catch(e => log(e.name));
                  await sw.register('/a/other.js', { scope: '/a/' }).catch(e => log(e.name));
                  """));
        });
  }

  @Test
  void script_request_has_the_service_worker_header() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/sw.js", "").window(async("await active('/sw.js#fragment');"));
      scenario.run();
      assertEquals(
          List.of("script"),
          scenario.requests().stream()
              .filter(request -> request.url().equals(Scenario.ORIGIN + "/sw.js"))
              .flatMap(request -> request.headers().stream())
              .filter(header -> header.getKey().equals("Service-Worker"))
              .map(Map.Entry::getValue)
              .toList());
    }
  }

  @Test
  void registration_is_represented_by_one_object_per_realm() {
    assertLog(
        List.of("true true true true", "1 true", "undefined"),
        scenario ->
            scenario
                .resource("/sw.js", "")
                .window(
                    async(
                        """
                        const [a, b] = await Promise.all([sw.register('/sw.js'), sw.register('/sw.js')]);
                        await state(a.installing ?? a.waiting ?? a.active, 'activated');
                        const c = await sw.register('/sw.js');
                        log(a === b, a === c, a === await sw.ready, a === await sw.getRegistration());
                        const all = await sw.getRegistrations();
                        log(all.length, Object.isFrozen(all) && all[0] === a);
                        await a.unregister();
                        log(String(await sw.getRegistration()));
                        """)));
  }

  @Test
  void registration_with_the_longest_matching_scope_is_found() {
    assertLog(
        List.of("/ /a /a/b /a/b SecurityError TypeError"),
        scenario ->
            scenario
                .resource("/sw.js", "")
                .window(
                    async(
                        """
                        for (const scope of ['/a/b', '/', '/a']) await active('/sw.js', { scope });
                        const found = [];
                        for (const url of ['/x', '/abc', '/a/b', '/a/bc#d']) found.push(new URL((await sw.getRegistration(url)).scope).pathname);
                        for (const url of ['https://two.test/', 'https://:bad:/']) await sw.getRegistration(url).catch(e => found.push(e.name));
                        log(found.join(' '));
                        """)));
  }

  @Test
  void jobs_of_one_scope_run_one_after_the_other() {
    assertLog(
        List.of("true true true", "true"),
        scenario ->
            scenario
                .resource("/sw.js", "")
                .resource("/other.js", "")
                .window(
                    async(
                        """
                        const jobs = [sw.register('/sw.js'), sw.register('/other.js')];
                        const [a, b] = await Promise.all(jobs);
                        await state((b.installing ?? b.waiting ?? b.active), 'activated');
                        const unregistered = [a.unregister(), a.unregister(), sw.register('/sw.js').then(r => r.unregister()), a.unregister()];
                        const [first, second, third, fourth] = await Promise.all(unregistered);
                        // whether the last job runs before the page hears of the third one is open
                        log(first, second, third || fourth);
                        log(a === b);
                        """)));
  }

  @Test
  void interfaces_are_undefined_outside_of_secure_contexts() {
    assertLog(
        List.of("undefined undefined"),
        scenario ->
            scenario.windowAt(
                "http://plain.test",
                "console.log(typeof navigator.serviceWorker, typeof ServiceWorker)"));
  }
}
