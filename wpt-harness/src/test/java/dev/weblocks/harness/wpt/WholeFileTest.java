package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @Test
  void saving_replaces_the_file_and_leaves_no_temporary_file(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("report.json"), "old");

    WholeFile.save(file, "new");

    assertEquals("new", Files.readString(file));
    try (Stream<Path> files = Files.list(dir)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void save_through_a_link_writes_its_existing_or_new_target(@TempDir Path dir) throws IOException {
    Files.createDirectory(dir.resolve("target"));
    Path file = dir.resolve("target/report.json");
    Path link = Files.createSymbolicLink(dir.resolve("one"), Path.of("target/report.json"));
    Path linkToLink = Files.createSymbolicLink(dir.resolve("two"), link);

    WholeFile.requireWritable(link);
    WholeFile.save(link, "first");
    assertEquals("first", Files.readString(file));
    WholeFile.save(linkToLink, "second");

    assertEquals("second", Files.readString(file));
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.isSymbolicLink(linkToLink));
  }

  @Test
  void cyclic_links_are_an_error(@TempDir Path dir) throws IOException {
    Path one = Files.createSymbolicLink(dir.resolve("one"), Path.of("two"));
    Files.createSymbolicLink(dir.resolve("two"), Path.of("one"));

    assertThrows(FileSystemLoopException.class, () -> WholeFile.requireWritable(one));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void new_report_has_default_mode_and_old_one_keeps_its_own(@TempDir Path dir) throws IOException {
    Path any = Files.createFile(dir.resolve("any"));
    Path file = dir.resolve("report.json");

    WholeFile.save(file, "new");
    assertEquals(Files.getPosixFilePermissions(any), Files.getPosixFilePermissions(file));
    Set<PosixFilePermission> own = PosixFilePermissions.fromString("rw-rw----");
    Files.setPosixFilePermissions(file, own);
    WholeFile.save(file, "newer");

    assertEquals(own, Files.getPosixFilePermissions(file));
    assertEquals("newer", Files.readString(file));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void device_is_written_to_and_not_replaced(@TempDir Path dir) throws IOException {
    Path link = Files.createSymbolicLink(dir.resolve("null"), Path.of("/dev/null"));

    WholeFile.requireWritable(link);
    WholeFile.save(link, "nowhere");

    assertTrue(Files.readAttributes(link, BasicFileAttributes.class).isOther());
    assertTrue(Files.isSymbolicLink(link));
  }

  @Test
  void unwritable_path_is_detected_beforehand(@TempDir Path dir) throws IOException {
    WholeFile.requireWritable(dir.resolve("report.json"));
    assertFalse(Files.exists(dir.resolve("report.json")));

    assertThrows(IOException.class, () -> WholeFile.requireWritable(dir));
    IOException missing =
        assertThrows(
            IOException.class, () -> WholeFile.requireWritable(dir.resolve("no/report.json")));
    assertTrue(String.valueOf(missing.getMessage()).endsWith(" does not exist"));
  }

  @Test
  void all_paths_to_a_file_have_the_same_identity(@TempDir Path dir) throws IOException {
    Files.createDirectory(dir.resolve("real"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), Path.of("real"));
    Path file = dir.resolve("real/report");

    assertEquals(WholeFile.identity(file), WholeFile.identity(link.resolve("report")));
    assertEquals(WholeFile.identity(file), WholeFile.identity(dir.resolve("real/../real/report")));
    Files.createSymbolicLink(dir.resolve("direct"), file);
    assertEquals(WholeFile.identity(file), WholeFile.identity(dir.resolve("direct")));
    assertNotEquals(WholeFile.identity(file), WholeFile.identity(dir.resolve("report")));
  }
}
