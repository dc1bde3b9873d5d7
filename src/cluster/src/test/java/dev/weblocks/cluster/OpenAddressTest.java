package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses to listen on, of a member without TLS. */
class OpenAddressTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "0", "[::]", "[::0]", "192.0.2.1", "no-such-host.invalid"})
  void address_that_other_machines_reach_needs_tls(String host) throws IOException {
    LockCluster.Builder builder =
        LockCluster.builder()
            .peers(RatisClusterTest.freePeers(1))
            .member("n1", folder.resolve("data"))
            .listenOn(host);
    IllegalStateException thrown = assertThrows(IllegalStateException.class, builder::start);
    assertEquals(
        "other machines can connect to " + host + "; call tls(), or insecure() in a closed network",
        thrown.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void loopback_address_needs_no_tls(String host) throws IOException {
    try (LockCluster member =
        LockCluster.builder()
            .peers(RatisClusterTest.freePeers(1))
            .member("n1", folder.resolve(host))
            .listenOn(host)
            .start()) {
      assertEquals("n1", member.status().join().leader());
    }
  }

  @Test
  void closed_network_may_be_open_to_all_addresses() throws IOException {
    try (LockCluster member =
        LockCluster.builder()
            .peers(RatisClusterTest.freePeers(1))
            .member("n1", folder.resolve("closed"))
            .listenOn("0.0.0.0")
            .insecure()
            .start()) {
      assertEquals("n1", member.status().join().leader());
    }
  }
}
