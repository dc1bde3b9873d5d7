package dev.weblocks.harness.scripts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/fetch-wpt} with a small checkout, a local repository and fake Debian commands. */
class FetchWptTest {
  private static final String FETCH_WPT =
      Path.of("scripts", "fetch-wpt").toAbsolutePath().toString();
  private static final String UNUSED_COMMIT = "0123456789abcdef0123456789abcdef01234567";

  private static final Map<String, String> FILES =
      new TreeMap<>(
          Map.of(
              "resources/testharness.js", "// harness\n",
              "web-locks/held.https.any.js", "// held\n",
              "web-locks/resources/helpers.js", "// helpers\n",
              "dom/constants.js", "// constants\n"));

  private record Result(int status, String out, String err) {}

  @BeforeEach
  void bash_is_there() {
    assumeTrue(onPath("bash"), "bash is not installed");
  }

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
  void debian_source_is_streamed_without_changing_the_package_lists(@TempDir Path dir)
      throws Exception {
    Path apt = pretendDebian(dir, "140.12.0esr-1~deb12u1");
    Map<String, String> listsBefore = filesOf(apt.resolve("etc"));
    subset(dir, UNUSED_COMMIT);

    Result result = fetchOnPretendedDebian(dir, apt);

    assertEquals(0, result.status(), result.err());
    assertEquals(FILES, filesOf(cache(dir, UNUSED_COMMIT)));
    assertEquals(listsBefore, filesOf(apt.resolve("etc")));
    Map<String, String> derived = filesOf(apt.resolve("seen"));
    assertEquals(
        "deb-src [arch=amd64] http://mirror.example/debian bookworm main\n",
        derived.get("machine.list"));
    assertEquals(
        "Types: deb-src\nURIs: http://mirror.example/debian\nSuites: trixie\nComponents: main\n",
        derived.get("debian.sources"));
  }

  @Test
  void other_debian_release_is_used_with_warnings_for_differing_files(@TempDir Path dir)
      throws Exception {
    Path apt = pretendDebian(dir, "153.7.0esr-1~deb12u1");
    subset(dir, UNUSED_COMMIT);
    damageHashOf(dir, "dom/constants.js");

    Result result = fetchOnPretendedDebian(dir, apt);

    assertEquals(0, result.status(), result.err());
    assertTrue(
        result.err().contains("fetch-wpt: warning: differs: dom/constants.js\n"), result.err());
  }

  @Test
  void damaged_copy_of_the_pinned_debian_release_is_refused(@TempDir Path dir) throws Exception {
    Path apt = pretendDebian(dir, "140.12.0esr-1~deb12u1");
    subset(dir, UNUSED_COMMIT);
    damageHashOf(dir, "dom/constants.js");

    Result result = fetchOnPretendedDebian(dir, apt);

    assertEquals(1, result.status(), result.err());
    assertFalse(Files.exists(cache(dir, UNUSED_COMMIT)));
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

    assertEquals(2, result.status());
    assertTrue(result.err().contains("--wpt DIR"), result.err());
  }

  // ---- fixtures
  // ----------------------------------------------------------------

  private static Path checkout(Path dir) throws IOException {
    return write(dir.resolve("checkout"), FILES);
  }

  /** Writes a pin and the hashes of {@link #FILES}. */
  private static void subset(Path dir, String commit) throws IOException {
    StringBuilder hashes = new StringBuilder();
    FILES.forEach((path, text) -> hashes.append(sha256(text) + "  " + path + "\n"));
    write(
        dir.resolve("subset"),
        Map.of(
            "pin",
            """
            repository = file:///nowhere
            commit = %s
            git-hashes = presumed
            debian-package = firefox-esr
            debian-version = 140.12.0esr-1~deb12u1
            debian-root = testing/web-platform/tests
            folder = resources
            folder = web-locks
            exclude = resources/chromium
            file = dom/constants.js
            """
                .formatted(commit),
            "hashes.sha256",
            hashes.toString()));
  }

  private static void damageHashOf(Path dir, String file) throws IOException {
    Path list = dir.resolve("subset/hashes.sha256");
    String hash = sha256(FILES.getOrDefault(file, ""));
    Files.writeString(list, Files.readString(list).replace(hash, "0".repeat(64)));
  }

