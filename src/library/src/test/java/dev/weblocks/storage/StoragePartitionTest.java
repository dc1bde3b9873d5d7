package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.agent.Origin;
import org.junit.jupiter.api.Test;

/** Storage of environments below different top-level origins, as in frames. */
class StoragePartitionTest {

  private static final Origin WIDGET = StorageBed.origin("widget.test");

  private static final String WRITE =
      """
      localStorage.a = 1;
      await navigator.storageBuckets.open('b');
      navigator.locks.request('l', () => new Promise(() => {}));
      await 0;
      """;

  private static final String READ =
      """
      say(localStorage.a, (await navigator.storageBuckets.keys()).join('+'),
          (await navigator.locks.query()).held.length);
      """;

  @Test
  void frames_share_storage_only_below_the_same_top_level_site() {
    try (StorageBed bed = new StorageBed()) {
      bed.window(WIDGET, StorageBed.origin("web-platform.test")).run(WRITE);
      assertEquals(
          "1 b 1", bed.window(WIDGET, StorageBed.origin("www.web-platform.test")).run(READ));
      assertEquals(
          "1 b 1",
          bed.window(WIDGET, new Origin.Tuple("https", "web-platform.test", 8443)).run(READ));
      assertEquals("  0", bed.window(WIDGET, StorageBed.origin("not-web-platform.test")).run(READ));
      assertEquals(
          "  0", bed.window(WIDGET, new Origin.Tuple("http", "web-platform.test", -1)).run(READ));
      assertEquals("  0", bed.window(WIDGET, WIDGET).run(READ));
    }
  }

  @Test
  void opaque_top_level_origins_are_separate_partitions() {
    try (StorageBed bed = new StorageBed()) {
      Origin top = new Origin.Opaque("1");
      bed.window(WIDGET, top).run(WRITE);
      assertEquals("1 b 1", bed.window(WIDGET, top).run(READ));
      assertEquals("  0", bed.window(WIDGET, new Origin.Opaque("2")).run(READ));
    }
  }

  @Test
  void storage_events_stay_within_the_partition() {
    try (StorageBed bed = new StorageBed()) {
      String listen = "addEventListener('storage', e => say(e.key))";
      StorageBed.TestWindow same = bed.window(WIDGET, StorageBed.origin("a.one.test"));
      StorageBed.TestWindow other = bed.window(WIDGET, StorageBed.origin("two.test"));
      same.run(listen);
      other.run(listen);
      bed.window(WIDGET, StorageBed.origin("b.one.test")).run("localStorage.k = 1");
      assertEquals("k", same.log());
      assertEquals("", other.log());
    }
  }

  @Test
  void opaque_origin_has_no_storage_buckets_or_locks() {
    try (StorageBed bed = new StorageBed()) {
      StorageBed.TestWindow window =
          bed.window(new Origin.Opaque("1"), StorageBed.origin("one.test"));
      assertEquals(
          "SecurityError, SecurityError, TypeError, TypeError, TypeError, SecurityError,"
              + " SecurityError, SecurityError, SecurityError, SecurityError",
          window.run(
              """
              for (const f of [
                  () => localStorage,
                  () => sessionStorage,
                  () => navigator.storage.estimate(),
                  () => navigator.storage.persist(),
                  () => navigator.storage.persisted(),
                  () => navigator.storageBuckets.open('a'),
                  () => navigator.storageBuckets.keys(),
                  () => navigator.storageBuckets.delete('a'),
                  () => navigator.locks.request('a', () => {}),
                  () => navigator.locks.query()]) {
                try { await f(); say('works'); } catch (e) { say(e.name); }
              }
              """));
    }
  }
}
