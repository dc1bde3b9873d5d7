package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.UncaughtError;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The moments at which microtasks run.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#perform-a-microtask-checkpoint">HTML</a>
 */
class MicrotaskCheckpointTest {

  @Test
  void microtasks_run_after_each_script_and_before_the_next_one() {
    assertEquals(
        List.of("script 1", "end of script 1", "microtask 1", "nested", "script 2"),
        Scenario.logOf(
            """
            console.log('script 1');
            Promise.resolve().then(() => {
              console.log('microtask 1');
              queueMicrotask(() => console.log('nested'));
            });
            console.log('end of script 1');
            </script><script>
            console.log('script 2');
            """));
  }

  @Test
  void microtasks_run_after_each_task_and_before_the_next_one() {
    assertEquals(
        List.of("timer 1", "microtask of timer 1", "timer 2", "microtask of timer 2"),
        Scenario.logOf(
            """
            for (const n of [1, 2]) {
              setTimeout(() => {
                console.log('timer ' + n);
                Promise.resolve().then(() => console.log('microtask of timer ' + n));
              }, 0);
            }
            """));
  }

  @Test
  void microtasks_run_after_each_listener_of_an_event_of_the_user_agent() {
    assertEquals(
        List.of("listener 1", "microtask 1", "listener 2", "microtask 2", "onload", "microtask 3"),
        Scenario.logOf(
            """
            const log = (n, text) => {
              console.log(text);
              Promise.resolve().then(() => console.log('microtask ' + n));
            };
            addEventListener('load', () => log(1, 'listener 1'));
            addEventListener('load', {handleEvent() { log(2, 'listener 2'); }});
            onload = () => log(3, 'onload');
            """));
  }

  @Test
  void microtasks_wait_for_the_end_of_the_dispatching_script() {
    assertEquals(
        List.of("listener 1", "listener 2", "after dispatch", "microtask 1", "microtask 2"),
        Scenario.logOf(
            """
            const target = new EventTarget();
            for (const n of [1, 2]) {
              target.addEventListener('x', () => {
                console.log('listener ' + n);
                Promise.resolve().then(() => console.log('microtask ' + n));
              });
            }
            target.dispatchEvent(new Event('x'));
            console.log('after dispatch');
            """));
  }

  @Test
  void nested_dispatch_by_a_listener_runs_no_microtask_in_between() {
    assertEquals(
        List.of(
            "outer begins",
            "inner 1",
            "inner 2",
            "outer ends",
            "microtask of outer",
            "microtask of inner 1",
            "microtask of inner 2",
            "second outer"),
        Scenario.logOf(
            """
            const target = new EventTarget();
            for (const n of [1, 2]) {
              target.addEventListener('x', () => {
                console.log('inner ' + n);
                queueMicrotask(() => console.log('microtask of inner ' + n));
              });
            }
            addEventListener('load', () => {
              console.log('outer begins');
              queueMicrotask(() => console.log('microtask of outer'));
              target.dispatchEvent(new Event('x'));
              console.log('outer ends');
            });
            addEventListener('load', () => console.log('second outer'));
            """));
  }

  @Test
  void abort_by_script_runs_no_microtasks_between_its_listeners() {
    assertEquals(
        List.of("abort 1", "abort 2", "after abort", "microtask"),
        Scenario.logOf(
            """
            const controller = new AbortController();
            controller.signal.addEventListener('abort', () => {
              console.log('abort 1');
              Promise.resolve().then(() => console.log('microtask'));
            });
            controller.signal.onabort = () => console.log('abort 2');
            controller.abort();
            console.log('after abort');
            """));
  }

