package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class WptHashesTest {

  private final MiniatureWpt wpt = new MiniatureWpt().file("b.js", "B").file("a.js", "A");
  private final WptHashes hashes = new WptHashes(wpt.root().resolve("wpt-subset"));

  private static String line(String content, String path) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
    return HexFormat.of().formatHex(hash) + "  " + path;
  }

  private List<String> compare() throws IOException {
    return hashes.compare(wpt.root()).stream()
        .filter(each -> !each.how().equals("added")) // the lists are beside the tests here
        .map(WptHashes.Deviation::toString)
        .toList();
  }

  @Test
  void deviations_are_in_the_order_of_the_hash_list() throws Exception {
    wpt.file(
        "wpt-subset/hashes.sha256",
        line("", "gone.js"),
        line("other", "b.js"),
        line("A", "a.js"),
        line("", "dir"));
    wpt.file("dir/file", "");

    assertEquals(List.of("missing: gone.js", "differs: b.js", "missing: dir"), compare());
  }

  @Test
  void hash_list_of_the_recorded_source_overrides_base_hashes() throws Exception {
    wpt.file("wpt-subset/hashes.sha256", line("A", "a.js"), line("other", "b.js"))
        .file("wpt-subset/hashes.debian.sha256", line("B", "b.js"), line("", "unlisted.js"))
        .file("wpt-subset/hashes.git.sha256", line("edited", "a.js"))
        .file(".weblocks/stamp", "id", "source debian", "from a package");

    assertEquals(List.of(), compare());
    wpt.file("a.js", "edited").file("b.js", "other");
    assertEquals(List.of("differs: a.js", "differs: b.js"), compare());
  }

  @Test
  void files_of_a_checkout_may_match_the_hashes_of_any_source() throws Exception {
    wpt.file("wpt-subset/hashes.sha256", line("A", "a.js"), line("other", "b.js"))
        .file("wpt-subset/hashes.debian.sha256", line("B", "b.js"))
        .file(".weblocks/stamp", "id", "source checkout", "from a folder");

    assertEquals(List.of(), compare());
    wpt.file("b.js", "other");
    assertEquals(List.of(), compare());
    wpt.file("b.js", "edited");
    assertEquals(List.of("differs: b.js"), compare());
  }

  @Test
  void accepted_deviation_is_reported_again_when_the_file_changes() throws Exception {
    wpt.file("wpt-subset/hashes.sha256", line("other", "a.js"), line("", "gone.js"))
        .file(".weblocks/stamp", "id", "source git", "from a commit")
        .file(".weblocks/accepted.sha256", line("A", "a.js"))
        .file(".weblocks/gaps", "missing: gone.js");

    assertEquals(List.of("accepted, differs: a.js", "accepted, missing: gone.js"), compare());
    wpt.file("a.js", "damaged");
    assertEquals(List.of("differs: a.js", "accepted, missing: gone.js"), compare());
  }

  @Test
  void hash_list_that_is_not_utf_8_is_named_in_the_error() {
    wpt.bytes("wpt-subset/hashes.sha256", new byte[] {(byte) 0xff});

    IOException failure = assertThrows(IOException.class, hashes::paths);
    assertEquals("/wpt/wpt-subset/hashes.sha256 is not UTF-8 text", failure.getMessage());
  }
}
