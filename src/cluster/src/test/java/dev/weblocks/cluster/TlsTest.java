package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member with TLS, and clients with and without a certificate of its authority. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TlsTest {

  private static final String PASSWORD = "password";

  @TempDir static Path folder;

  /** A key with its certificate and the authority that has signed it, as files. */
  private record Identity(Path key, Path certificate, Path authority) {
    LockCluster.Builder of(String peers) {
      return LockCluster.builder()
          .peers(peers)
          .lease(Duration.ofSeconds(5))
          .tls(key, certificate, authority);
    }
  }

  private static Identity good;

  @BeforeAll
  static void makeCertificates() throws Exception {
    good = identity("good");
  }

  private static Identity identity(String name) throws Exception {
    Path authorityStore = folder.resolve(name + "-ca.p12");
    Path store = folder.resolve(name + ".p12");
    Path authority = folder.resolve(name + "-ca.crt");
    Path request = folder.resolve(name + ".csr");
    Path certificate = folder.resolve(name + ".crt");
    keytool(authorityStore, "-genkeypair", "-keyalg", "RSA", "-dname", "CN=ca", "-ext", "bc:c");
    keytool(authorityStore, "-exportcert", "-rfc", "-file", authority.toString());
    keytool(store, "-genkeypair", "-keyalg", "RSA", "-dname", "CN=" + name);
    keytool(store, "-certreq", "-file", request.toString());
    keytool(
        authorityStore,
        "-gencert",
        "-rfc",
        "-ext",
        "san=ip:127.0.0.1",
        "-infile",
        request.toString(),
        "-outfile",
        certificate.toString());
    return new Identity(privateKey(store, folder.resolve(name + ".key")), certificate, authority);
  }

  private static void keytool(Path store, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", "a", "-keystore", store.toString(), "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
  }

  private static Path privateKey(Path store, Path pem)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    byte[] key = keys.getKey("a", PASSWORD.toCharArray()).getEncoded();
    return Files.writeString(
        pem,
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
            + "\n-----END PRIVATE KEY-----\n");
  }

  @Test
  void a_client_with_a_certificate_of_the_authority_gets_locks() throws Exception {
    String peers = RatisClusterTest.freePeers(1);
    try (LockCluster member = good.of(peers).member("n1", folder.resolve("with")).start();
        LockCluster client = good.of(peers).start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test");
        HeldLock lock = locks.acquire("cart", Duration.ofSeconds(30))) {
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
      try (LockCluster client = good.of(RatisClusterTest.withoutPort(peers, leader)).start();
          UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
          LockClient locks = userAgent.openLockClient("https://shop.test");
          HeldLock lock = locks.acquire("cart", Duration.ofSeconds(30))) {
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
        LockCluster other = identity("foreign").of(peers).start();
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
  void a_file_that_cannot_be_read_gives_a_clear_error() {
    Path missing = folder.resolve("missing.key");
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> LockCluster.builder().tls(missing, good.certificate(), good.authority()));
    assertEquals(missing + " is not a file that can be read, which TLS needs", thrown.getMessage());
  }
}
