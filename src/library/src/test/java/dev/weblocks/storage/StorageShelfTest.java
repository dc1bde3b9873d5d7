package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Buckets of one storage key, and their expiration. */
class StorageShelfTest {

  private static final double EPOCH_MILLIS = 1e12;

  private long nanos;

  private final StorageShelf shelf = newShelf();

  private StorageShelf newShelf() {
    return newShelf(null);
  }

  private StorageShelf newShelf(SharedBuckets shared) {
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
        },
        () -> shared);
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

  /** Shared buckets that record the calls. */
  private static final class Calls implements SharedBuckets {
    final List<String> log = new ArrayList<>();
    private long openings;

    @Override
    public long nextOpening() {
      return ++openings;
    }

    @Override
    public void open(Bucket bucket, String key) {
      log.add("open " + key + " " + bucket.opening());
    }

    @Override
    public void check(Bucket bucket, Consumer<Answer> answer) {
      throw new AssertionError("checked " + bucket.name());
    }

    @Override
    public void delete(String name, String key, Consumer<Answer> answer) {
      throw new AssertionError("deleted " + name);
    }

    @Override
    public void expire(Bucket bucket, String key) {
      log.add("expire " + key + " " + bucket.opening());
    }
  }

  @Test
  void shared_bucket_is_opened_once_until_it_is_removed() {
    Calls calls = new Calls();
    StorageShelf sharing = newShelf(calls);
    String first = idOf(sharing, "a");
    assertEquals(first, idOf(sharing, "a"));
    sharing.openBucket("a", null, null, Bucket.Durability.RELAXED, false).remove();
    assertEquals(List.of(), sharing.bucketNames());
    assertNotEquals(first, idOf(sharing, "a"));
    assertEquals("open key/a 1", calls.log.getFirst());
    assertEquals("open key/a 2", calls.log.getLast());
  }

  @Test
  void expired_shared_bucket_is_deleted_before_another_is_opened() {
    Calls calls = new Calls();
    StorageShelf sharing = newShelf(calls);
    Bucket bucket =
        sharing.openBucket("a", null, EPOCH_MILLIS + 2, Bucket.Durability.RELAXED, false);
    nanos = 3_000_000;
    assertTrue(bucket.isRemoved());
    assertNotEquals(bucket.bottleName("web-locks"), idOf(sharing, "a"));
    assertEquals(List.of("open key/a 1", "expire key/a 1", "open key/a 2"), calls.log);
  }

  @Test
  void refused_bucket_says_why_it_is_removed() {
    Bucket bucket = open("a", null, null);
    assertEquals("the storage bucket 'a' was deleted", bucket.whyRemoved());
    bucket.refuse("There are too many.");
    assertTrue(bucket.isRemoved());
    assertEquals("There are too many.", bucket.whyRemoved());
  }
}
