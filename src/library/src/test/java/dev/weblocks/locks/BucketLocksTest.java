package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The locks of storage buckets. */
class BucketLocksTest {

  private static void forEachSeed(Consumer<Scenario> steps) {
    for (int seed = 0; seed < TestSize.seeds(8); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        steps.accept(scenario);
      }
    }
  }

  private static String async(String script) {
    return "(async () => {" + script + "})();";
  }

  @Test
  void each_environment_has_one_lock_manager_object_per_bucket() {
    forEachSeed(scenario ->
        assertEquals(
            List.of("true true false false true true"),
            scenario
                .window(
                    async(
                        """
                        const open = n => navigator.storageBuckets.open(n);
                        const [a, again, b] = [await open('a'), await open('a'), await open('b')];
                        console.log([a.locks === a.locks, a.locks === again.locks, a.locks === b.locks,
                            a.locks === navigator.locks, navigator.locks === navigator.locks,
                            a.locks instanceof LockManager].join(' '));
                        """))
                .run()));
  }

  @Test
  void names_conflict_within_a_bucket_across_agents_but_not_between_buckets() {
    forEachSeed(scenario -> {
      scenario.window(
          async(
              """
              const a = await navigator.storageBuckets.open('a');
              await a.locks.request('l', () => { console.log('held'); return new Promise(() => {}); });
              """));
      scenario.run();
      scenario
          .resource(
              "/w.js",
              async(
                  """
                  const free = (manager) => manager.request('l', {ifAvailable: true}, l => l !== null);
                  const a = await navigator.storageBuckets.open('a');
                  const b = await navigator.storageBuckets.open('b');
                  const d = await navigator.storageBuckets.open('default');
                  console.log([await free(navigator.locks), await free(a.locks), await free(b.locks),
                      await free(d.locks)].join(' '));
                  console.log([(await navigator.locks.query()).held.length,
                      (await a.locks.query()).held.length, (await b.locks.query()).held.length].join(' '));
                  """))
          .window("new Worker('/w.js')");
      scenario.windowAt(
          "https://two.test",
          async(
              """
              const a = await navigator.storageBuckets.open('a');
              console.log('two ' + await a.locks.request('l', {ifAvailable: true}, l => l !== null));
              """));
      List<String> log = scenario.run();
      assertEquals(
          List.of("held", "true false true true", "0 1 0"),
          log.stream().filter(line -> !line.startsWith("two")).toList());
      assertEquals(List.of("two true"), log.stream().filter(l -> l.startsWith("two")).toList());
    });
  }

  @Test
  void lock_manager_of_a_deleted_bucket_rejects_requests_and_queries() {
    forEachSeed(scenario ->
        assertEquals(
            List.of("true", "InvalidStateError", "InvalidStateError", "true"),
            scenario
                .window(
                    async(
                        """
                        const a = await navigator.storageBuckets.open('a');
                        const {locks} = a;
                        await navigator.storageBuckets.delete('a');
                        console.log(String(a.locks === locks));
                        for (const f of [() => locks.request('l', () => {}), () => locks.query()]) {
                          try { await f(); } catch (e) { console.log(e.name); }
                        }
                        const again = await navigator.storageBuckets.open('a');
                        console.log(String(await again.locks.request('l', l => again.locks !== locks)));
                        """))
                .run()));
  }

  @Test
  void locks_and_requests_of_a_deleted_bucket_stay_valid() {
    forEachSeed(scenario -> {
      scenario.window(
          async(
              """
              const a = await navigator.storageBuckets.open('a');
              let release;
              onstorage = e => { console.log('holder releases'); release('done'); };
              await a.locks.request('l', () => {
                console.log('held');
                return new Promise(r => { release = r; });
              }).then(v => console.log('holder is ' + v));
              """));
      scenario.run();
      scenario.window(
          async(
              """
              const a = await navigator.storageBuckets.open('a');
              a.locks.request('l', () => console.log('waiter granted'));
              """));
      scenario.run();
      scenario.window(
          async(
              """
              await navigator.storageBuckets.delete('a');
              const a = await navigator.storageBuckets.open('a');
              await a.locks.request('l', {ifAvailable: true}, l => console.log('new bucket ' + l.name));
              console.log('held here ' + (await a.locks.query()).held.length);
              localStorage.go = 1;
              """));
      List<String> log = scenario.run();
      assertEquals(
          List.of("held", "new bucket l", "held here 0", "holder releases"), log.subList(0, 4));
      assertEquals(
          List.of("holder is done", "waiter granted"),
          log.subList(4, log.size()).stream().sorted().toList());
    });
  }

  @Test
  void locks_in_a_deleted_bucket_end_with_their_agent() {
    forEachSeed(scenario -> {
      scenario
          .window(
              async(
                  """
                  const a = await navigator.storageBuckets.open('a');
                  await a.locks.request('l', () => { console.log('held'); return new Promise(() => {}); });
                  """))
          .run();
      scenario
          .window(
              async(
                  """
                  const a = await navigator.storageBuckets.open('a');
                  await a.locks.request('l', () => console.log('waiter granted'));
                  """))
          .run();
      scenario.window("navigator.storageBuckets.delete('a').then(() => console.log('deleted'))");
      scenario.run();
      scenario.closeWindow(0);
      assertEquals(List.of("held", "deleted", "waiter granted"), scenario.run());
    });
  }

  @Test
  void abort_and_steal_work_in_a_bucket() {
    forEachSeed(scenario ->
        assertEquals(
            List.of("AbortError", "AbortError", "stolen"),
            scenario
                .window(
                    async(
                        """
                        const {locks} = await navigator.storageBuckets.open('a');
                        const held = locks.request('l', () => new Promise(() => {}));
                        const controller = new AbortController();
                        const waiting = locks.request('l', {signal: controller.signal}, () => {});
                        setTimeout(() => controller.abort(), 1);
                        try { await waiting; } catch (e) { console.log(e.name); }
                        const stolen = locks.request('l', {steal: true}, () => 'stolen');
                        try { await held; } catch (e) { console.log(e.name); }
                        console.log(await stolen);
                        """))
                .run()));
  }
}