  /** Creates a repository with the files and others beside them; returns its commit. */
  private static String repository(Path dir) throws Exception {
    assumeTrue(onPath("git"), "git is not installed");
    Path upstream = write(dir.resolve("upstream"), FILES);
    write(upstream, Map.of("css/big.html", "unwanted\n", "resources/chromium/mock.js", "no\n"));
    for (String command :
        List.of(
            "init -q",
            "config uploadpack.allowFilter true",
            "config uploadpack.allowAnySHA1InWant true",
            "add -A",
            "-c user.name=a -c user.email=a@example.org commit -q -m files")) {
      List<String> words = new ArrayList<>(List.of("git", "-C", upstream.toString()));
      words.addAll(List.of(command.split(" ")));
      Result result = finish(new ProcessBuilder(words).start());
      assertEquals(0, result.status(), result.err());
    }
    return finish(new ProcessBuilder("git", "-C", upstream.toString(), "rev-parse", "HEAD").start())
        .out()
        .strip();
  }

  /** Creates fake apt commands, and the source package that they name. */
  private static Path pretendDebian(Path dir, String version) throws Exception {
    for (String tool : List.of("xz", "tar", "curl", "mkfifo")) {
      assumeTrue(onPath(tool), tool + " is not installed");
    }
    Path apt = dir.resolve("apt");
    Path tests = apt.resolve("package/firefox/testing/web-platform/tests");
    write(tests, FILES);
    write(tests, Map.of("css/big.html", "unwanted\n"));
    Path tarball = apt.resolve("firefox-esr.orig.tar.xz");
    Result packed =
        finish(
            new ProcessBuilder(
                    "tar",
                    "-cJf",
                    tarball.toString(),
                    "-C",
                    apt.resolve("package").toString(),
                    "firefox")
                .start());
    assertEquals(0, packed.status(), packed.err());
    String line =
        "'%s' firefox-esr.orig.tar.xz %d SHA256:%s"
            .formatted(
                tarball.toUri(),
                Files.size(tarball),
                HexFormat.of()
                    .formatHex(
                        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(tarball))));
    write(
        apt.resolve("etc"),
        Map.of(
            "sources.list",
            """
            # comment
            deb [arch=amd64] http://mirror.example/debian bookworm main
            deb-src [arch=amd64] http://mirror.example/debian bookworm main
            """,
            "sources.list.d/debian.sources",
            "Types: deb\nURIs: http://mirror.example/debian\nSuites: trixie\nComponents: main\n"));
    write(
        apt.resolve("bin"),
        Map.of(
            "apt-config",
            "#!/bin/sh\necho \"LIST='%1$s/etc/sources.list'\"; echo \"PARTS='%1$s/etc/sources.list.d'\"\n"
                .formatted(apt),
            "apt-cache",
            "#!/bin/sh\nprintf 'Package: firefox-esr\\nVersion: %s\\n'\n".formatted(version),
            "apt-get",
            """
            #!/bin/sh
            for word; do
              case $word in
                Dir::Etc::sourceparts=*) parts=${word#*=} ;;
                update) mkdir -p '%1$s/seen' && cp "$parts"/* '%1$s/seen' ;;
                source) echo "%2$s" ;;
              esac
            done
            """
                .formatted(apt, line)));
    try (Stream<Path> commands = Files.list(apt.resolve("bin"))) {
      commands.forEach(command -> assertTrue(command.toFile().setExecutable(true)));
    }
    return apt;
  }

  private static Result fetchOnPretendedDebian(Path dir, Path apt) throws Exception {
    String path = apt.resolve("bin") + ":" + System.getenv("PATH");
    return finish(start(dir, Map.of("PATH", path), List.of("--from", "debian")));
  }

  private static Result fetch(Path dir, String... arguments) throws Exception {
    return finish(start(dir, Map.of(), List.of(arguments)));
  }

  private static Process start(Path dir, Map<String, String> environment, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", FETCH_WPT));
    command.addAll(List.of("--subset", dir.resolve("subset").toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("WPT_DIR");
    builder.environment().put("XDG_CACHE_HOME", dir.resolve("cache").toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static Result finish(Process process) throws Exception {
    process.getOutputStream().close();
    // Both outputs fit into the pipe buffers, so reading them in turn cannot deadlock.
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), out, err);
  }

  private static Path cache(Path dir, String commit) {
    return dir.resolve("cache/weblocks/wpt").resolve(commit);
  }

  private static Path write(Path root, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = root.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    return root;
  }

  /** Returns all files below a folder, except the script's own records. */
  private static Map<String, String> filesOf(Path root) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(path).toString();
        if (!name.startsWith(".weblocks")) {
          files.put(name, Files.readString(path));
        }
      }
    }
    return files;
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static boolean onPath(String command) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }
}
