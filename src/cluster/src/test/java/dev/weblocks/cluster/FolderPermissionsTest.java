package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions of the folder of a member, whose log has the secrets of sessions. */
class FolderPermissionsTest {

  @TempDir Path folder;
  private Path data = Path.of("");

  @BeforeEach
  void requirePosix() {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    data = folder.resolve("data");
  }

  private void runMember() throws IOException {
    try (LockCluster member =
        LockCluster.builder().peers(RatisClusterTest.freePeers(1)).member("n1", data).start()) {
      assertEquals("n1", member.status().join().leader());
    }
  }

  private void set(String permissions, Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private void assertPermissions(String expected, Path path) throws IOException {
    assertEquals(expected, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
  }

  private void assertSecretsAreRestricted() throws IOException {
    assertPermissions("rwx------", data.resolve("raft"));
    assertPermissions("rw-------", data.resolve("member.properties"));
  }

  @Test
  void new_folder_is_for_its_owner_alone() throws IOException {
    runMember();
    assertPermissions("rwx------", data);
    assertSecretsAreRestricted();
  }

  @Test
  void folder_of_the_user_keeps_its_permissions() throws IOException {
    Files.createDirectory(data);
    set("rwxr-xr-x", data);
    runMember();
    assertPermissions("rwxr-xr-x", data);
    assertSecretsAreRestricted();
  }

  @Test
  void start_restricts_what_an_earlier_build_has_created() throws IOException {
    runMember();
    set("rwxr-xr-x", data.resolve("raft"));
    set("rw-r--r--", data.resolve("member.properties"));
    runMember();
    assertSecretsAreRestricted();
  }
}
