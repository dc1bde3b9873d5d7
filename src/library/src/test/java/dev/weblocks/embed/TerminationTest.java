package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.TraceEvent;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of agents on real threads, wherever their script is. */
@Tag("alone")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TerminationTest {

  private static final String LOOP = "while (true) {}";

  @Test
  void window_in_an_endless_loop_is_closed_and_frees_its_thread() throws Exception {
    try (Pool pool = new Pool(1)) {
      Window window = pool.window("console.log('begins');" + LOOP);
      pool.expect("begins");
      window.close();
      Pool.await(window.ended());
      pool.window("console.log('another')");
      pool.expect("another");
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void window_in_endless_microtasks_is_closed() throws Exception {
    try (Pool pool = new Pool(1)) {
      Window window =
          pool.window("console.log('begins'); (function f() { Promise.resolve().then(f); })();");
      pool.expect("begins");
      window.close();
      Pool.await(window.ended());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void loaded_stage_fails_if_the_window_closes_before_it_has_loaded() throws Exception {
    try (Pool pool = new Pool(1)) {
      Window window = pool.window(LOOP);
      window.close();
      Throwable failure =
          window
              .loaded()
              .handle((done, why) -> why)
              .toCompletableFuture()
              .get(60, TimeUnit.SECONDS);
      assertTrue(failure.getMessage().contains("was closed before"), failure.toString());
    }
  }

  @Test
  void script_cannot_catch_its_termination() throws Exception {
    try (Pool pool = new Pool(2)) {
      Window window =
          pool.window(
              """
              console.log('begins');
              while (true) {
                try { while (true) {} }
                catch (e) { console.log('caught ' + e); }
                finally { console.log('finally'); }
              }
              """);
      pool.expect("begins");
      window.close();
      Pool.await(window.ended());
      assertEquals(List.of(), pool.rest());
    }
  }

  @Test
  void worker_in_an_endless_loop_is_terminated_by_its_owner() throws Exception {
    try (Pool pool = new Pool(2)) {
      pool.resource("/loop.js", "postMessage('begins');" + LOOP);
      pool.window(
          """
          const worker = new Worker('/loop.js');
          worker.onmessage = e => { console.log(e.data); worker.terminate(); console.log('on'); };
          """);
      pool.expect("begins");
      pool.expect("on");
      pool.closeUserAgent();
      assertEquals(Set.of(), pool.agents());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void lock_of_a_spinning_worker_is_released_after_the_workers_context_stopped() throws Exception {
    try (Pool pool = new Pool(3)) {
      pool.resource(
          "/loop.js", "navigator.locks.request('a', () => { postMessage('held'); " + LOOP + " });");
      pool.window(
          """
          const worker = new Worker('/loop.js');
          worker.onmessage = () => console.log('held');
                  setTimeout(function wait() {
            navigator.locks.query().then(s => {
              if (s.pending.some(l => l.name === 'a')) worker.terminate();
              else setTimeout(wait, 1);
            });
          });
          """);
      pool.expect("held");
      pool.window("navigator.locks.request('a', () => console.log('passed on'));");
      pool.expect("passed on");
      List<TraceEvent> trace = pool.trace();
      int ended = -1;
      int lastGrant = -1;
      for (int i = 0; i < trace.size(); i++) {
        TraceEvent event = trace.get(i);
        if (event.actor().startsWith("worker") && event.detail().equals("has ended")) {
          ended = i;
        } else if (event.detail().startsWith("Granted")) {
          lastGrant = i;
        }
      }
      assertTrue(ended >= 0 && ended < lastGrant, "ended " + ended + ", granted " + lastGrant);
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void worker_in_a_hanging_import_is_terminated() throws Exception {
    try (Pool pool = new Pool(1)) {
      pool.resourceThatHangs("/never.js");
      pool.resource("/waits.js", "console.log('waits'); importScripts('/never.js');");
      Window window = pool.window("new Worker('/waits.js');");
      pool.expect("waits");
      window.close();
      Pool.await(window.ended());
      pool.closeUserAgent();
      assertEquals(Set.of(), pool.agents());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void worker_whose_script_never_loads_ends_with_its_owner() throws Exception {
    try (Pool pool = new Pool(1)) {
      pool.resourceThatHangs("/never.js");
      Window window = pool.window("new Worker('/never.js'); console.log('begins');");
      pool.expect("begins");
      window.close();
      Pool.await(window.ended());
    }
  }

  @Test
  void user_agent_closes_while_twenty_agents_are_busy() throws Exception {
    try (Pool pool = new Pool(2)) {
      for (int i = 0; i < 20; i++) {
        pool.window(
            """
            console.log('begins');
            let n = 0;
            (function busy() {
              for (let i = 0; i < 1000; i++) n += i;
              navigator.locks.request('a', {mode: 'shared'}, () => {}).then(busy);
            })();
            """);
      }
      for (int i = 0; i < 20; i++) {
        pool.expect("begins");
      }
      pool.closeUserAgent();
      assertEquals(Set.of(), pool.agents());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void user_agent_closes_while_every_thread_is_in_an_endless_loop() throws Exception {
    try (Pool pool = new Pool(2)) {
      for (int i = 0; i < 20; i++) {
        pool.window("console.log('begins');" + LOOP);
      }
      pool.expect("begins");
      pool.expect("begins");
      pool.closeUserAgent();
      assertEquals(Set.of(), pool.agents());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void nested_workers_end_with_the_owner_and_release_their_locks() throws Exception {
    try (Pool pool = new Pool(2)) {
      String hold = "navigator.locks.request('%s', () => { %s; return new Promise(() => {}); });";
      pool.resource("/third.js", hold.formatted("third", "console.log('all held')"));
      pool.resource("/second.js", hold.formatted("second", "new Worker('/third.js')"));
      pool.resource("/first.js", hold.formatted("first", "new Worker('/second.js')"));
      Window owner = pool.window("new Worker('/first.js');");
      pool.expect("all held");
      pool.window(
          """
          Promise.all(['first', 'second', 'third'].map(n => navigator.locks.request(n, () => {})))
              .then(() => console.log('all passed on'));
          console.log('waiting');
          """);
      pool.expect("waiting");
      owner.close();
      pool.expect("all passed on");
      assertEquals(Set.of("window-5"), pool.agents());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void worker_that_closes_itself_in_a_callback_runs_no_later_task() throws Exception {
    try (Pool pool = new Pool(2)) {
      pool.resource(
          "/closes.js",
          """
          navigator.locks.request('a', () => {
            setTimeout(() => console.log('never'));
            console.log('holds');
            close();
            let n = 0;
            for (let i = 0; i < 100000; i++) n += i;
            console.log('script ends ' + n);
            Promise.resolve().then(() => console.log('microtask'));
            return new Promise(() => {});
          });
          """);
      pool.window(
          """
          new Worker('/closes.js');
          console.log('window');
          """);
      pool.expect("window");
      pool.expect("holds");
      pool.window("navigator.locks.request('a', () => console.log('passed on'));");
      pool.expect("script ends 4999950000");
      pool.expect("microtask");
      pool.expect("passed on");
      pool.closeUserAgent();
      assertEquals(List.of(), pool.rest());
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void end_of_one_agent_does_not_affect_running_script_of_another() throws Exception {
    try (Pool pool = new Pool(2)) {
      Window loop = pool.window("console.log('loop');" + LOOP);
      pool.expect("loop");
      pool.window(
          """
          console.log('computes');
          navigator.locks.request('gate', () => {
            let n = 0;
            for (let i = 0; i < 300000; i++) n = (n * 31 + i) | 0;
            console.log('result ' + n);
          });
          """);
      pool.expect("computes");
      loop.close();
      int n = 0;
      for (int i = 0; i < 300000; i++) {
        n = n * 31 + i;
      }
      pool.expect("result " + n);
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void user_agents_that_share_driver_and_engine_end_separately() throws Exception {
    try (Driver driver = Driver.threadPool(2);
        Environment environment = Environment.create()) {
      java.util.concurrent.BlockingQueue<String> console =
          new java.util.concurrent.LinkedBlockingQueue<>();
      List<UserAgent> both = new ArrayList<>();
      for (String script :
          List.of(
              "console.log('loop'); while (true) {}",
              "onload = () => setTimeout(() => console.log('alive'), 50)")) {
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .consoleListener(message -> console.add(message.text()))
                .resourceLoader(request ->
                    java.util.concurrent.CompletableFuture.completedFuture(
                        ResourceResponse.of(
                            request.url(), "text/html", "<script>" + script + "</script>")))
                .build();
        both.add(userAgent);
      }
      both.get(0).open("https://one.test/");
      assertEquals("loop", console.poll(60, TimeUnit.SECONDS));
      both.get(1).open("https://one.test/");
      both.get(0).close();
      assertEquals("alive", console.poll(60, TimeUnit.SECONDS));
      both.get(1).close();
    }
  }

  @Test
  void agents_that_end_at_random_leave_no_lock_and_starve_no_agent() throws Exception {
    SplittableRandom random = new SplittableRandom(20250924);
    int ownerCount = TestSize.of(4, 10);
    try (Pool pool = new Pool(6)) {
      pool.resource(
          "/contender.js",
          """
          onmessage = ({data: {seed, spins}}) => {
            let n = seed;
            let told = 0;
            const random = limit => ((n = (n * 1103515245 + 12345) & 0x7fffffff) >> 8) % limit;
            const contend = () => {
              const name = 'name' + random(10);
              const mode = random(3) ? 'exclusive' : 'shared';
              navigator.locks.request(name, {mode}, async () => {
                if (told++ < 3) console.log('granted');
                for (let i = random(3); i > 0; i--) await null;
                if (random(200) === 0) return new Promise(() => {});
                if (random(30) === 0) throw new Error('mine');
                if (random(40) === 0) navigator.locks.request(name, {steal: true}, () => {}).catch(() => {});
                if (random(120) === 0) close();
              }).catch(() => {}).then(contend);
            };
            contend();
            if (spins) navigator.locks.request('spin' + seed, () => { while (true) {} });
          };
          """);
      List<Window> owners = new ArrayList<>();
      for (int i = 0; i < ownerCount; i++) {
        owners.add(
            pool.window(
                """
                for (let i = 0; i < 29; i++) {
                  const worker = new Worker('/contender.js');
                  worker.postMessage({seed: %d + i * 7919, spins: %b && i === 7});
                  if (i %% 3 === 0) {
                    navigator.locks.request('name' + i %% 10, () => worker.terminate()).catch(() => {});
                  }
                }
                console.log('created');
                """
                    .formatted(random.nextInt(1_000_000), i < 3)));
        pool.window("console.log('hardly begun')").close();
      }
      // steals locks that are held for ever, so that the other agents make progress until their end
      Window thief =
          pool.window(
              """
              let i = 0;
              setInterval(() => navigator.locks.request('name' + i++ % 10, {steal: true}, () => {}).catch(() => {}), 1);
              """);
      int created = 0;
      int granted = 0;
      while (created < ownerCount || granted < 30 * ownerCount) {
        switch (pool.next()) {
          case "created" -> created++;
          case "granted" -> granted++;
          default -> {} // of a window that was closed
        }
      }
      List<Window> left = new ArrayList<>(owners);
      while (!left.isEmpty()) {
        pool.awaitGrants(random.nextInt(1, 500));
        left.remove(random.nextInt(left.size())).close();
      }
      thief.close();
      for (Window owner : owners) {
        Pool.await(owner.ended());
      }
      Pool.await(thief.ended());
      pool.window(
          """
          const names = Array.from({length: 10}, (_, i) => 'name' + i);
          (async () => {
            await Promise.all(names.map(name => navigator.locks.request(name, () => {})));
            console.log('nobody starves');
            // workers that spin end after their window
            let s;
            do s = await navigator.locks.query(); while (s.held.length + s.pending.length > 0);
            console.log('no lock is left');
          })();
          """);
      String line = pool.next();
      while (line.equals("hardly begun") || line.equals("granted")) {
        line = pool.next();
      }
      assertEquals("nobody starves", line);
      pool.expect("no lock is left");
      List<TraceEvent> trace = pool.trace();
      long workers =
          trace.stream()
              .filter(event -> event.actor().startsWith("worker"))
              .map(TraceEvent::actor)
              .distinct()
              .count();
      assertEquals(29 * ownerCount, workers);
      assertEquals(List.of(), pool.errors());
    }
  }
}
