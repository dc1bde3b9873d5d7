package dev.weblocks.harness.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A secret file as the identity of members and clients on the loopback interface. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class SharedSecretTest {

  @TempDir static Path folder;
  private static Path secret = Path.of("");

  @BeforeAll
  static void makeSecret() throws IOException {
    secret = folder.resolve("secret");
    SharedSecret.create(secret);
  }

  private static void requirePosix() {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
  }

  private static void takeLock(String peers, Path data) throws Exception {
    try (LockCluster member =
            LockCluster.builder().peers(peers).member("n1", data).secret(secret).start();
        LockCluster client = LockCluster.builder().peers(peers).secret(secret).start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test");
        HeldLock lock = locks.acquire("cart")) {
      assertTrue(lock.isHeld());
      assertEquals("n1", member.status().join().leader());
    }
  }

  @Test
  void members_and_clients_with_the_file_reach_each_other() throws Exception {
    String peers = TrialCluster.freePeers(1);
    takeLock(peers, folder.resolve("address"));
    takeLock(peers.replace("127.0.0.1", "localhost"), folder.resolve("name"));
  }

  @Test
  @Tag("full") // waits until the client gives up
  void clients_with_another_file_or_none_are_refused() throws Exception {
    String peers = TrialCluster.freePeers(1);
    Path another = folder.resolve("another");
    SharedSecret.create(another);
    try (LockCluster member =
            LockCluster.builder()
                .peers(peers)
                .member("n1", folder.resolve("refuses"))
                .secret(secret)
                .start();
        LockCluster other = LockCluster.builder().peers(peers).secret(another).start();
        LockCluster none = LockCluster.builder().peers(peers).start()) {
      assertEquals("n1", member.status().join().leader());
      assertThrows(CompletionException.class, () -> other.status().join());
      assertThrows(CompletionException.class, () -> none.status().join());
    }
  }

  @Test
  void new_file_is_for_its_owner_alone() throws IOException {
    requirePosix();
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)));
  }

  @Test
  void file_that_other_users_can_read_is_refused() throws IOException {
    requirePosix();
    Path open = folder.resolve("open");
    SharedSecret.create(open);
    for (String permissions : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(permissions));
      IllegalArgumentException thrown =
          assertThrows(IllegalArgumentException.class, () -> LockCluster.builder().secret(open));
      assertEquals(
          "other users can read or change "
              + open
              + "; allow it to the owner alone, such as by chmod 600",
          thrown.getMessage());
    }
  }

  @Test
  void file_that_exists_is_not_replaced() {
    assertThrows(FileAlreadyExistsException.class, () -> SharedSecret.create(secret));
  }
}
