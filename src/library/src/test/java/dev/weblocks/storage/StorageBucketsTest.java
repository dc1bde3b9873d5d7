package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code navigator.storage} and {@code navigator.storageBuckets}, in windows and workers. */
class StorageBucketsTest {

  /** Returns the log of a script, which must be the same in a window and a worker. */
  private static List<String> log(String script) {
    String async = "(async () => {" + script + "})().catch(e => console.log('failed ' + e.stack));";
    List<String> window;
    try (Scenario scenario = new Scenario(1)) {
      window = scenario.window(async).run();
    }
    try (Scenario scenario = new Scenario(2)) {
      assertEquals(
          window, scenario.resource("/w.js", async).window("new Worker('/w.js')").run(), "worker");
    }
    return window;
  }

  @Test
  void storage_manager_reports_quota_usage_and_persistence() {
    assertEquals(
        List.of("10737418240 0", "false", "true", "[object StorageManager]"),
        log(
            """
            const {quota, usage} = await navigator.storage.estimate();
            console.log(quota + ' ' + usage);
            console.log(String(await navigator.storage.persisted()));
            console.log(String(navigator.storage === navigator.storage));
            console.log(String(navigator.storage));
            """));
  }

  @Test
  void estimate_includes_the_usage_of_local_storage() {
    assertEquals(
        List.of("0", "12", "0"),
        Scenario.logOf(
            """
            (async () => {
              const usage = async () => String((await navigator.storage.estimate()).usage);
              console.log(await usage());
              localStorage.key = 'val';
              sessionStorage.key = 'val';
              console.log(await usage());
              localStorage.clear();
              console.log(await usage());
            })();
            """));
  }

  @Test
  void persist_returns_false_and_is_not_exposed_in_workers() {
    assertEquals(
        List.of("false false", "false false"),
        Scenario.logOf(
            """
            (async () => {
              console.log(await navigator.storage.persist(), await navigator.storage.persisted());
              const bucket = await navigator.storageBuckets.open('a', {persisted: true});
              console.log(await bucket.persist(), await bucket.persisted());
            })();
            """));
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("undefined undefined"),
          scenario
              .resource(
                  "/w.js",
                  "console.log(StorageManager.prototype.persist, StorageBucket.prototype.persist)")
              .window("new Worker('/w.js')")
              .run());
    }
  }

  @Test
  void insecure_contexts_have_neither_storage_manager_nor_buckets() {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("false false undefined undefined undefined function"),
          scenario
              .windowAt(
                  "http://one.test",
                  """
                  console.log(['storage' in navigator, 'storageBuckets' in navigator, typeof StorageManager,
                      typeof StorageBucketManager, typeof StorageBucket, typeof Storage].join(' '));
                  """)
              .run());
    }
  }

  @Test
  void bucket_has_the_options_it_was_opened_with() {
    assertEquals(
        List.of("a false relaxed null 10737418240 0", "b false strict 99999999999999 7 0", "false"),
        log(
            """
            const show = async b => console.log([b.name, await b.persisted(), await b.durability(),
                await b.expires(), (await b.estimate()).quota, (await b.estimate()).usage].join(' ')
                .replace('  ', ' null '));
            await show(await navigator.storageBuckets.open('a'));
            await show(await navigator.storageBuckets.open('b',
                {quota: 7.9, durability: 'strict', expires: 99999999999999}));
            console.log(String(await navigator.storageBuckets.open('a') === await navigator.storageBuckets.open('a')));
            """));
  }

  @Test
  void bad_arguments_cause_type_errors() {
    assertEquals(
        List.of(
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "keys "),
        log(
            """
            const b = navigator.storageBuckets;
            for (const f of [
                () => b.open('A'), () => b.open(), () => b.open('a', {quota: 0}),
                () => b.open('a', {quota: -1}), () => b.open('a', {quota: 2 ** 53}),
                () => b.open('a', {expires: -1}), () => b.open('a', {expires: NaN}),
                () => b.open('a', {durability: 'hard'}), () => b.delete('_a'),
                () => b.open.call(navigator, 'a')]) {
              try { await f(); console.log('works'); } catch (e) { console.log(e.name); }
            }
            console.log('keys ' + await b.keys());
            """));
  }

  @Test
  void all_agents_of_an_origin_share_its_buckets() {
    for (int seed = 0; seed < TestSize.seeds(8); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .window(
                """
                navigator.storageBuckets.open('z', {durability: 'strict'})
                    .then(() => navigator.storageBuckets.open('a'))
                    .then(() => console.log('opened'));
                """)
            .run();
        scenario.windowAt(
            "https://two.test",
            "navigator.storageBuckets.keys().then(k => console.log('two ' + k))");
        scenario.run();
        scenario.window(
            """
            (async () => {
              console.log(String(await navigator.storageBuckets.keys()));
              console.log(await (await navigator.storageBuckets.open('z')).durability());
            })();
            """);
        assertEquals(List.of("opened", "two ", "a,z", "strict"), scenario.run());
      }
    }
  }

  @Test
  void promise_of_an_operation_settles_in_a_later_task() {
    assertEquals(
        List.of("after", "microtask", "opened"),
        log(
            """
            navigator.storageBuckets.open('a').then(() => console.log('opened'));
            Promise.resolve().then(() => 0).then(() => 0).then(() => console.log('microtask'));
            console.log('after');
            """));
  }

  @Test
  void objects_of_a_deleted_bucket_reject_in_every_window() {
    for (int seed = 0; seed < TestSize.seeds(8); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .window(
                """
                navigator.storageBuckets.open('a').then(b => { self.bucket = b; console.log('opened'); });
                self.onstorage = async () => {
                  console.log(bucket.name);
                  for (const m of ['persist', 'persisted', 'estimate', 'durability', 'expires', 'setExpires']) {
                    try { await bucket[m](9e15); console.log(m); } catch (e) { console.log(e.name); }
                  }
                };
                """)
            .run();
        scenario.window(
            "navigator.storageBuckets.delete('a').then(d => { console.log('deleted ' + d); localStorage.go = 1; })");
        List<String> expected = new ArrayList<>(List.of("opened", "deleted undefined", "a"));
        for (int i = 0; i < 6; i++) {
          expected.add("UnknownError");
        }
        assertEquals(expected, scenario.run());
      }
    }
  }

  @Test
  void expired_bucket_is_removed_in_virtual_time() {
    assertEquals(
        List.of("a,b", "b", "UnknownError InvalidStateError", "null"),
        log(
            """
            const now = () => performance.timeOrigin + performance.now();
            const wait = ms => new Promise(r => setTimeout(r, ms));
            const a = await navigator.storageBuckets.open('a', {expires: now() + 50});
            const b = await navigator.storageBuckets.open('b', {expires: now() + 50});
            await b.setExpires(now() + 200);
            await wait(20);
            console.log(String(await navigator.storageBuckets.keys()));
            await wait(100);
            console.log(String(await navigator.storageBuckets.keys()));
            const name = p => p.then(() => 'works', e => e.name);
            console.log(await name(a.expires()) + ' ' + await name(a.locks.query()));
            console.log(String(await (await navigator.storageBuckets.open('a')).expires()));
            """));
  }
}