  @Test
  void error_of_a_script_is_reported_before_its_microtasks_run() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .window(
              """
              addEventListener('error', e => {
                console.log('reported ' + e.message);
                e.preventDefault();
              });
              Promise.resolve().then(() => console.log('microtask'));
              throw new Error('mine');
              """)
          .run();
      assertEquals(List.of("reported Uncaught Error: mine", "microtask"), scenario.log());
    }
  }

  @Test
  void error_of_a_timer_is_reported_before_its_microtasks_run() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .window(
              """
              onerror = message => { console.log('reported ' + message); return true; };
              setTimeout(() => {
                Promise.resolve().then(() => console.log('microtask'));
                throw new Error('mine');
              });
              """)
          .run();
      assertEquals(List.of("reported Uncaught Error: mine", "microtask"), scenario.log());
    }
  }

  @Test
  void error_of_a_listener_does_not_affect_the_other_listeners() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .window(
              """
              onerror = message => { console.log('reported ' + message); return true; };
              addEventListener('load', () => {
                Promise.resolve().then(() => console.log('microtask'));
                throw new Error('mine');
              });
              addEventListener('load', () => console.log('second listener'));
              """)
          .run();
      assertEquals(
          List.of("reported Uncaught Error: mine", "microtask", "second listener"), scenario.log());
    }
  }

  @Test
  void error_of_a_microtask_is_reported_and_the_next_microtask_runs() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .window(
              """
              onerror = message => { console.log('reported ' + message); return true; };
              queueMicrotask(() => { throw new Error('mine'); });
              queueMicrotask(() => console.log('next microtask'));
              """)
          .run();
      assertEquals(List.of("reported Uncaught Error: mine", "next microtask"), scenario.log());
    }
  }

  @Test
  void microtasks_run_after_a_lock_callback_and_before_the_next_grant() {
    assertEquals(
        List.of("callback 1", "microtask 1", "callback 2", "microtask 2"),
        Scenario.logOf(
            """
            for (const n of [1, 2]) {
              navigator.locks.request('a', {mode: 'shared'}, () => {
                console.log('callback ' + n);
                Promise.resolve().then(() => console.log('microtask ' + n));
                return new Promise(() => {});
              });
            }
            """));
  }

  @Test
  void microtasks_of_a_message_run_before_the_next_message() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource("/two.js", "postMessage(1); postMessage(2);");
      scenario.window(
          """
          new Worker('/two.js').onmessage = e => {
            console.log('message ' + e.data);
            Promise.resolve().then(() => console.log('microtask ' + e.data));
          };
          """);
      assertEquals(List.of("message 1", "microtask 1", "message 2", "microtask 2"), scenario.run());
    }
  }

  @Test
  void only_rejections_still_unhandled_after_the_microtasks_are_reported() {
    assertEquals(
        List.of("microtask", "rejection late false"),
        Scenario.logOf(
            """
            addEventListener('unhandledrejection', e => {
              console.log('rejection ' + e.reason, e.promise === handled);
              e.preventDefault();
            });
            Promise.reject('late');
            const handled = Promise.reject('handled');
            queueMicrotask(() => { console.log('microtask'); handled.catch(() => {}); });
            """));
  }

  /**
   * The engine calls such callbacks at the end of the checkpoint, and passes their exceptions on.
   */
  @Tag("alone")
  @Test
  void exception_of_a_finalization_callback_is_an_error_of_script() {
    try (Scenario scenario = Scenario.withCollector(1)) {
      scenario.window(
          """
          addEventListener('error', e => console.log(e.message, e.lineno > 0));
          const registry = new FinalizationRegistry(() => { throw new Error('of callback'); });
          registry.register({}, 1);
          setInterval(() => { console.log('tick'); }, 1);
          """);
      for (int i = 0; i < 200 && scenario.errors().isEmpty(); i++) {
        scenario.runFor(2);
        System.gc();
      }
      UncaughtError error = scenario.errors().getFirst();
      assertEquals(UncaughtError.Kind.SCRIPT, error.kind());
      assertEquals("Uncaught Error: of callback", error.message());
      List<String> log = scenario.runFor(2).log();
      assertTrue(log.contains("Uncaught Error: of callback true"), log::toString);
      assertEquals("tick", log.getLast());
    }
  }
}
