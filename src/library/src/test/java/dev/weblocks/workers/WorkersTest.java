package dev.weblocks.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dedicated workers as their owners and their own scripts see them, under several schedules. */
class WorkersTest {

  private static final int SEEDS = TestSize.seeds(10);

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

  @Test
  void messages_sent_before_the_script_has_loaded_arrive_in_order() {
    assertLog(
        List.of("0,1,2,3,4,5,6,7,8,9"),
        scenario ->
            scenario
                .resource("/echo.js", "onmessage = e => postMessage(e.data);")
                .window(
                    """
                    const got = [];
                    const worker = new Worker('/echo.js');
                    worker.onmessage = e => {
                      got.push(e.data);
                      if (got.length === 10) console.log(got.join());
                    };
                    for (let i = 0; i < 3; i++) worker.postMessage(i);
                    Promise.resolve().then(() => {
                      for (let i = 3; i < 5; i++) worker.postMessage(i);
                      setTimeout(() => { for (let i = 5; i < 10; i++) worker.postMessage(i); });
                    });
                    """));
  }

  @Test
  void messages_sent_while_the_script_starts_keep_their_order() {
    for (int seed = 0; seed < TestSize.seeds(100); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .resource("/echo.js", "onmessage = e => postMessage(e.data);")
            .window(
                """
                const got = [];
                const worker = new Worker('/echo.js');
                worker.onmessage = e => {
                  got.push(e.data);
                  if (got.length === 12) console.log(got.join());
                };
                let next = 0;
                (function more() {
                  worker.postMessage(next++);
                  if (next < 12) setTimeout(more, 0);
                })();
                """);
        assertEquals(List.of("0,1,2,3,4,5,6,7,8,9,10,11"), scenario.run(), "seed " + seed);
      }
    }
  }

  @Test
  void messages_that_arrive_during_the_script_wait_for_its_end() {
    assertLog(
        List.of("top level ends", "message"),
        scenario ->
            scenario
                .resource(
                    "/script.js",
                    """
                    onmessage = e => console.log(e.data);
                    Promise.resolve().then(() => console.log('top level ends'));
                    """)
                .window("new Worker('/script.js').postMessage('message');"));
  }

  @Test
  void error_in_a_worker_propagates_to_owner_window_and_embedder() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        List<UncaughtError> errors =
            scenario
                .resource(
                    "/broken.js",
                    """
                    onerror = (...a) => { console.log('worker ' + a.length + ' ' + a[0]); };
                    throw new TypeError('mine');
                    """)
                .window(
                    """
                    new Worker('/broken.js').onerror = e => console.log('owner', e.message,
                        e.filename.endsWith('/broken.js'), e.lineno, e.error, e instanceof ErrorEvent);
                    onerror = (message, file, line, column, error) => console.log('window', message,
                        error);
                    """)
                .runForErrors();
        assertEquals(
            List.of(
                "worker 5 Uncaught TypeError: mine",
                "owner Uncaught TypeError: mine true 2 null true",
                "window Uncaught TypeError: mine null"),
            scenario.log());
        assertEquals(
            List.of("Uncaught TypeError: mine"),
            errors.stream().map(UncaughtError::message).toList());
      }
    }
  }

  @Test
  void handled_error_does_not_propagate_further() {
    assertLog(
        List.of("worker", "second worker", "owner of second", "third owner", "window"),
        scenario ->
            scenario
                .resource(
                    "/one.js", "onerror = () => { console.log('worker'); return true; }; throw 1;")
                .resource("/two.js", "onerror = () => { console.log('second worker'); }; throw 2;")
                .resource("/three.js", "throw 3;")
                .window(
                    """
                    onerror = () => { console.log('window'); return true; };
                    const one = new Worker('/one.js');
                    one.onerror = () => console.log('never');
                    setTimeout(() => {
                      const two = new Worker('/two.js');
                      two.onerror = e => { console.log('owner of second'); e.preventDefault(); };
                    }, 10);
                    setTimeout(() => {
                      const three = new Worker('/three.js');
                      three.addEventListener('error', () => console.log('third owner'));
                    }, 20);
                    """));
  }

  @Test
  void error_of_a_nested_worker_propagates_through_all_owners() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        List<UncaughtError> errors =
            scenario
                .resource("/inner.js", "throw new Error('deep');")
                .resource(
                    "/outer.js",
                    """
                    onerror = m => { console.log('outer global ' + m); };
                    new Worker('/inner.js').onerror = e => console.log('inner worker ' + e.message);
                    """)
                .window(
                    "new Worker('/outer.js').onerror = e => console.log('outer worker ' + e.message);")
                .runForErrors();
        assertEquals(
            List.of(
                "inner worker Uncaught Error: deep",
                "outer global Uncaught Error: deep",
                "outer worker Uncaught Error: deep"),
            scenario.log());
        assertEquals(1, errors.size(), errors.toString());
      }
    }
  }

  @Test
  void worker_continues_after_an_error_in_a_callback() {
    assertLog(
        List.of("still here"),
        scenario ->
            scenario
                .resource(
                    "/script.js",
                    """
                    onerror = () => true;
                    onmessage = e => { if (e.data) throw e.data; postMessage('still here'); };
                    """)
                .window(
                    """
                    const worker = new Worker('/script.js');
                    worker.onmessage = e => console.log(e.data);
                    worker.postMessage(1);
                    worker.postMessage(0);
                    """));
  }

  @Test
  void missing_script_fires_an_error_event_without_details() {
    assertLog(
        List.of("error Event false false"),
        scenario ->
            scenario.window(
                """
                const worker = new Worker('/missing.js');
                worker.onerror = e => console.log(e.type, e.constructor.name, e.bubbles, e.cancelable);
                worker.postMessage('to nobody');
                """));
  }

  @Test
  void script_of_another_origin_causes_a_security_error() {
    assertLog(
        List.of("SecurityError true 18", "SyntaxError 12"),
        scenario ->
            scenario
                .resourceAt("https://two.test/w.js", "console.log('never');")
                .window(
                    """
                    try { new Worker('https://two.test/w.js'); }
                    catch (e) { console.log(e.name, e instanceof DOMException, e.code); }
                    try { new Worker('https://two test/'); }
                    catch (e) { console.log(e.name, e.code); }
                    """));
  }

  @Test
  void syntax_error_in_a_script_is_reported_with_its_position() {
    assertLog(
        List.of("true /bad.js 2"),
        scenario ->
            scenario
                .resource("/bad.js", "var fine;\nthis is no script;")
                .window(
                    """
                    new Worker('/bad.js').onerror = e => {
                      console.log(e.message.startsWith('Uncaught SyntaxError'),
                          new String(e.filename).replace(origin, ''), e.lineno);
                      e.preventDefault();
                    };
                    """));
  }

  @Test
  void imported_scripts_share_globals_and_run_in_order() {
    assertLog(
        List.of("one,two shared 3 lexical"),
        scenario ->
            scenario
                .resource(
                    "/lib/one.js", "var order = ['one']; function add(a, b) { return a + b; }")
                .resource("/lib/two.js", "order.push('two'); let lexical = 'lexical';")
                .resource(
                    "/main.js",
                    """
                    var mine = 'shared';
                    importScripts();
                    importScripts('/lib/one.js', 'lib/two.js');
                    postMessage(order.join() + ' ' + mine + ' ' + add(1, 2) + ' ' + lexical);
                    """)
                .window("new Worker('/main.js').onmessage = e => console.log(e.data);"));
  }

  @Test
  void missing_import_throws_a_network_error_after_earlier_imports_ran() {
    assertLog(
        List.of("NetworkError true 19 there"),
        scenario ->
            scenario
                .resource("/there.js", "var there = 'there';")
                .resource(
                    "/main.js",
                    """
                    try { importScripts('/there.js', '/missing.js', '/there.js'); }
                    catch (e) { postMessage([e.name, e instanceof DOMException, e.code, there].join(' ')); }
                    """)
                .window("new Worker('/main.js').onmessage = e => console.log(e.data);"));
  }

  @Test
  void import_scripts_rethrows_exceptions_and_runs_nothing_if_a_url_is_invalid() {
    assertLog(
        List.of("RangeError true", "SyntaxError undefined"),
        scenario ->
            scenario
                .resource("/throws.js", "throw new RangeError('mine');")
                .resource("/runs.js", "var ran = true;")
                .resource(
                    "/main.js",
                    """
                    try { importScripts('/throws.js'); }
                    catch (e) { postMessage(e.name + ' ' + (e instanceof RangeError)); }
                    try { importScripts('/runs.js', 'https://two test/'); }
                    catch (e) { postMessage(e.name + ' ' + typeof ran); }
                    """)
                .window("new Worker('/main.js').onmessage = e => console.log(e.data);"));
  }

  @Test
  void terminated_worker_neither_sends_nor_receives_messages() {
    assertLog(
        List.of("ready", "end"),
        scenario ->
            scenario
                .resource(
                    "/script.js", "onmessage = () => postMessage('never'); postMessage('ready');")
                .window(
                    """
                    const worker = new Worker('/script.js');
                    worker.onmessage = e => {
                      console.log(e.data);
                      worker.terminate();
                      worker.terminate();
                      worker.postMessage(1);
                      setTimeout(() => console.log('end'), 50);
                    };
                    """));
  }

  @Test
  void worker_that_is_terminated_before_its_script_has_loaded_never_runs() {
    assertLog(
        List.of("end"),
        scenario ->
            scenario
                .resource("/script.js", "console.log('never');")
                .window(
                    """
                    new Worker('/script.js').terminate();
                    setTimeout(() => console.log('end'), 50);
                    """));
  }

  @Test
  void close_finishes_script_and_microtasks_and_drops_later_tasks() {
    assertLog(
        List.of("after close", "microtask", "message sent after close"),
        scenario ->
            scenario
                .resource(
                    "/script.js",
                    """
                    setTimeout(() => console.log('never'));
                    onmessage = () => console.log('never, too');
                    close();
                    console.log('after close');
                    Promise.resolve().then(() => console.log('microtask'));
                    postMessage('message sent after close');
                    """)
                .window(
                    """
                    const worker = new Worker('/script.js');
                    worker.postMessage(1);
                    worker.onmessage = e => console.log(e.data);
                    """));
  }

  @Test
  void close_in_a_callback_passes_on_the_lock_when_the_script_ends() {
    assertLog(
        List.of("script ends", "passed on", "held passed"),
        scenario ->
            scenario
                .resource(
                    "/script.js",
                    """
                    navigator.locks.request('a', () => {
                      postMessage('held');
                      close();
                      setTimeout(() => console.log('never'));
                      console.log('script ends');
                      return new Promise(() => {});
                    });
                    """)
                .window(
                    """
                    new Worker('/script.js').onmessage = () => {
                      navigator.locks.request('a', async () => {
                        console.log('passed on');
                        const {held} = await navigator.locks.query();
                        console.log('held ' + (held.length === 1 ? 'passed' : held.length));
                      });
                    };
                    """));
  }

  @Test
  void worker_waiting_for_an_import_can_be_terminated_while_its_owner_continues() {
    assertLog(
        List.of("imports", "passed on", "owner goes on"),
        scenario ->
            scenario
                .resourceThatHangs("/never.js")
                .resource(
                    "/imports.js",
                    """
                    navigator.locks.request('a', () => {
                      console.log('imports');
                      postMessage('imports');
                      try { importScripts('/never.js'); }
                      catch (e) { console.log('caught ' + e); }
                      finally { console.log('finally'); }
                    });
                    """)
                .window(
                    """
                    const worker = new Worker('/imports.js');
                    worker.onmessage = () => {
                      navigator.locks.request('a', () => console.log('passed on'));
                      setTimeout(() => worker.terminate(), 5);
                      setTimeout(() => console.log('owner goes on'), 20);
                    };
                    """));
  }

  @Test
  void nested_workers_end_with_their_owner_and_release_their_locks() {
    assertLog(
        List.of("both passed on"),
        scenario ->
            scenario
                .resource(
                    "/inner.js",
                    """
                    navigator.locks.request('inner', () => {
                      postMessage('held');
                      return new Promise(() => {});
                    });
                    """)
                .resource(
                    "/outer.js",
                    """
                    navigator.locks.request('outer', () => new Promise(() => {}));
                    new Worker('/inner.js').onmessage = () => postMessage('ready');
                    """)
                .window(
                    """
                    const worker = new Worker('/outer.js');
                    worker.onmessage = () => {
                      Promise.all(['inner', 'outer'].map(
                          name => navigator.locks.request(name, () => {})))
                          .then(() => console.log('both passed on'));
                      worker.terminate();
                    };
                    """));
  }

  @Test
  void worker_global_scope_has_name_and_location_but_no_window_or_document() {
    assertLog(
        List.of("my name|/w.js?q=1|true|true|true|undefined|undefined"),
        scenario ->
            scenario
                .resource(
                    "/w.js?q=1",
                    """
                    postMessage([name, location.pathname + location.search, self === globalThis,
                        self instanceof DedicatedWorkerGlobalScope, isSecureContext,
                        typeof window, typeof document].join('|'));
                    """)
                .window(
                    """
                    new Worker('/w.js?q=1', {name: 'my name'}).onmessage = e => console.log(e.data);
                    """));
  }

  @Test
  void uncloneable_data_is_refused_in_the_owner_and_in_the_worker() {
    assertLog(
        List.of("owner DataCloneError 25", "worker DataCloneError 25", "done"),
        scenario ->
            scenario
                .resource(
                    "/w.js",
                    """
                    onmessage = () => {
                      try { postMessage(() => {}); }
                      catch (e) { postMessage('worker ' + e.name + ' ' + e.code); }
                      postMessage('done');
                    };
                    """)
                .window(
                    """
                    const worker = new Worker('/w.js');
                    worker.onmessage = e => console.log(e.data);
                    try { worker.postMessage(Symbol()); }
                    catch (e) { console.log('owner', e.name, e.code); }
                    worker.postMessage(1);
                    """));
  }

  @Test
  void failing_workers_do_not_affect_others() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/fine.js", "onmessage = e => postMessage(e.data * 2);")
          .resource("/fails.js", "throw new Error('mine');")
          .window(
              """
              onerror = () => true;
              let sum = 0, count = 0;
              for (let i = 1; i <= 30; i++) {
                new Worker('/fails.js');
                const worker = new Worker('/fine.js');
                worker.postMessage(i);
                worker.onmessage = e => {
                  sum += e.data;
                  if (++count === 30) console.log(String(sum));
                };
              }
              """);
      assertEquals(List.of("930"), scenario.run());
      assertTrue(scenario.errors().isEmpty());
    }
  }

  @Test
  void messages_in_flight_at_terminate_never_arrive() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource(
          "/posts.js", "for (let i = 0; i < 5; i++) postMessage(i); console.log('all sent');");
      assertEquals(
          List.of("all sent", "got 0", "got 1"),
          scenario
              .window(
                  """
                  const worker = new Worker('/posts.js');
                  worker.onmessage = ({data}) => {
                    console.log('got ' + data);
                    if (data === 1) worker.terminate();
                  };
                  """)
              .run());
    }
  }
}
