package dev.weblocks.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Shared workers as pages and their own scripts see them, under several schedules. */
class SharedWorkersTest {

  private static final int SEEDS = TestSize.seeds(10);

  /** A worker script that sends each page its number and echoes messages. */
  private static final String COUNTER =
      """
      let pages = 0;
      onconnect = e => {
        const [port] = e.ports;
        port.postMessage('page ' + ++pages);
        port.onmessage = m => port.postMessage('echo ' + m.data);
      };
      """;

  private interface Setup {
    Scenario in(Scenario scenario);
  }

  /** Expects the same console output under every seed. */
  private static void assertLog(List<String> expected, Setup setup) {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        assertEquals(expected, setup.in(scenario).run(), "seed " + seed);
      }
    }
  }

  private static boolean hasEnded(Scenario scenario, String agent) {
    return scenario.trace().contains("AGENT " + agent + ": has ended");
  }

  @Test
  void connect_event_has_a_port_which_is_also_its_source() {
    assertLog(
        List.of(
            "connect false false true MessageEvent",
            "'' '' '' 1 true true true",
            "true true SharedWorkerGlobalScope my name"),
        scenario ->
            scenario
                .resource(
                    "/w.js",
                    """
                    onconnect = function (e) {
                      console.log(e.type, e.bubbles, e.cancelable, e.isTrusted, e.constructor.name);
                      console.log(`'${e.data}' '${e.origin}' '${e.lastEventId}'`, e.ports.length,
                          Object.isFrozen(e.ports), e.source === e.ports[0],
                          e.source instanceof MessagePort);
                      console.log(this === self, e.target === self, self.constructor.name, name);
                    };
                    """)
                .window("new SharedWorker('/w.js', 'my name');"));
  }

  @Test
  void pages_of_one_origin_share_a_worker_with_separate_ports() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        String page =
            """
            const worker = new SharedWorker('/w.js');
            worker.port.onmessage = e => console.log(e.data);
            worker.port.postMessage('%s');
            """;
        scenario.resource("/w.js", COUNTER).window(page.formatted(1)).window(page.formatted(2));
        assertEquals(
            Set.of("page 1", "page 2", "echo 1", "echo 2"),
            new TreeSet<>(scenario.run()),
            "seed " + seed);
      }
    }
  }

  @Test
  void messages_sent_before_the_script_has_loaded_arrive_in_order() {
    assertLog(
        List.of("0,1,2,3,4,5,6,7"),
        scenario ->
            scenario
                .resource(
                    "/w.js",
                    "onconnect = e => { e.source.onmessage = m => e.source.postMessage(m.data); };")
                .window(
                    """
                    const got = [];
                    const {port} = new SharedWorker('/w.js');
                    port.onmessage = e => {
                      got.push(e.data);
                      if (got.length === 8) console.log(got.join());
                    };
                    let next = 0;
                    (function more() {
                      port.postMessage(next++);
                      if (next < 8) setTimeout(more, 0);
                    })();
                    """));
  }

  @Test
  void page_can_connect_after_the_script_has_run() {
    assertLog(
        List.of("page 1", "page 2"),
        scenario ->
            scenario
                .resource("/w.js", COUNTER)
                .window(
                    """
                    const connect = then => {
                      new SharedWorker('/w.js').port.onmessage = e => { console.log(e.data); then(); };
                    };
                    connect(() => setTimeout(() => connect(() => {}), 20));
                    """));
  }

  @Test
  void workers_differ_by_name_url_or_origin() {
    assertLog(
        List.of("one 1 one 2 two 1 query 1", "other origin: 1"),
        scenario ->
            scenario
                .resource("/w.js", COUNTER)
                .resource("/w.js?q", COUNTER)
                .resourceAt("https://two.test/w.js", COUNTER)
                .window(
                    """
                    const ask = (url, options) => new Promise(resolve => {
                      new SharedWorker(url, options).port.onmessage =
                          e => resolve(e.data.replace('page ', ''));
                    });
                    (async () => {
                      const one = await ask('/w.js', 'one');
                      const again = await ask('/w.js', {name: 'one'});
                      const two = await ask('/w.js', {name: 'two'});
                      const query = await ask('/w.js?q', 'one');
                      console.log('one', one, 'one', again, 'two', two, 'query', query);
                    })();
                    """)
                .runFor(1000)
                .windowAt(
                    "https://two.test",
                    """
                    new SharedWorker('/w.js', 'one').port.onmessage =
                        e => console.log(e.data.replace('page', 'other origin:'));
                    """));
  }

  @Test
  void two_user_agents_share_no_worker() {
    try (Scenario one = new Scenario(1);
        Scenario two = new Scenario(2)) {
      String page = "new SharedWorker('/w.js').port.onmessage = e => console.log(e.data);";
      assertEquals(List.of("page 1"), one.resource("/w.js", COUNTER).window(page).run());
      assertEquals(List.of("page 1"), two.resource("/w.js", COUNTER).window(page).run());
    }
  }

  @Test
  void worker_runs_until_its_last_page_is_closed() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        String page = "new SharedWorker('/w.js').port.onmessage = e => console.log(e.data);";
        scenario
            .resource("/w.js", COUNTER + "setInterval(() => console.log('tick'), 1000);")
            .window(page)
            .runFor(100)
            .window(page)
            .runFor(100)
            .closeWindow(0)
            .runFor(2000);
        assertEquals(List.of("page 1", "page 2", "tick", "tick"), scenario.log());
        scenario.closeWindow(1);
        scenario.runSteps(1000); // quiescent, so the worker has ended
        assertEquals(List.of("page 1", "page 2", "tick", "tick"), scenario.log());
        assertTrue(hasEnded(scenario, "shared-worker-2"), scenario.trace()::toString);
      }
    }
  }

  @Test
  void page_opened_after_the_last_page_closed_gets_a_new_worker() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        String page = "new SharedWorker('/w.js').port.onmessage = e => console.log(e.data);";
        scenario
            .resource("/w.js", COUNTER)
            .window(page)
            .runFor(100)
            .closeWindow(0)
            .runFor(100)
            .window(page);
        assertEquals(List.of("page 1", "page 1"), scenario.run());
      }
    }
  }

  @Test
  void page_with_only_a_transferred_port_does_not_keep_the_worker_alive() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource("/w.js", COUNTER)
            .resource(
                "/holder.js",
                """
                onconnect = e => {
                  e.source.onmessage = ({ports: [port]}) => {
                    port.onmessage = m => console.log(m.data);
                    port.onclose = () => console.log('closed');
                  };
                };
                """)
            .window(
                """
                const {port} = new SharedWorker('/w.js');
                new SharedWorker('/holder.js').port.postMessage('', [port]);
                """)
            .window("new SharedWorker('/holder.js');")
            .runFor(100)
            .closeWindow(0);
        assertEquals(List.of("page 1", "closed"), scenario.run());
      }
    }
  }

  @Test
  void worker_with_endless_timers_ends_with_its_page() {
    try (Scenario scenario = new Scenario(3)) {
      scenario
          .resource("/w.js", "onconnect = () => { (function again() { setTimeout(again); })(); };")
          .window("new SharedWorker('/w.js');")
          .runFor(50)
          .closeWindow(0)
          .runSteps(1000);
      assertTrue(hasEnded(scenario, "shared-worker-2"), scenario.trace()::toString);
    }
  }

  @Test
  void worker_starts_for_other_pages_if_its_first_page_closes_during_loading() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        String page = "new SharedWorker('/w.js').port.onmessage = e => console.log(name, e.data);";
        scenario
            .resource("/w.js", COUNTER)
            .window("name = 'first'; " + page)
            .window("name = 'second'; " + page);
        // closes it at a point of its start that depends on the seed
        for (int turn = 0; turn < 4 + seed * 4; turn++) {
          scenario.runTurn();
        }
        scenario.closeWindow(0);
        List<String> log = scenario.run();
        assertTrue(log.contains("second page 1") || log.contains("second page 2"), log::toString);
      }
    }
  }

  @Test
  void closing_worker_finishes_its_script_and_is_no_longer_shared() {
    assertLog(
        List.of("after close", "microtask", "goodbye", "page 1"),
        scenario ->
            scenario
                .resource(
                    "/w.js",
                    COUNTER
                        + """
                        const first = onconnect;
                        onconnect = e => {
                          first(e);
                          e.source.onmessage = m => {
                            setTimeout(() => console.log('never'));
                            close();
                            console.log('after close');
                            Promise.resolve().then(() => console.log('microtask'));
                            e.source.postMessage('goodbye');
                          };
                        };
                        """)
                .window(
                    """
                    const {port} = new SharedWorker('/w.js');
                    port.postMessage('close');
                    port.onmessage = e => {
                      if (e.data !== 'goodbye') return;
                      console.log(e.data);
                      new SharedWorker('/w.js').port.onmessage = m => console.log(m.data);
                    };
                    """));
  }

  @Test
  void missing_script_fires_error_at_waiting_pages_and_is_retried_later() {
    assertLog(
        List.of("error Event false false", "error Event false false", "page 1"),
        scenario -> {
          scenario
              .window(
                  """
                  for (let i = 0; i < 2; i++) {
                    new SharedWorker('/w.js').onerror = e =>
                        console.log(e.type, e.constructor.name, e.bubbles, e.cancelable);
                  }
                  setTimeout(() => {
                    new SharedWorker('/w.js').port.onmessage = e => console.log(e.data);
                  }, 1000);
                  """)
              .runFor(500);
          return scenario.resource("/w.js", COUNTER);
        });
  }

  @Test
  void script_with_a_syntax_error_fires_error_and_is_reported() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        List<UncaughtError> errors =
            scenario
                .resource("/bad.js", "console.log('never');\nthis is no script;")
                .window(
                    """
                    new SharedWorker('/bad.js').onerror = e => console.log(e.constructor.name);
                    onerror = () => console.log('never');
                    """)
                .runForErrors();
        assertEquals(List.of("Event"), scenario.log());
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.get(0).message().contains("SyntaxError"), errors::toString);
        assertTrue(hasEnded(scenario, "shared-worker-2"), scenario.trace()::toString);
      }
    }
  }

  @Test
  void exceptions_reach_the_worker_and_user_agent_but_no_page() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        List<UncaughtError> errors =
            scenario
                .resource(
                    "/w.js",
                    """
                    onerror = message => { console.log('worker: ' + message); };
                    onconnect = e => { e.source.postMessage('here'); throw new RangeError('two'); };
                    throw new TypeError('one');
                    """)
                .window(
                    """
                    const worker = new SharedWorker('/w.js');
                    worker.onerror = () => console.log('never');
                    onerror = () => console.log('never');
                    worker.port.onmessage = e => console.log(e.data);
                    """)
                .runForErrors();
        assertEquals(
            List.of("worker: Uncaught TypeError: one", "worker: Uncaught RangeError: two", "here"),
            scenario.log().stream()
                .sorted((a, b) -> a.equals("here") ? 1 : b.equals("here") ? -1 : 0)
                .toList());
        assertEquals(
            List.of("Uncaught TypeError: one", "Uncaught RangeError: two"),
            errors.stream().map(UncaughtError::message).toList());
        assertEquals(Scenario.ORIGIN + "/w.js", errors.get(0).url());
      }
    }
  }

  @Test
  void dedicated_workers_of_a_shared_worker_end_with_it() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource("/inner.js", "postMessage('inner'); setInterval(() => {}, 10);")
            .resource(
                "/outer.js",
                """
                const inner = new Worker('/inner.js');
                const hello = new Promise(resolve => { inner.onmessage = resolve; });
                onconnect = async e => e.source.postMessage((await hello).data);
                """)
            .window("new SharedWorker('/outer.js').port.onmessage = e => console.log(e.data);")
            .runFor(100)
            .closeWindow(0)
            .runSteps(1000);
        assertEquals(List.of("inner"), scenario.log());
        assertTrue(hasEnded(scenario, "shared-worker-2"), scenario.trace()::toString);
        assertTrue(hasEnded(scenario, "worker-3"), scenario.trace()::toString);
      }
    }
  }

  @Test
  void shared_workers_locks_pass_to_waiters_when_its_last_page_closes() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource(
                "/w.js",
                """
                onconnect = e => navigator.locks.request('a', () => {
                  console.log('held');
                  return new Promise(() => {});
                });
                """)
            .window("new SharedWorker('/w.js');")
            .runFor(100)
            .window("navigator.locks.request('a', () => console.log('passed on'));")
            .runFor(100);
        assertEquals(List.of("held"), scenario.log());
        scenario.closeWindow(0);
        assertEquals(List.of("held", "passed on"), scenario.run());
      }
    }
  }

  @Test
  void bad_urls_and_other_origins_are_refused_by_the_constructor() {
    assertLog(
        List.of(
            "SyntaxError Failed to construct 'SharedWorker': 'https://two test/' is not a valid"
                + " URL.",
            "SecurityError Failed to construct 'SharedWorker': The script at"
                + " 'https://two.test/w.js' is not same-origin with 'https://one.test'.",
            "TypeError"),
        scenario ->
            scenario.window(
                """
                try { new SharedWorker('https://two test/'); }
                catch (e) { console.log(e.name, e.message); }
                try { new SharedWorker('https://two.test/w.js'); }
                catch (e) { console.log(e.name, e.message); }
                try { SharedWorker('/w.js'); } catch (e) { console.log(e.name); }
                """));
  }

  @Test
  void redirect_to_another_origin_is_an_error() {
    assertLog(
        List.of("error"),
        scenario ->
            scenario
                .response(
                    Scenario.ORIGIN + "/w.js",
                    ResourceResponse.of("https://two.test/w.js", "text/javascript", COUNTER))
                .window("new SharedWorker('/w.js').onerror = e => console.log(e.type);"));
  }

  @Test
  void port_attribute_is_always_the_same_port_and_queues_messages_until_started() {
    assertLog(
        List.of("true MessagePort", "starts", "page 1"),
        scenario ->
            scenario
                .resource("/w.js", COUNTER)
                .window(
                    """
                    const worker = new SharedWorker('/w.js');
                    console.log(worker.port === worker.port, worker.port.constructor.name);
                    worker.port.addEventListener('message', e => console.log(e.data));
                    setTimeout(() => {
                      console.log('starts');
                      worker.port.start();
                    }, 100);
                    """));
  }

  @Test
  void only_windows_have_shared_workers_but_all_globals_have_dedicated_ones() {
    assertLog(
        List.of("window: function function undefined", "shared: undefined function function"),
        scenario ->
            scenario
                .resource(
                    "/w.js",
                    """
                    console.log('shared:', typeof SharedWorker, typeof Worker,
                        typeof SharedWorkerGlobalScope);
                    """)
                .window(
                    """
                    console.log('window:', typeof SharedWorker, typeof Worker,
                        typeof SharedWorkerGlobalScope);
                    new SharedWorker('/w.js');
                    """));
  }
}
