package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.TestAuthority.Identity;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member with TLS, and clients with and without a certificate of its authority. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class TlsTest {

  @TempDir static Path folder;

  private static Identity good;
  private static Identity ofClient;
  private static Identity withoutRole;

  @BeforeAll
  static void makeCertificates() throws Exception {
    TestAuthority authority = new TestAuthority(folder, "good");
    good = authority.issue("m", "member");
    ofClient = authority.issue("c", "client");
    withoutRole = authority.issueWithNames("o", "ip:127.0.0.1");
  }

  @Test
  void a_client_with_a_certificate_of_the_authority_gets_locks() throws Exception {
    String peers = RatisClusterTest.freePeers(1);
    try (LockCluster member = good.of(peers).member("n1", folder.resolve("with")).start();
        LockCluster client = ofClient.of(peers).start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test");
        HeldLock lock = locks.acquire("cart")) {
      assertTrue(lock.isHeld());
      assertEquals("n1", Objects.requireNonNull(member.metrics().member()).id());
    }
  }

  @Test
  void a_follower_forwards_to_the_leader_with_its_certificate() throws Exception {
    String peers = RatisClusterTest.freePeers(3);
    List<LockCluster> members = new ArrayList<>();
    try {
      for (int i = 1; i <= 3; i++) {
        members.add(good.of(peers).member("n" + i, folder.resolve("forwards" + i)).start());
      }
      members.getFirst().status().join();
      String leader = Objects.requireNonNull(members.getFirst().metrics().leader());
      try (LockCluster client = ofClient.of(RatisClusterTest.withoutPort(peers, leader)).start();
          UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
          LockClient locks = userAgent.openLockClient("https://shop.test");
          HeldLock lock = locks.acquire("cart")) {
        assertTrue(lock.isHeld());
        assertEquals(leader, client.metrics().leader());
      }
    } finally {
      members.forEach(LockCluster::close);
    }
  }

  @Test
  @Tag("full") // waits until the client gives up
  void clients_without_such_a_certificate_are_refused() throws Exception {
    String peers = RatisClusterTest.freePeers(1);
    try (LockCluster member = good.of(peers).member("n1", folder.resolve("without")).start();
        LockCluster other =
            new TestAuthority(folder, "foreign").issue("m", "member").of(peers).start();
        LockCluster plain = LockCluster.builder().peers(peers).start()) {
      assertEquals("n1", member.status().join().members().getFirst().id());
      CompletionException thrown =
          assertThrows(CompletionException.class, () -> other.status().join());
      assertEquals(
          "no leader of the lock cluster was reached within 10 s at "
              + peers
              + "; start its members, or correct the addresses or the TLS files",
          thrown.getCause().getMessage());
      assertThrows(CompletionException.class, () -> plain.status().join());
    }
  }

  @Test
  void a_client_continues_with_its_certificate_when_the_leader_ends() throws Exception {
    String peers = RatisClusterTest.freePeers(3);
    Map<String, LockCluster> members = new TreeMap<>();
    try {
      for (String id : List.of("n1", "n2", "n3")) {
        members.put(id, good.of(peers).member(id, folder.resolve("continues-" + id)).start());
      }
      try (LockCluster client = ofClient.of(peers).start();
          UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
          LockClient locks = userAgent.openLockClient("https://shop.test")) {
        locks.acquire("cart").close();
        ReplacementTest.awaitAll(client, 3); // the vote of a member without entries does not count
        String leader = Objects.requireNonNull(client.metrics().leader());
        Objects.requireNonNull(members.get(leader)).close();
        locks.acquire("cart").close();
        assertNotEquals(leader, client.metrics().leader());
      }
    } finally {
      members.values().forEach(LockCluster::close);
    }
  }

  private static String refusal(CompletableFuture<?> answer) {
    CompletionException thrown = assertThrows(CompletionException.class, answer::join);
    assertInstanceOf(IOException.class, thrown.getCause());
    return thrown.getCause().getMessage();
  }

  @Test
  void a_client_cannot_administrate_the_cluster() throws Exception {
    String peers = RatisClusterTest.freePeers(1);
    try (LockCluster member = good.of(peers).member("n1", folder.resolve("administrate")).start();
        LockCluster client = ofClient.of(peers).start()) {
      assertEquals("n1", member.status().join().leader());
      assertEquals("n1", client.status().join().leader());
      assertEquals(
          "the certificate 'CN=c' is one of a client; for the removal of a namespace use one of a"
              + " member, with the URI weblocks:member in its subjectAltName",
          refusal(client.removeNamespace("shop")));
      assertEquals(
          "the certificate 'CN=c' is one of a client; for the replacement of a member use one of a"
              + " member, with the URI weblocks:member in its subjectAltName",
          refusal(client.replaceMember("n1", "n2=127.0.0.1:1")));
      assertEquals("there is no namespace 'shop'", refusal(member.removeNamespace("shop")));
    }
  }

  private static String withoutRoleMessage() {
    return "the certificate 'CN=o' has no role; renew it with the URI weblocks:client or"
        + " weblocks:member in its subjectAltName, or start the members with"
        + " --accept-members-without-role until all certificates are renewed";
  }

  @Test
  void a_certificate_without_a_role_is_refused() throws Exception {
    String peers = RatisClusterTest.freePeers(1);
    CompletableFuture<String> rejected = new CompletableFuture<>();
    ClusterListener listener =
        new ClusterListener() {
          @Override
          public void rejected(String userAgent, String message) {
            rejected.complete(message);
          }
        };
    try (LockCluster member = good.of(peers).member("n1", folder.resolve("refused")).start();
        LockCluster client = withoutRole.of(peers).listener(listener).start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      assertEquals("n1", member.status().join().leader());
      assertThrows(CompletionException.class, () -> locks.request("cart").join());
      assertEquals(withoutRoleMessage(), rejected.join());
      assertEquals(withoutRoleMessage(), refusal(client.status()));
    }
    LockCluster.Builder builder = withoutRole.of(peers).member("n1", folder.resolve("not started"));
    assertEquals(
        withoutRoleMessage(), assertThrows(IOException.class, builder::start).getMessage());
  }

  @Test
  void a_member_that_accepts_certificates_without_a_role_warns() throws Exception {
    String peers = RatisClusterTest.freePeers(1);
    Queue<String> messages = new ConcurrentLinkedQueue<>();
    Handler recorder =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            messages.add(new SimpleFormatter().formatMessage(logged));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.weblocks.cluster");
    logger.addHandler(recorder);
    try (LockCluster member =
            withoutRole
                .of(peers)
                .member("n1", folder.resolve("accepts"))
                .acceptMembersWithoutRole()
                .start();
        LockCluster client = withoutRole.of(peers).start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test");
        HeldLock lock = locks.acquire("cart")) {
      assertTrue(lock.isHeld());
      assertEquals("n1", Objects.requireNonNull(member.metrics().member()).id());
    } finally {
      logger.removeHandler(recorder);
    }
    assertTrue(
        messages.contains(
            "the member 'n1' accepts certificates without a role as those of members: renew them"
                + " with a role, and start it without --accept-members-without-role"),
        messages.toString());
  }

  @Test
  void a_file_that_cannot_be_read_gives_a_clear_error() {
    Path missing = folder.resolve("missing.key");
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> LockCluster.builder().tls(missing, good.certificate(), good.authority()));
    assertEquals(missing + " is not a file that can be read, which TLS needs", thrown.getMessage());
  }
}
