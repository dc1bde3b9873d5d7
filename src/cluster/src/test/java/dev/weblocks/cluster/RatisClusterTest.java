package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.CallerDrivenInstallation;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.LockClientOptions;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.WaitForGraph;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.TraceEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members and a client in this JVM, on the loopback interface. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class RatisClusterTest {

  private static final String ORIGIN = "https://shop.test";

  @TempDir static Path folder;
  private static final List<LockCluster> members = new ArrayList<>();
  private static String peers = "";

  @BeforeAll
  static void startMembers() throws IOException {
    peers = freePeers(3);
    for (int i = 1; i <= 3; i++) {
      members.add(
          LockCluster.builder().peers(peers).member("n" + i, folder.resolve("n" + i)).start());
    }
  }

  @AfterAll
  static void stopMembers() {
    members.forEach(LockCluster::close);
  }

  static String freePeers(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      all.add("n" + i + "=127.0.0.1:" + socket.getLocalPort());
    }
    for (ServerSocket each : sockets) {
      each.close();
    }
    return String.join(",", all);
  }

  /** Returns the members with an unused port for one of them. */
  static String withoutPort(String peers, String member) throws IOException {
    int unused = Integer.parseInt(freePeers(1).split(":", -1)[1]);
    return peers.replaceAll("(?<=" + member + "=127\\.0\\.0\\.1:)\\d+", "" + unused);
  }

  private static LockCluster client(String namespace) throws IOException {
    return LockCluster.builder()
        .peers(peers)
        .namespace(namespace)
        .lease(Duration.ofSeconds(3))
        .start();
  }

  private static UserAgent userAgent(LockCluster cluster) {
    return UserAgent.newBuilder().lockBackend(cluster).build();
  }

  @Test
  void user_agents_of_two_clients_share_a_lock() throws Exception {
    try (LockCluster one = client("share");
        LockCluster two = client("share");
        UserAgent here = userAgent(one);
        UserAgent there = userAgent(two);
        LockClient a = here.openLockClient(ORIGIN);
        LockClient b = there.openLockClient(ORIGIN)) {
      HeldLock lock = a.acquire("cart");
      assertEquals(Optional.empty(), b.tryAcquire("cart"));
      assertEquals(List.of("cart"), names(one.locks().join()));
      assertEquals(1, b.query().join().held().size());
      lock.close();
      try (HeldLock next = b.acquire("cart")) {
        assertTrue(next.fencingToken() > lock.fencingToken());
      }
    }
  }

  @Test
  void client_that_only_followers_can_reach_takes_locks() throws Exception {
    LockCluster.Builder reaching = LockCluster.builder().namespace("detour");
    try (LockCluster whole = client("detour");
        UserAgent there = userAgent(whole);
        LockClient b = there.openLockClient(ORIGIN)) {
      HeldLock before = b.acquire("cart");
      String leader = Objects.requireNonNull(whole.metrics().leader());
      try (LockCluster cut =
              reaching.peers(withoutPort(peers, leader)).lease(Duration.ofSeconds(3)).start();
          UserAgent here = userAgent(cut);
          LockClient a = here.openLockClient(ORIGIN)) {
        assertEquals(Optional.empty(), a.tryAcquire("cart"));
        CompletableFuture<HeldLock> next = a.request("cart");
        before.close();
        HeldLock lock = next.get();
        assertTrue(lock.fencingToken() > before.fencingToken());
        assertEquals(leader, cut.metrics().leader());
        lock.release().join();
      }
    }
  }

  private static List<String> names(List<LockEntry> entries) {
    return entries.stream().map(LockEntry::name).toList();
  }

  @Test
  void two_namespaces_share_nothing() throws Exception {
    try (LockCluster one = client("left");
        LockCluster two = client("right");
        UserAgent here = userAgent(one);
        UserAgent there = userAgent(two);
        LockClient a = here.openLockClient(ORIGIN);
        LockClient b = there.openLockClient(ORIGIN);
        HeldLock lock = a.acquire("cart");
        HeldLock other = b.acquire("cart")) {
      assertTrue(lock.isHeld() && other.isHeld());
    }
  }

  @Test
  void a_closed_user_agent_leaves_its_locks_at_once() throws Exception {
    try (LockCluster one = client("close");
        UserAgent there = userAgent(one);
        LockClient b = there.openLockClient(ORIGIN)) {
      UserAgent here = userAgent(one);
      LockClient a = here.openLockClient(ORIGIN);
      assertNotNull(a.acquire("cart"));
      here.close();
      try (HeldLock next = b.acquire("cart")) {
        assertTrue(next.isHeld());
      }
    }
  }

  @Test
  void status_lists_members_and_sessions() throws Exception {
    try (LockCluster one = client("status");
        UserAgent here = userAgent(one);
        LockClient a = here.openLockClient(ORIGIN);
        HeldLock lock = a.acquire("cart")) {
      assertTrue(lock.isHeld());
      ClusterStatus status = one.status().join();
      assertEquals(
          List.of("n1", "n2", "n3"),
          status.members().stream().map(ClusterStatus.Member::id).toList());
      ClusterStatus.Session session =
          status.sessions().stream()
              .filter(each -> each.namespace().equals("status"))
              .findFirst()
              .orElseThrow();
      assertEquals(1, session.held());
      assertEquals(Duration.ofSeconds(3), session.lease());
    }
  }

  @Test
  void a_removed_namespace_loses_its_locks() throws Exception {
    try (LockCluster one = client("removed");
        UserAgent here = userAgent(one);
        LockClient a = here.openLockClient(ORIGIN)) {
      HeldLock lock = a.acquire("cart");
      one.removeNamespace("removed").join();
      assertNotNull(lock.lost().get());
      assertFalse(lock.isHeld());
      try (HeldLock again = a.acquire("cart")) {
        assertTrue(again.isHeld());
      }
    }
  }

  @Test
  void terminate_ends_a_holder_in_an_endless_loop() throws Exception {
    CompletableFuture<Void> holds = new CompletableFuture<>();
    CompletableFuture<String> ended = new CompletableFuture<>();
    try (LockCluster one =
            LockCluster.builder()
                .peers(peers)
                .namespace("terminate")
                .lossPolicy(LossPolicy.TERMINATE)
                .start();
        UserAgent here =
            UserAgent.newBuilder()
                .lockBackend(one)
                .consoleListener(message -> holds.complete(null))
                .lockListener(
                    new LockListener() {
                      @Override
                      public void agentEnded(String agent, Duration lived) {
                        ended.complete(agent);
                      }
                    })
                .resourceLoader(
                    ResourceLoader.inMemory()
                        .put(
                            ORIGIN + "/",
                            "<script>navigator.locks.request('cart', () => {"
                                + " console.log('holds'); for (;;); })</script>")
                        .build())
                .build();
        LockClient locks = here.openLockClient(ORIGIN)) {
      here.open(ORIGIN + "/");
      holds.get();
      HeldLock ofJava = locks.acquire("other");
      one.removeNamespace("terminate").join();
      assertEquals("window-1", ended.get());
      assertEquals(LockLoss.SESSION_LOST, ofJava.lost().get());
      try (HeldLock next = locks.acquire("cart")) {
        assertTrue(next.isHeld());
      }
    }
  }

  @Test
  void a_deadlock_between_two_user_agents_is_a_cycle() throws Exception {
    try (LockCluster one = client("deadlock");
        UserAgent here = userAgent(one);
        UserAgent there = userAgent(one);
        LockClient a = here.openLockClient(ORIGIN);
        LockClient b = there.openLockClient(ORIGIN);
        HeldLock left = a.acquire("left");
        HeldLock right = b.acquire("right")) {
      CompletableFuture<HeldLock> waits = a.request("right");
      CompletableFuture<HeldLock> alsoWaits = b.request("left");
      List<LockEntry> entries = one.locks().join();
      while (entries.size() < 4) {
        entries = one.locks().join();
      }
      assertEquals(1, WaitForGraph.of(entries).cycles().size());
      assertTrue(left.isHeld() && right.isHeld());
      assertFalse(waits.isDone() || alsoWaits.isDone());
    }
  }

  @Test
  void metrics_of_a_client_show_leader_answers_and_leases() throws Exception {
    try (LockCluster one = client("lease")) {
      assertEquals(new ClusterMetrics(null, null, 0, List.of(), null), one.metrics());
      try (UserAgent here = userAgent(one);
          LockClient a = here.openLockClient(ORIGIN);
          HeldLock lock = a.acquire("cart")) {
        assertTrue(lock.isHeld());
        ClusterMetrics metrics = one.metrics();
        assertEquals(one.status().join().leader(), metrics.leader());
        assertNotNull(metrics.sinceAnswer());
        LocalSession session = metrics.sessions().getFirst();
        assertTrue(session.id() > 0);
        assertTrue(session.leaseLeft().compareTo(Duration.ofSeconds(3)) < 0);
      }
    }
  }

  @Test
  void metrics_count_commands_without_an_answer() throws Exception {
    try (LockCluster lonely = // reaches no member
            LockCluster.builder().peers(freePeers(1)).namespace("lonely").start();
        UserAgent here = userAgent(lonely);
        LockClient a = here.openLockClient(ORIGIN)) {
      CompletableFuture<HeldLock> waits = a.request("cart");
      assertEquals(2, lonely.metrics().commandsInFlight()); // the client and its request
      assertFalse(waits.isDone());
    }
  }

  @Test
  void metrics_of_members_name_one_leader_and_its_term() throws Exception {
    try (LockCluster one = client("leader")) {
      String leader = one.status().join().leader();
      List<MemberStatus> all = new ArrayList<>();
      do { // until the last election has reached all
        all.clear();
        members.forEach(each -> all.add(Objects.requireNonNull(each.metrics().member())));
      } while (all.stream().map(MemberStatus::term).distinct().count() > 1
          || !members.stream().allMatch(each -> leader.equals(each.metrics().leader())));
      assertEquals(
          List.of(leader), all.stream().filter(MemberStatus::leads).map(MemberStatus::id).toList());
    }
  }

  @Test
  void traces_name_the_index_of_an_entry_that_was_applied() throws Exception {
    Queue<TraceEvent> trace = new ConcurrentLinkedQueue<>();
    try (LockCluster one = client("trace");
        UserAgent here = UserAgent.newBuilder().lockBackend(one).traceListener(trace::add).build();
        LockClient a = here.openLockClient(ORIGIN);
        HeldLock lock = a.acquire("cart")) {
      assertTrue(lock.isHeld());
      long index =
          trace.stream()
              .map(TraceEvent::lock)
              .filter(each -> each != null && each.action() == LockAction.GRANTED)
              .map(TraceEvent.Lock::logIndex)
              .findFirst()
              .orElseThrow();
      long applied =
          members.stream()
              .mapToLong(each -> Objects.requireNonNull(each.metrics().member()).appliedIndex())
              .max()
              .orElseThrow();
      assertTrue(0 < index && index <= applied, index + " of " + applied);
    }
  }

  @Test
  void registered_mbean_exposes_metrics() throws Exception {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    ObjectName of = new ObjectName("com.example:type=LockCluster,name=member");
    server.registerMBean(members.getFirst().mxBean(), of);
    for (var each : server.getMBeanInfo(of).getAttributes()) {
      assertNotNull(server.getAttribute(of, each.getName()), each.getName());
    }
    assertEquals(true, server.getAttribute(of, "MemberRunning"));
    assertTrue((long) server.getAttribute(of, "AppliedIndex") >= 0);
    assertTrue((long) server.getAttribute(of, "Lag") >= 0);
    try (LockCluster one = client("bean")) {
      ObjectName ofClient = new ObjectName("com.example:type=LockCluster,name=client");
      server.registerMBean(one.mxBean(), ofClient);
      assertEquals("", server.getAttribute(ofClient, "Leader"));
      assertEquals(-1L, server.getAttribute(ofClient, "MillisSinceAnswer"));
      assertEquals(-1L, server.getAttribute(ofClient, "Lag"));
    }
  }

  @Test
  void a_port_in_use_gives_a_clear_error() throws Exception {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + used.getLocalPort();
      IOException thrown =
          assertThrows(
              IOException.class,
              () ->
                  LockCluster.builder()
                      .peers("n1=" + address)
                      .member("n1", folder.resolve("port"))
                      .start());
      assertTrue(
          thrown.getMessage().startsWith("cannot listen on " + address), thrown.getMessage());
    }
  }

  @Test
  void script_takes_a_lock_that_java_code_of_another_user_agent_has() throws Exception {
    try (LockCluster one = client("script");
        LockCluster two = client("script");
        UserAgent here = userAgent(one);
        LockClient locks = here.openLockClient(ORIGIN);
        UserAgent there = userAgent(two);
        Context context = Context.newBuilder("js").build();
        CallerDrivenInstallation installation =
            there.installInto(context).origin(ORIGIN).install()) {
      HeldLock held = locks.acquire("cart");
      context.eval(
          "js",
          """
          globalThis.log = [];
          navigator.locks.request('cart', { ifAvailable: true }, lock => log.push(lock));
          navigator.locks.request('cart', lock => log.push(lock.name));
          """);
      while (context.eval("js", "log.length").asInt() < 1) {
        installation.run(Duration.ofMillis(20));
      }
      held.close();
      while (context.eval("js", "log.length").asInt() < 2) {
        installation.run(Duration.ofMillis(20));
      }
      assertEquals(",cart", context.eval("js", "log.join()").asString());
    }
  }

  @Test
  void deletion_of_a_bucket_reaches_another_user_agent() throws Exception {
    try (LockCluster one = client("buckets");
        LockCluster two = client("buckets");
        UserAgent here = userAgent(one);
        LockClient old = here.openLockClient(inBucket());
        UserAgent there = userAgent(two);
        Context context = Context.newBuilder("js").build();
        CallerDrivenInstallation installation =
            there.installInto(context).origin(ORIGIN).install()) {
      HeldLock held = old.acquire("cart");
      context.eval(
          "js",
          """
          globalThis.log = [];
          const buckets = navigator.storageBuckets;
          const take = async () => (await buckets.open('x')).locks.request(
              'cart', { ifAvailable: true }, lock => log.push(lock === null ? 'taken' : 'free'));
          take().then(() => buckets.delete('x')).then(take);
          """);
      while (context.eval("js", "log.length").asInt() < 2) {
        installation.run(Duration.ofMillis(20));
      }
      assertEquals("taken,free", context.eval("js", "log.join()").asString());
      assertTrue(held.isHeld());
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> old.acquire("other"));
      assertEquals("the storage bucket 'x' was deleted", refused.getMessage());
      LockClient next = here.openLockClient(inBucket());
      try (HeldLock lock = next.acquire("cart")) {
        assertTrue(lock.isHeld() && held.isHeld());
      }
    }
  }

  private static LockClientOptions inBucket() {
    return LockClientOptions.newBuilder(ORIGIN).bucket("x").build();
  }

  @Test
  void bad_options_give_clear_errors() {
    assertMessage("'n1' is not a member; write n1=host1:7800,n2=host2:7800,n3=host3:7800", "n1");
    assertMessage(
        "two members have the id 'a'; write n1=host1:7800,n2=host2:7800,n3=host3:7800",
        "a=localhost:1,a=localhost:2");
    IllegalArgumentException unknown =
        assertThrows(
            IllegalArgumentException.class,
            () -> LockCluster.builder().peers(peers).member("n9", folder.resolve("n9")).start());
    assertEquals("'n9' is not a member; the members are n1, n2, n3", unknown.getMessage());
    assertThrows(IllegalStateException.class, () -> LockCluster.builder().start());
    IllegalStateException open =
        assertThrows(
            IllegalStateException.class,
            () -> LockCluster.builder().peers("n1=192.0.2.1:7800").start());
    assertTrue(open.getMessage().contains("call tls()"), open.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> LockCluster.builder().lease(Duration.ofMillis(500)));
  }

  private static void assertMessage(String expected, String peers) {
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class, () -> LockCluster.builder().peers(peers).start());
    assertEquals(expected, thrown.getMessage());
  }

  @Test
  void one_member_of_another_cluster_does_not_stop_a_client() throws Exception {
    String foreign = freePeers(1);
    try (LockCluster other =
            LockCluster.builder()
                .clusterId("other")
                .peers(foreign)
                .member("n1", folder.resolve("foreign"))
                .start();
        LockCluster client =
            LockCluster.builder().peers(foreign.replace("n1", "n0") + "," + peers).start();
        UserAgent userAgent = userAgent(client);
        LockClient locks = userAgent.openLockClient(ORIGIN);
        HeldLock lock = locks.acquire("cart")) {
      assertEquals("n1", other.status().join().leader());
      assertTrue(lock.isHeld());
    }
  }

  @Test
  void a_member_with_an_empty_folder_under_a_known_id_is_refused() throws Exception {
    try (LockCluster one = client("known")) {
      one.status().join(); // the members have joined
      IOException refused =
          assertThrows(
              IOException.class,
              () ->
                  LockCluster.builder().peers(peers).member("n2", folder.resolve("empty")).start());
      assertTrue(refused.getMessage().contains("has no data, but the member"), refused.toString());
    }
  }

  @Test
  void a_folder_of_another_member_or_cluster_is_refused() {
    IOException member =
        assertThrows(
            IOException.class,
            () -> LockCluster.builder().peers(peers).member("n2", folder.resolve("n1")).start());
    assertTrue(member.getMessage().contains("belongs to the member 'n1'"), member.toString());
    IOException cluster =
        assertThrows(
            IOException.class,
            () ->
                LockCluster.builder()
                    .clusterId("other")
                    .peers(peers)
                    .member("n1", folder.resolve("n1"))
                    .start());
    assertTrue(
        cluster.getMessage().contains("belongs to the cluster 'weblocks'"), cluster.toString());
  }
}
