package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WptSubsetTest {

  private final MiniatureWpt wpt = new MiniatureWpt().file("a.js", "A").file("dir/b c.js", "B");
  private final WptSubset subset = new WptSubset(wpt.root().resolve("wpt-subset"));

  private static String line(String content, String path) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
    return HexFormat.of().formatHex(hash) + "  " + path;
  }

  @Test
  void files_with_correct_hashes_are_not_damaged() throws Exception {
    assertFalse(subset.hasHashes());
    wpt.file("wpt-subset/hashes.sha256", line("A", "a.js"), line("B", "dir/b c.js"));

    assertTrue(subset.hasHashes());
    assertEquals(List.of(), subset.damagedFiles(wpt.root()));
  }

  @Test
  void changed_and_missing_files_are_named() throws Exception {
    wpt.file(
        "wpt-subset/hashes.sha256",
        line("other", "a.js"),
        line("B", "dir/b c.js"),
        line("", "gone.js"));

    assertEquals(List.of("differs: a.js", "missing: gone.js"), subset.damagedFiles(wpt.root()));
  }

  @Test
  void files_added_to_a_fetched_directory_are_named() throws Exception {
    wpt.file("wpt-subset/hashes.sha256", line("A", "a.js"), line("B", "dir/b c.js"))
        .file("dir/new.any.js", "")
        .file("other/new.html", "");
    assertEquals(List.of(), subset.damagedFiles(wpt.root()), "a checkout has further files");

    wpt.file(".weblocks/stamp", "id", "source checkout");

    assertEquals(
        List.of("added: dir/new.any.js", "added: other/new.html"),
        subset.damagedFiles(wpt.root()).stream().filter(each -> each.contains("/new.")).toList());
  }

  @Test
  void accepted_files_and_files_of_a_known_source_are_not_damaged() throws Exception {
    wpt.file(
            "wpt-subset/hashes.sha256",
            line("other", "a.js"),
            line("other", "dir/b c.js"),
            line("", "gone.js"))
        .file("wpt-subset/hashes.debian.sha256", line("A", "a.js"))
        .file(".weblocks/accepted.sha256", line("B", "dir/b c.js"))
        .file(".weblocks/gaps", "missing: gone.js");

    assertEquals(List.of(), subset.damagedFiles(wpt.root()));
  }

  @Test
  void invalid_hash_list_is_an_error_with_its_line() {
    wpt.file("wpt-subset/hashes.sha256", "abc  a.js");

    IOException failure = assertThrows(IOException.class, () -> subset.damagedFiles(wpt.root()));
    assertEquals(
        "/wpt/wpt-subset/hashes.sha256: 'abc  a.js' is not a hash and a path",
        failure.getMessage());
  }

  @Test
  void the_commit_is_read_from_the_pin() throws IOException {
    assertEquals(Optional.empty(), subset.commit());
    wpt.file("wpt-subset/pin", "# commit = no", "repository = r", " commit =  abc ");

    assertEquals(Optional.of("abc"), subset.commit());
  }
}
