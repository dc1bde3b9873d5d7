package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.cluster.machine.Reply.Status;
import dev.weblocks.cluster.ratis.MemberReplacement;
import dev.weblocks.cluster.ratis.Peers;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members, one of which is replaced by a fourth. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class ReplacementTest {

  @TempDir Path folder;

  private List<String> all = List.of();
  private final Map<String, LockCluster> members = new TreeMap<>();

  @BeforeEach
  void startMembers() throws IOException {
    all = List.of(RatisClusterTest.freePeers(4).split(","));
    for (String id : List.of("n1", "n2", "n3")) {
      start(id, peers("n1", "n2", "n3"));
    }
  }

  @AfterEach
  void stopMembers() {
    members.values().forEach(LockCluster::close);
  }

  private String peers(String... ids) {
    return all.stream()
        .filter(each -> Arrays.asList(ids).contains(each.substring(0, each.indexOf('='))))
        .collect(Collectors.joining(","));
  }

  private LockCluster start(String id, String peers) throws IOException {
    LockCluster member = LockCluster.builder().peers(peers).member(id, folder.resolve(id)).start();
    members.put(id, member);
    return member;
  }

  private LockCluster client(String peers) throws IOException {
    return LockCluster.builder().peers(peers).lease(Duration.ofMinutes(1)).start();
  }

  /** Makes a member the leader. */
  private static void lead(String id, String peers) throws IOException {
    List<RaftPeer> all = new ArrayList<>();
    for (String each : peers.split(",")) {
      String[] parts = each.split("=");
      all.add(RaftPeer.newBuilder().setId(parts[0]).setAddress(parts[1]).build());
    }
    UUID group = UUID.nameUUIDFromBytes("weblocks weblocks".getBytes(StandardCharsets.UTF_8));
    try (RaftClient client =
        RaftClient.newBuilder()
            .setProperties(new RaftProperties())
            .setParameters(new Parameters())
            .setRaftGroup(RaftGroup.valueOf(RaftGroupId.valueOf(group), all))
            .build()) {
      assertTrue(client.admin().transferLeadership(RaftPeerId.valueOf(id), 30_000).isSuccess());
    }
  }

  private static String failure(CompletableFuture<?> future) {
    Throwable cause = assertThrows(ExecutionException.class, () -> future.get()).getCause();
    return assertInstanceOf(IOException.class, cause).getMessage();
  }

  static void awaitAll(LockCluster client, int count) throws Exception {
    while (client.status().get().members().stream().filter(each -> each.codecVersion() > 0).count()
        < count) {
      Thread.onSpinWait();
    }
  }

  /** Returns why a member does not take part, if it says so at its start or soon after. */
  private String refusalOf(String id, String peers) {
    try {
      LockCluster member = start(id, peers);
      String refusal = null;
      while (refusal == null) {
        Thread.onSpinWait();
        refusal = Objects.requireNonNull(member.metrics().member()).refusal();
      }
      return refusal;
    } catch (IOException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  @Test
  void locks_survive_the_replacement_of_a_lost_member() throws Exception {
    try (LockCluster client = client(peers("n1", "n2", "n3"));
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      HeldLock held = locks.acquire("cart");
      CompletableFuture<HeldLock> waits = locks.request("cart");
      awaitAll(client, 3);
      members.remove("n3").close();
      String remaining = peers("n1", "n2", "n4");
      LockCluster fourth = start("n4", remaining);
      assertFalse(Objects.requireNonNull(fourth.metrics().member()).isAdded());
      client.replaceMember("n3", peers("n4")).get();
      while (!Objects.requireNonNull(fourth.metrics().member()).isAdded()) {
        Thread.onSpinWait(); // the others agree without it
      }
      awaitAll(client, 3);
      assertEquals(
          List.of("n1", "n2", "n4"),
          client.status().join().members().stream().map(ClusterStatus.Member::id).toList());
      client.replaceMember("n3", peers("n4")).get(); // has happened

      // only the new member, which leads, and an old one are left; the client knows the old ones
      lead("n4", remaining);
      members.remove("n1").close();
      assertTrue(held.isHeld());
      held.release().get();
      try (HeldLock next = waits.get()) {
        assertTrue(next.fencingToken() > held.fencingToken());
      }
      start("n1", peers("n1", "n2", "n3")); // the configuration in its folder is newer

      assertTrue(refusalOf("n3", peers("n1", "n2", "n3")).contains("member 'n3'"));
      assertEquals(
          "the member 'n3' was removed from the cluster; give the new one a new id",
          assertThrows(
                  IOException.class,
                  () ->
                      LockCluster.builder()
                          .peers(peers("n1", "n2", "n3"))
                          .member("n3", folder.resolve("empty"))
                          .start())
              .getMessage());
      assertEquals(
          "the id 'n3' belonged to a member that was removed; use a new one",
          failure(client.replaceMember("n4", peers("n3"))));
    }
  }

  @Test
  void a_member_that_runs_stops_when_it_is_removed() throws Exception {
    try (LockCluster client = client(peers("n1", "n2"))) {
      awaitAll(client, 3);
      LockCluster third = members.get("n3");
      start("n4", peers("n1", "n2", "n4"));
      client.replaceMember("n3", peers("n4")).get();
      while (Objects.requireNonNull(third.metrics().member()).isRunning()) {
        Thread.onSpinWait();
      }
      assertEquals(
          "the member 'n3' is not a member of the cluster; if it was removed, delete its folder",
          Objects.requireNonNull(third.metrics().member()).refusal());
    }
  }

  @Test
  void a_replacement_that_cannot_work_gives_one_clear_line() throws Exception {
    try (LockCluster client = client(peers("n1", "n2", "n3"))) {
      awaitAll(client, 3);
      assertEquals(
          "the new member "
              + peers("n4")
              + " does not answer; start it with the other members in its list, and repeat this",
          failure(client.replaceMember("n3", peers("n4"))));
      assertEquals(
          "'n9' is not a member; the members are n1, n2, n3",
          failure(client.replaceMember("n9", peers("n4"))));
      assertEquals(
          "'n2' is already a member; give the new one a new id",
          failure(client.replaceMember("n3", peers("n2"))));
    }
  }

  @Test
  void the_only_member_cannot_be_replaced() {
    Status alone =
        new Status(List.of(), List.of(new MemberStatus("n1", "a:1", 4, 0, 0)), List.of());
    Peers other = Peers.parse("weblocks", "n2=b:1");
    assertEquals(
        "'n1' is the only member: a new one could not get its data; start a new cluster",
        assertThrows(IOException.class, () -> MemberReplacement.replace(alone, "n1", other, null))
            .getMessage());
  }
}
