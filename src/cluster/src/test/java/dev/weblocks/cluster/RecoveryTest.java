package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member that starts again, among two that have gone on without it, also from a folder that was
 * changed.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class RecoveryTest {

  @TempDir Path folder;
  private String peers = "";
  private final List<LockCluster> members = new ArrayList<>();

  @BeforeEach
  void startMembers() throws IOException {
    peers = RatisClusterTest.freePeers(3);
    for (int i = 1; i <= 3; i++) {
      members.add(member(i));
    }
  }

  @AfterEach
  void stopMembers() {
    members.forEach(LockCluster::close);
  }

  private LockCluster member(int number) throws IOException {
    return LockCluster.builder()
        .peers(peers)
        .member("n" + number, folder.resolve("n" + number))
        .start();
  }

  private static long applied(LockCluster member) {
    return Objects.requireNonNull(member.metrics().member()).appliedIndex();
  }

  /** Makes and ends requests, whose entries have the given size together. */
  private void log(int requests, int length) throws Exception {
    try (UserAgent userAgent = UserAgent.newBuilder().lockBackend(members.get(1)).build();
        LockClient client = userAgent.openLockClient("https://shop.test")) {
      for (int from = 0; from < requests; from += 100) { // more would exceed what may be stored
        List<CompletableFuture<Void>> some = new ArrayList<>();
        for (int i = from; i < Math.min(requests, from + 100); i++) {
          some.add(
              client
                  .request("n".repeat(length) + i)
                  .thenCompose(HeldLock::release)
                  .toCompletableFuture());
        }
        for (CompletableFuture<Void> each : some) {
          each.get();
        }
      }
    }
  }

  private static void awaitIndex(LockCluster member, long index) {
    while (applied(member) < index) {
      assertNull(Objects.requireNonNull(member.metrics().member()).refusal());
      Thread.onSpinWait();
    }
  }

  @Test
  void a_member_that_missed_what_the_log_has_no_more_gets_a_snapshot() throws Exception {
    log(1, 1);
    members.get(0).close();
    log(1_200, 16_000); // more than the bytes after which the log is replaced by a snapshot
    long index = applied(members.get(1));
    members.set(0, member(1));
    awaitIndex(members.get(0), index);
    try (Stream<Path> files = Files.walk(folder.resolve("n1"))) {
      assertEquals(0, files.filter(file -> file.toString().contains("/tmp/snapshot")).count());
    }
    assertFalse(DamagedFolderTest.snapshots(folder.resolve("n1")).isEmpty());
    log(1, 1);
  }

  @Test
  void a_member_whose_term_was_lost_on_a_full_disk_takes_part_again() throws Exception {
    log(1, 1);
    members.get(0).close();
    Path term;
    try (Stream<Path> files = Files.walk(folder.resolve("n1"))) {
      term = files.filter(file -> file.endsWith("raft-meta")).findFirst().orElseThrow();
    }
    Files.write(term, new byte[0]); // as Ratis leaves it
    members.set(0, member(1));
    members.get(2).close(); // now nothing works without the first one
    log(1, 1);
    assertTrue(Files.size(term) > 0);
  }

  @Test
  void an_empty_folder_waits_for_a_leader_that_may_know_its_id() throws Exception {
    ReplacementTest.awaitAll(members.get(1), 3);
    awaitIndex(members.get(0), 0); // otherwise it would wait, too
    members.get(2).close();
    members.get(0).close(); // the second member alone has data, but does not lead
    CompletableFuture<LockCluster> third =
        CompletableFuture.supplyAsync(() -> {
          try {
            return LockCluster.builder().peers(peers).member("n3", folder.resolve("empty")).start();
          } catch (IOException refused) {
            throw new UncheckedIOException(refused);
          }
        });
    members.set(0, member(1));
    Throwable refusal = assertThrows(ExecutionException.class, () -> third.get()).getCause();
    assertEquals(
        "the folder "
            + folder.resolve("empty")
            + " has no data, but the member 'n3' has joined with data; start it with its folder,"
            + " or give it a new id",
        refusal.getCause().getMessage());
    log(1, 1);
  }

  @Test
  void a_folder_that_has_lost_its_log_is_refused() throws Exception {
    ReplacementTest.awaitAll(members.get(1), 3);
    members.get(2).close();
    try (Stream<Path> files = Files.walk(folder.resolve("n3").resolve("raft"))) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
    assertEquals(
        "the folder "
            + folder.resolve("n3")
            + " has no data, but the member 'n3' has joined with data; start it with its folder,"
            + " or give it a new id",
        assertThrows(IOException.class, () -> member(3)).getMessage());
  }

  @Test
  void locks_and_queues_survive_a_restart_of_all_members() throws Exception {
    try (LockCluster client =
            LockCluster.builder().peers(peers).lease(Duration.ofMinutes(1)).start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      HeldLock held = locks.acquire("cart");
      CompletableFuture<HeldLock> waits = locks.request("cart");
      long token = held.fencingToken();
      while (client.locks().join().size() < 2) {
        Thread.onSpinWait();
      }
      members.forEach(LockCluster::close);
      for (int i = 1; i <= 3; i++) {
        members.set(i - 1, member(i));
      }
      assertTrue(held.isHeld());
      held.release().get();
      try (HeldLock next = waits.get()) {
        assertTrue(next.fencingToken() > token);
      }
    }
  }

  @Test
  void a_log_with_half_a_record_at_its_end_is_used_without_it() throws Exception {
    log(10, 100);
    members.get(0).close();
    Path segment = DamagedFolderTest.newestSegment(folder.resolve("n1"));
    byte[] bytes = Files.readAllBytes(segment);
    int end = DamagedFolderTest.written(bytes);
    byte[] torn = Arrays.copyOf(bytes, end + 4);
    System.arraycopy(new byte[] {100, 10, 3, 8}, 0, torn, end, 4); // the first 4 of 100 bytes
    Files.write(segment, torn);
    long index = applied(members.get(1));
    members.set(0, member(1));
    awaitIndex(members.get(0), index);
    members.get(2).close(); // now nothing works without the first one
    log(1, 1);
  }
}
