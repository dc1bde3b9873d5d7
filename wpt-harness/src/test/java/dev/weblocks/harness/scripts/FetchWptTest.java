package dev.weblocks.harness.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/fetch-wpt} with a small checkout and a local repository. */
class FetchWptTest extends FetchWptFixture {
  @Test
  void checkout_is_copied_into_the_cache_and_verified(@TempDir Path dir) throws Exception {
    Path checkout = checkout(dir);
    subset(dir, UNUSED_COMMIT);

    Result result = fetch(dir, "--wpt", checkout.toString());

    assertEquals(0, result.status(), result.err());
    assertEquals(FILES, filesOf(cache(dir, UNUSED_COMMIT)));
    assertEquals(0, fetch(dir, "--check").status());
  }

  @Test
  void valid_cache_needs_no_source(@TempDir Path dir) throws Exception {
    subset(dir, UNUSED_COMMIT);
    fetch(dir, "--wpt", checkout(dir).toString());

    Result again = fetch(dir, "--git-url", dir.resolve("nowhere").toUri().toString());

    assertEquals(new Result(0, "", ""), again);
  }

  @Test
  void checkout_that_differs_is_refused_and_each_differing_file_named(@TempDir Path dir)
      throws Exception {
    Path checkout = checkout(dir);
    subset(dir, UNUSED_COMMIT);
    Files.writeString(checkout.resolve("web-locks/held.https.any.js"), "// edited\n");
    Files.delete(checkout.resolve("dom/constants.js"));

    Result result = fetch(dir, "--wpt", checkout.toString());

    assertEquals(1, result.status());
    assertEquals(
        List.of(
            "fetch-wpt: missing: dom/constants.js",
            "fetch-wpt: differs: web-locks/held.https.any.js",
            "fetch-wpt: 2 of 4 files in "
                + checkout
                + " are not as pinned:"
                + " 'weblocks wpt --wpt DIR' runs the tests of another revision"),
        result.err().lines().toList());
    assertFalse(Files.exists(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void damaged_cache_is_detected_by_check_and_repaired_from_a_checkout(@TempDir Path dir)
      throws Exception {
    Path checkout = checkout(dir);
    subset(dir, UNUSED_COMMIT);
    fetch(dir, "--wpt", checkout.toString());
    Files.writeString(cache(dir, UNUSED_COMMIT).resolve("dom/constants.js"), "// damaged\n");

    Result check = fetch(dir, "--check");
    Result repair = fetch(dir, "--wpt", checkout.toString());

    assertEquals(1, check.status());
    assertTrue(check.err().startsWith("fetch-wpt: differs: dom/constants.js\n"), check.err());
    assertEquals(0, repair.status(), repair.err());
    assertEquals(FILES, filesOf(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void damage_in_the_cache_is_named_and_repaired_from_a_source(@TempDir Path dir) throws Exception {
    String commit = repository(dir);
    String upstream = dir.resolve("upstream").toUri().toString();
    subset(dir, commit);
    fetch(dir, "--git-url", upstream);
    Path cache = cache(dir, commit);
    Files.writeString(cache.resolve("dom/constants.js"), "// damaged\n");
    Files.delete(cache.resolve("web-locks/held.https.any.js"));

    Result repair = fetch(dir, "--quiet", "--git-url", upstream);

    assertEquals(
        List.of(
            "fetch-wpt: differs: dom/constants.js",
            "fetch-wpt: missing: web-locks/held.https.any.js",
            "fetch-wpt: 2 of 4 files in " + cache + " are not as pinned: fetching them again"),
        repair.err().lines().toList());
    assertEquals(0, repair.status());
    assertEquals(FILES, filesOf(cache));
  }

  @Test
  void damaged_cache_is_used_as_is_in_quick_or_unverified_mode(@TempDir Path dir) throws Exception {
    subset(dir, UNUSED_COMMIT);
    fetch(dir, "--wpt", checkout(dir).toString());
    Path cache = cache(dir, UNUSED_COMMIT);
    Files.writeString(cache.resolve("dom/constants.js"), "// damaged\n");

    assertEquals(new Result(0, "", ""), fetch(dir, "--quick"));
    assertEquals(new Result(0, "", ""), fetch(dir, "--no-verify"));
    assertEquals(new Result(0, cache + "\n", ""), fetch(dir, "--no-verify", "--print-dir"));
    assertEquals("// damaged\n", Files.readString(cache.resolve("dom/constants.js")));
  }

  @Test
  void leftover_of_an_interrupted_fetch_is_removed(@TempDir Path dir) throws Exception {
    subset(dir, UNUSED_COMMIT);
    Path leftover = cache(dir, UNUSED_COMMIT).resolveSibling("." + UNUSED_COMMIT + ".work.1");
    write(leftover.resolve("tree"), Map.of("web-locks/held.https.any.js", "// half\n"));

    Result result = fetch(dir, "--wpt", checkout(dir).toString());

    assertEquals(0, result.status(), result.err());
    assertFalse(Files.exists(leftover));
    assertEquals(FILES, filesOf(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void two_concurrent_fetches_both_succeed(@TempDir Path dir) throws Exception {
    Path checkout = checkout(dir);
    subset(dir, UNUSED_COMMIT);

    Process first = start(dir, Map.of(), List.of("--wpt", checkout.toString()));
    Process second = start(dir, Map.of(), List.of("--wpt", checkout.toString()));

    assertEquals(0, finish(first).status());
    assertEquals(0, finish(second).status());
    assertEquals(FILES, filesOf(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void changed_hash_list_makes_the_cache_stale(@TempDir Path dir) throws Exception {
    Path checkout = checkout(dir);
    subset(dir, UNUSED_COMMIT);
    fetch(dir, "--wpt", checkout.toString());
    Files.writeString(checkout.resolve("dom/constants.js"), "// new constants\n");
    fetch(dir, "--update-hashes", checkout.toString());

    Result result = fetch(dir, "--from", "git", "--git-url", "file:///nowhere");

    assertEquals(2, result.status(), result.err());
    assertEquals(0, fetch(dir, "--wpt", checkout.toString()).status());
    assertEquals(filesOf(checkout), filesOf(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void override_list_has_hashes_of_files_that_differ_in_a_source(@TempDir Path dir)
      throws Exception {
    Path checkout = checkout(dir);
    subset(dir, UNUSED_COMMIT);
    Files.writeString(checkout.resolve("dom/constants.js"), "// Firefox's constants\n");
    assertEquals(1, fetch(dir, "--wpt", checkout.toString()).status());

    fetch(dir, "--update-hashes", checkout.toString(), "--source", "debian");
    Result result = fetch(dir, "--wpt", checkout.toString());

    String override = Files.readString(dir.resolve("subset/hashes.debian.sha256"));
    assertEquals(sha256("// Firefox's constants\n") + "  dom/constants.js\n", override);
    assertEquals(0, result.status(), result.err());
  }

  @Test
  void git_source_fetches_only_the_pinned_folders(@TempDir Path dir) throws Exception {
    String commit = repository(dir);
    subset(dir, commit);

    Result result = fetch(dir, "--git-url", dir.resolve("upstream").toUri().toString());

    assertEquals(0, result.status(), result.err());
    assertEquals(FILES, filesOf(cache(dir, commit)));
  }

  @Test
  void git_file_that_differs_is_a_warning_while_hashes_are_unverified(@TempDir Path dir)
      throws Exception {
    String commit = repository(dir);
    subset(dir, commit);
    damageHashOf(dir, "dom/constants.js");

    Result result = fetch(dir, "--git-url", dir.resolve("upstream").toUri().toString());

    assertEquals(0, result.status(), result.err());
    assertTrue(
        result.err().contains("fetch-wpt: warning: differs: dom/constants.js\n"), result.err());
    assertEquals(0, fetch(dir, "--check").status());
    Files.writeString(cache(dir, commit).resolve("dom/constants.js"), "// damaged\n");
    assertEquals(1, fetch(dir, "--check").status());
  }

  @Test
  void git_file_that_differs_is_an_error_once_hashes_are_verified(@TempDir Path dir)
      throws Exception {
    String commit = repository(dir);
    subset(dir, commit);
    Path pin = dir.resolve("subset/pin");
    Files.writeString(pin, Files.readString(pin).replace("presumed", "verified"));
    damageHashOf(dir, "dom/constants.js");

    Result result =
        fetch(dir, "--from", "git", "--git-url", dir.resolve("upstream").toUri().toString());

    assertEquals(1, result.status(), result.err());
    assertTrue(result.err().contains("fetch-wpt: differs: dom/constants.js\n"), result.err());
    assertFalse(Files.exists(cache(dir, commit)));
  }

  @Test
  void wrong_usage_prints_one_line_and_exits_with_2(@TempDir Path dir) throws Exception {
    subset(dir, UNUSED_COMMIT);
    for (List<String> arguments :
        List.of(
            List.of("--frobnicate"),
            List.of("--wpt"),
            List.of("--wpt", dir.resolve("nowhere").toString()),
            List.of("--wpt", dir.toString()),
            List.of("--from", "cvs"))) {
      Result result = fetch(dir, arguments.toArray(String[]::new));
      assertEquals(2, result.status(), arguments + result.err());
      assertEquals(1, result.err().lines().count(), arguments + result.err());
    }
  }

  @Test
  void malformed_hash_list_prints_one_line_and_exits_with_2(@TempDir Path dir) throws Exception {
    subset(dir, UNUSED_COMMIT);
    Path list = dir.resolve("subset/hashes.sha256");
    Files.writeString(list, "abc  a.js\n");

    Result result = fetch(dir, "--wpt", checkout(dir).toString());

    assertEquals(
        new Result(2, "", "fetch-wpt: " + list + ": 'abc  a.js' is not a hash and a path\n"),
        result);
    assertFalse(Files.exists(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void update_of_hashes_for_a_source_names_every_missing_file(@TempDir Path dir) throws Exception {
    Path checkout = checkout(dir);
    subset(dir, UNUSED_COMMIT);
    Files.delete(checkout.resolve("dom/constants.js"));

    Result result = fetch(dir, "--update-hashes", checkout.toString(), "--source", "debian");

    assertEquals(
        new Result(
            1,
            "",
            "fetch-wpt: missing: dom/constants.js\n"
                + "fetch-wpt: the files above are missing in "
                + checkout
                + "\n"),
        result);
    assertFalse(Files.exists(dir.resolve("subset/hashes.debian.sha256")));
  }

  @Test
  void unreachable_sources_end_with_status_2(@TempDir Path dir) throws Exception {
    subset(dir, UNUSED_COMMIT);

    Result result = fetch(dir, "--from", "git", "--git-url", "file:///nowhere");

    List<String> lines = result.err().lines().toList();
    assertEquals(2, result.status());
    assertEquals("fetch-wpt: these were tried:", lines.get(lines.size() - 3));
    assertTrue(
        lines.get(lines.size() - 2).startsWith("fetch-wpt:   git: file:///nowhere cannot be"),
        result.err());
    assertEquals(
        "fetch-wpt: no source of the web-platform-tests could be used: set WPT_DEBIAN_MIRROR to a"
            + " Debian mirror, or WPT_DIR to a checkout of web-platform-tests/wpt at "
            + UNUSED_COMMIT,
        lines.getLast());
  }
}
