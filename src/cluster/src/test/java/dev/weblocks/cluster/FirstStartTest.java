package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that start with an empty folder while they reach few others. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class FirstStartTest {

  private static final Logger LOGGER = Logger.getLogger("dev.weblocks.cluster");

  @TempDir Path folder;
  private String peers = "";
  private final Map<String, LockCluster> members = new TreeMap<>();
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  private final Handler recorder =
      new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord logged) {
          messages.add(formatter.formatMessage(logged));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void choosePeers() throws IOException {
    LOGGER.addHandler(recorder);
    peers = RatisClusterTest.freePeers(3);
  }

  @AfterEach
  void stopMembers() {
    members.values().forEach(LockCluster::close);
    LOGGER.removeHandler(recorder);
  }

  private LockCluster start(String id, String data) throws IOException {
    LockCluster member =
        LockCluster.builder().peers(peers).member(id, folder.resolve(data)).start();
    members.put(id, member);
    return member;
  }

  private LockCluster start(String id) throws IOException {
    return start(id, id);
  }

  private LockCluster client() throws IOException {
    return LockCluster.builder().peers(peers).lease(Duration.ofMinutes(1)).start();
  }

  private static MemberStatus state(LockCluster member) {
    return Objects.requireNonNull(member.metrics().member());
  }

  private void awaitMessage(String part) {
    while (messages.stream().noneMatch(each -> each.contains(part))) {
      Thread.onSpinWait();
    }
  }

  private static void awaitAdded(LockCluster member) {
    while (!state(member).isAdded()) {
      assertNull(state(member).refusal());
      Thread.onSpinWait();
    }
  }

  private void takeLock() throws Exception {
    try (LockCluster client = client();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      locks.acquire("cart").close();
    }
  }

  @Test
  void a_member_without_its_data_elects_no_leader_that_lacks_entries() throws Exception {
    for (String id : List.of("n1", "n2", "n3")) {
      start(id);
    }
    try (LockCluster client = client();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      ReplacementTest.awaitAll(client, 3);
      members.get("n1").close();
      HeldLock held = locks.acquire("cart"); // the first member lacks it
      CompletableFuture<HeldLock> waits = locks.request("cart");
      while (client.locks().join().size() < 2) {
        Thread.onSpinWait();
      }
      members.get("n2").close();
      members.get("n3").close();

      LockCluster third = start("n3", "empty");
      assertFalse(state(third).isAdded());
      awaitMessage("'n3' waits: n1, n2 do not answer");
      start("n1");
      awaitMessage("'n3' waits: n1 has data, but no leader answers");
      assertFalse(state(members.get("n1")).leads());
      start("n2");
      while (state(third).refusal() == null) {
        assertFalse(state(third).isAdded());
        Thread.onSpinWait();
      }
      assertEquals(
          "the folder "
              + folder.resolve("empty")
              + " has no data, but the member 'n3' has joined with data; start it with its"
              + " folder, or give it a new id",
          state(third).refusal());
      try (Stream<Path> files = Files.walk(folder.resolve("empty"))) {
        assertTrue(files.noneMatch(each -> each.getFileName().toString().startsWith("log_")));
      }
      assertTrue(held.isHeld());
      held.release().get();
      try (HeldLock next = waits.get()) {
        assertTrue(next.fencingToken() > held.fencingToken());
      }
    }
  }

  @Test
  void two_of_three_empty_members_start_the_cluster_without_the_third() throws Exception {
    LockCluster last = start("n3");
    assertFalse(state(last).isAdded());
    LockCluster first = start("n1");
    takeLock();
    awaitAdded(first);
    awaitAdded(last);
    start("n2");
    ReplacementTest.awaitAll(last, 3);
  }

  @Test
  void three_empty_members_that_start_together_elect_a_leader() throws Exception {
    List<CompletableFuture<LockCluster>> starts =
        Stream.of("n2", "n3", "n1")
            .map(id ->
                CompletableFuture.supplyAsync(() -> {
                  try {
                    return LockCluster.builder()
                        .peers(peers)
                        .member(id, folder.resolve(id))
                        .start();
                  } catch (IOException refused) {
                    throw new IllegalStateException(refused);
                  }
                }))
            .toList();
    for (int i = 0; i < starts.size(); i++) {
      members.put("member " + i, starts.get(i).get());
    }
    takeLock();
    try (LockCluster client = client()) {
      ReplacementTest.awaitAll(client, 3);
    }
  }

  @Test
  void an_empty_member_that_waits_alone_still_waits_after_a_restart() throws Exception {
    start("n2");
    awaitMessage("'n2' waits: n1, n3 do not answer");
    members.get("n2").close();
    messages.clear();
    assertFalse(state(start("n2")).isAdded());
    awaitMessage("'n2' waits: n1, n3 do not answer");
    assertFalse(state(members.get("n2")).isAdded());
    start("n1");
    takeLock();
  }

  @Test
  void a_member_with_votes_but_no_entry_takes_part_at_once() throws Exception {
    start("n1").close();
    Path term;
    try (Stream<Path> files = Files.walk(folder.resolve("n1"))) {
      term = files.filter(file -> file.endsWith("raft-meta")).findFirst().orElseThrow();
    }
    Files.writeString(term, "term=1\nvotedFor=n2\n");
    assertTrue(state(start("n1")).isAdded());
    start("n2");
    takeLock();
  }

  @Test
  void a_newcomer_that_starts_before_the_others_is_added_later() throws Exception {
    String[] all = RatisClusterTest.freePeers(4).split(",");
    peers = String.join(",", all[0], all[1], all[2]);
    for (String id : List.of("n1", "n2", "n3")) {
      start(id);
    }
    try (LockCluster client = client()) {
      ReplacementTest.awaitAll(client, 3);
      members.values().forEach(LockCluster::close);
      messages.clear();
      peers = String.join(",", all[0], all[1], all[3]);
      LockCluster fourth = start("n4");
      awaitMessage("'n4' waits: n1, n2 do not answer");
      peers = String.join(",", all[0], all[1], all[2]);
      start("n1");
      start("n2");
      awaitMessage("the member 'n4' has reached the others");
      assertFalse(state(fourth).isAdded());
      client.replaceMember("n3", all[3]).get();
      awaitAdded(fourth);
    }
  }
}
