package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.Clock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Buckets of one storage key, and their expiration. */
class StorageShelfTest {

  private static final double EPOCH_MILLIS = 1e12;

  private long nanos;

  private final StorageShelf shelf = newShelf();

  private StorageShelf newShelf() {
    return new StorageShelf(
        "key",
        new StoragePolicy(100, 1_000, false),
        new Clock() {
          @Override
          public long nanoTime() {
            return nanos;
          }

          @Override
          public double epochMillisAtZero() {
            return EPOCH_MILLIS;
          }
        });
  }

  private Bucket open(String name, Long quota, Double expires) {
    return shelf.openBucket(name, quota, expires, Bucket.Durability.RELAXED, false);
  }

  private static String idOf(StorageShelf in, String name) {
    return in.openBucket(name, null, null, Bucket.Durability.RELAXED, false)
        .bottleName("web-locks");
  }

  @Test
  void bucket_ids_do_not_depend_on_the_order_of_creation() {
    StorageShelf other = newShelf();
    List<String> names = List.of("a", "b", "c");
    List<String> ids = names.stream().map(name -> idOf(shelf, name)).toList();
    List<String> reversed = names.reversed().stream().map(name -> idOf(other, name)).toList();
    assertEquals(ids, reversed.reversed());
    assertEquals(3, Set.copyOf(ids).size());
    shelf.deleteBucket("b");
    other.deleteBucket("b");
    other.deleteBucket("a");
    assertEquals(idOf(shelf, "b"), idOf(other, "b"));
    assertNotEquals(ids.get(1), idOf(shelf, "b"));
  }

  @Test
  void bucket_reopened_after_its_expiry_has_another_id() {
    open("a", null, EPOCH_MILLIS + 2);
    String first = idOf(shelf, "a");
    nanos = 3_000_000;
    assertNotEquals(first, idOf(shelf, "a"));
  }

  @Test
  void name_refers_to_the_same_bucket_until_the_bucket_is_deleted() {
    Bucket first = open("a", 10L, null);
    assertSame(
        first, shelf.openBucket("a", 20L, null, Bucket.Durability.STRICT, false), "opened again");
    assertEquals(10, first.quota());
    assertEquals(Bucket.Durability.RELAXED, first.durability());
    shelf.deleteBucket("a");
    shelf.deleteBucket("a");
    assertTrue(first.isRemoved());
    Bucket second = open("a", null, null);
    assertFalse(second.isRemoved());
    assertNotEquals(first.bottleName("web-locks"), second.bottleName("web-locks"));
    assertNotEquals(second.bottleName("web-locks"), shelf.defaultBucket().bottleName("web-locks"));
  }

  @Test
  void bucket_named_default_is_not_the_default_bucket() {
    Bucket named = open("default", null, null);
    assertNotEquals(named.bottleName("x"), shelf.defaultBucket().bottleName("x"));
    assertEquals(List.of("default"), shelf.bucketNames());
    shelf.deleteBucket("default");
    assertFalse(shelf.defaultBucket().isRemoved());
  }

  @Test
  void quota_of_a_bucket_is_at_most_that_of_its_shelf() {
    assertEquals(1_000, open("a", null, null).quota());
    assertEquals(1_000, open("b", 5_000L, null).quota());
    assertEquals(1, open("c", 1L, null).quota());
    assertThrows(IllegalArgumentException.class, () -> new StoragePolicy(-1, 0, false));
  }

  @Test
  void expired_bucket_is_removed() {
    Bucket bucket = open("a", null, EPOCH_MILLIS + 2);
    open("b", null, null);
    nanos = 2_000_000;
    assertFalse(bucket.isRemoved());
    assertEquals(List.of("a", "b"), shelf.bucketNames());
    nanos = 3_000_000;
    assertTrue(bucket.isRemoved());
    assertEquals(List.of("b"), shelf.bucketNames());
    Bucket again = open("a", null, null);
    assertFalse(again.isRemoved());
    assertNull(again.expires());
    bucket.setExpires(EPOCH_MILLIS * 2);
    assertTrue(bucket.isRemoved(), "a bucket that is gone comes back");
  }

  @Test
  void reopening_a_bucket_changes_its_expiration_only_if_one_is_given() {
    Bucket bucket = open("a", null, EPOCH_MILLIS + 10);
    open("a", null, null);
    assertEquals(EPOCH_MILLIS + 10, bucket.expires());
    open("a", null, EPOCH_MILLIS + 20);
    assertEquals(EPOCH_MILLIS + 20, bucket.expires());
  }

  @Test
  void usage_of_a_shelf_is_the_sum_of_its_buckets() {
    assertEquals(0, shelf.usage());
    shelf.defaultBucket().localStorage().set("ab", "c", change -> {}, "url");
    open("a", null, null);
    assertEquals(6, shelf.usage());
  }
}
