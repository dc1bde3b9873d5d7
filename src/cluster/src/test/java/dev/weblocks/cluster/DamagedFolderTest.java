package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.util.MD5FileUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member that starts from a folder whose files were changed while it was stopped. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class DamagedFolderTest {

  private static final String OR_REPLACE =
      ", or replace this member by one with a new id and an empty folder";

  @TempDir Path folder;
  private String peers = "";
  private Path data;

  @BeforeEach
  void runOnce() throws Exception {
    peers = RatisClusterTest.freePeers(1);
    data = folder.resolve("n1");
    work();
  }

  private LockCluster start() throws IOException {
    return LockCluster.builder().peers(peers).member("n1", data).start();
  }

  /** Starts the member, takes locks, and stops it, which writes a snapshot. */
  private void work() throws Exception {
    try (LockCluster member = start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(member).build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      for (int i = 0; i < 5; i++) {
        locks.acquire("cart").close();
      }
    }
  }

  /** Returns the snapshots in a folder, the newest last. */
  static List<Path> snapshots(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
          .sorted(Comparator.comparing(DamagedFolderTest::index))
          .toList();
    }
  }

  private static long index(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(name.lastIndexOf('_') + 1));
  }

  private static Path md5(Path snapshot) {
    return snapshot.resolveSibling(snapshot.getFileName() + ".md5");
  }

  /** Returns the file to which a member would append. */
  static Path newestSegment(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("log_inprogress_"))
          .max(Comparator.comparing(DamagedFolderTest::index))
          .orElseThrow();
    }
  }

  /** Returns the length of a segment without the zeros that are allocated at its end. */
  static int written(byte[] segment) {
    int length = segment.length;
    while (segment[length - 1] == 0) {
      length--;
    }
    return length;
  }

  private String refusal() {
    return assertThrows(IOException.class, () -> start().close()).getMessage();
  }

  private void assertRefusedAsDamaged() {
    String message = refusal();
    assertTrue(message.startsWith("cannot use " + data + ": "), message);
    assertTrue(message.endsWith("; restore it" + OR_REPLACE), message);
    assertFalse(message.contains("\n") || message.contains("Exception"), message);
  }

  @Test
  void a_snapshot_of_a_later_version_refuses_the_member() throws Exception {
    Path snapshot = snapshots(data).getLast();
    byte[] bytes = Files.readAllBytes(snapshot);
    bytes[0] = (byte) (EntryCodec.VERSION + 1);
    Files.write(snapshot, bytes);
    MD5FileUtil.saveMD5File(snapshot.toFile(), MD5FileUtil.computeMd5ForFile(snapshot.toFile()));
    assertEquals(
        snapshot
            + ": a snapshot of the lock cluster has version "
            + (EntryCodec.VERSION + 1)
            + ", but this build reads version 1 to "
            + EntryCodec.VERSION
            + "; use the build that wrote it",
        refusal());
  }

  @Test
  void a_snapshot_that_has_changed_on_disk_refuses_the_member() throws Exception {
    Path snapshot = snapshots(data).getLast();
    byte[] bytes = Files.readAllBytes(snapshot);
    bytes[bytes.length - 1] ^= 1;
    Files.write(snapshot, bytes);
    assertRefusedAsDamaged();
  }

  /** Puts the oldest snapshot back in the place of all later ones. */
  private Path putBackSnapshot() throws Exception {
    Path old = snapshots(data).getLast();
    byte[] bytes = Files.readAllBytes(old);
    byte[] hash = Files.readAllBytes(md5(old));
    work(); // in another term, in which the log begins another file
    work();
    for (Path recent : snapshots(data)) {
      Files.delete(recent);
      Files.delete(md5(recent));
    }
    Files.write(old, bytes);
    Files.write(md5(old), hash);
    return old;
  }

  @Test
  void an_old_snapshot_whose_log_is_gone_refuses_the_member() throws Exception {
    Path old = putBackSnapshot();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path each : files.toList()) {
        if (each.getFileName().toString().matches("log_\\d+-\\d+")) {
          Files.delete(each); // as Ratis does after a snapshot
        }
      }
    }
    assertEquals(
        "the data in %s is not complete: the snapshot ends at entry %s, but the log begins at entry %s; restore it%s"
            .formatted(data, index(old), index(newestSegment(data)), OR_REPLACE),
        refusal());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_member_whose_newest_segment_is_lost_is_refused(boolean empty) throws Exception {
    Path segment = newestSegment(data);
    for (Path snapshot : snapshots(data)) { // a member that is killed writes none
      Files.delete(snapshot);
      Files.delete(md5(snapshot));
    }
    if (empty) {
      Files.write(segment, new byte[0]);
    } else {
      Files.delete(segment);
    }
    assertEquals(
        "the data in %s is not complete: the log has no file from entry %s on, although this member confirmed it; restore it%s"
            .formatted(data, index(segment), OR_REPLACE),
        refusal());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "storage=\\uZZZZ", "cluster=x", "\u0000\u0001"})
  void a_damaged_file_of_the_member_is_named(String text) throws Exception {
    Files.writeString(data.resolve("member.properties"), text);
    String message = refusal();
    assertTrue(message.startsWith(data.resolve("member.properties").toString()), message);
    assertTrue(message.endsWith("damaged; restore it from a backup"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"term=x", "MISSING"})
  void a_damaged_term_refuses_the_member(String text) throws Exception {
    Path meta = newestSegment(data).resolveSibling("raft-meta");
    if (text.equals("MISSING")) {
      Files.delete(meta);
    } else {
      Files.writeString(meta, text);
    }
    assertEquals(
        "cannot use %s: the file raft-meta, which has its term, is missing or damaged; restore it%s"
            .formatted(data, OR_REPLACE),
        refusal());
  }

  @Test
  void a_folder_in_use_is_named() throws Exception {
    try (LockCluster first = start()) {
      String message =
          assertThrows(
                  IOException.class,
                  () ->
                      LockCluster.builder()
                          .peers(
                              peers.replaceFirst(
                                  ":\\d+",
                                  ":" + RatisClusterTest.freePeers(1).replaceFirst(".*:", "")))
                          .member("n1", data)
                          .start())
              .getMessage();
      assertEquals("cannot use " + data + ": another member of this process uses it", message);
    }
  }

  @Test
  void an_old_snapshot_with_its_log_is_replayed() throws Exception {
    putBackSnapshot();
    work();
  }

  @Test
  void a_log_whose_last_record_ends_in_zeros_refuses_the_member() throws Exception {
    Path segment = newestSegment(data);
    byte[] bytes = Files.readAllBytes(segment);
    int end = written(bytes);
    Arrays.fill(bytes, end - 10, end, (byte) 0);
    Files.write(segment, bytes);
    assertRefusedAsDamaged();
  }
}
