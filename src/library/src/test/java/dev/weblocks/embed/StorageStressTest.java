package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Storage and buckets among agents on real threads. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StorageStressTest {

  private static final int WINDOWS = 6;
  private static final int CHANGES = 300;

  /**
   * Each window writes its own key as often as it can and receives the events of all others; no
   * event is lost, duplicated or out of order.
   */
  @Test
  void every_window_gets_all_changes_of_the_others_in_order() throws Exception {
    try (Pool pool = new Pool(4)) {
      List<Window> windows = new ArrayList<>();
      for (int me = 0; me < WINDOWS; me++) {
        windows.add(
            pool.window(
                """
                const ME = %d, WINDOWS = %d, CHANGES = %d;
                const last = {};
                let wrong = 0, done = 0, ready = 0;
                const go = () => {
                  let n = 0;
                  (function some() {
                    for (let i = 0; i < 25 && n < CHANGES; i++) { localStorage.setItem('w' + ME, ++n); }
                    if (n < CHANGES) setTimeout(some, 0);
                  })();
                };
                onstorage = e => {
                  if (e.key === 'go') { go(); return; }
                  const before = last[e.key] ?? 0;
                  if (Number(e.newValue) !== before + 1 || Number(e.oldValue ?? 0) !== before) wrong++;
                  last[e.key] = Number(e.newValue);
                  if (last[e.key] === CHANGES && ++done === WINDOWS - 1) console.log('wrong ' + wrong);
                };
                console.log('ready');
                """
                    .formatted(me, WINDOWS, CHANGES)));
        pool.expect("ready");
      }
      Window starter = pool.window("localStorage.setItem('go', 1)");
      for (int i = 0; i < WINDOWS; i++) {
        pool.expect("wrong 0");
      }
      pool.window(
          "console.log(Object.keys(localStorage).map(k => k + localStorage[k]).sort().join())");
      Map<String, Integer> expected = new TreeMap<>();
      for (int me = 0; me < WINDOWS; me++) {
        expected.put("w" + me, CHANGES);
      }
      StringBuilder text = new StringBuilder("go1");
      expected.forEach((key, value) -> text.append(',').append(key).append(value));
      pool.expect(text.toString());
      starter.close();
      assertEquals(List.of(), pool.errors());
    }
  }

  /** A counter in localStorage is exact if each increment holds a lock of the bucket. */
  @Test
  void counter_in_local_storage_guarded_by_a_bucket_lock_loses_no_update() throws Exception {
    try (Pool pool = new Pool(4)) {
      for (int i = 0; i < WINDOWS; i++) {
        pool.window(
            """
            (async () => {
              const {locks} = await navigator.storageBuckets.open('counter');
              for (let i = 0; i < 30; i++) {
                await locks.request('c', async () => {
                  const n = Number(localStorage.n ?? 0);
                  await 0;
                  localStorage.n = n + 1;
                });
              }
              console.log('done');
            })();
            """);
      }
      for (int i = 0; i < WINDOWS; i++) {
        pool.expect("done");
      }
      pool.window("console.log(localStorage.n)");
      pool.expect(String.valueOf(WINDOWS * 30));
      assertEquals(List.of(), pool.errors());
    }
  }

  /** Buckets are made and deleted while windows use them and are killed; nothing hangs or fails. */
  @Test
  void no_lock_remains_when_buckets_are_deleted_and_windows_killed() throws Exception {
    try (Pool pool = new Pool(4)) {
      List<Window> killed = new ArrayList<>();
      for (int i = 0; i < WINDOWS; i++) {
        killed.add(
            pool.window(
                """
                console.log('begins');
                (async () => {
                  for (let n = 0; ; n++) {
                    try {
                      const bucket = await navigator.storageBuckets.open('b' + n %% 3);
                      await bucket.locks.request('l', async () => {
                        localStorage.setItem('k' + n %% 5, %d + ' ' + n);
                        await bucket.persisted();
                      });
                      await navigator.storageBuckets.delete('b' + (n + 1) %% 3);
                    } catch (e) {
                      if (e.name !== 'InvalidStateError' && e.name !== 'UnknownError') console.log(String(e));
                    }
                  }
                })();
                """
                    .formatted(i)));
      }
      for (int i = 0; i < WINDOWS; i++) {
        pool.expect("begins");
      }
      pool.awaitGrants(200);
      for (Window each : killed) {
        each.close();
        Pool.await(each.ended());
      }
      pool.window(
          """
          (async () => {
            for (const name of ['b0', 'b1', 'b2']) {
              const {locks} = await navigator.storageBuckets.open(name);
              await locks.request('l', () => {});
              const {held, pending} = await locks.query();
              console.log(name + ' ' + held.length + ' ' + pending.length);
            }
          })();
          """);
      for (String name : List.of("b0", "b1", "b2")) {
        pool.expect(name + " 0 0");
      }
      assertTrue(pool.rest().isEmpty(), () -> "also said: " + pool.rest());
      assertEquals(List.of(), pool.errors());
    }
  }
}
