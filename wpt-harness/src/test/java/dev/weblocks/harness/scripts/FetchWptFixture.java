package dev.weblocks.harness.scripts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/** Pins, checkouts and runs for the tests of {@code scripts/fetch-wpt}. */
abstract class FetchWptFixture {
  private static final String FETCH_WPT =
      Path.of("scripts", "fetch-wpt").toAbsolutePath().toString();
  static final String UNUSED_COMMIT = "0123456789abcdef0123456789abcdef01234567";

  static final Map<String, String> FILES =
      new TreeMap<>(
          Map.of(
              "resources/testharness.js", "// harness\n",
              "web-locks/held.https.any.js", "// held\n",
              "web-locks/resources/helpers.js", "// helpers\n",
              "dom/constants.js", "// constants\n"));

  record Result(int status, String out, String err) {}

  @BeforeEach
  void bash_is_there() {
    assumeTrue(onPath("bash"), "bash is not installed");
  }

  static Path checkout(Path dir) throws IOException {
    return write(dir.resolve("checkout"), FILES);
  }

  /** Writes a pin and the hashes of {@link #FILES}. */
  static void subset(Path dir, String commit) throws IOException {
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
            debian-archive = %s
            folder = resources
            folder = web-locks
            exclude = resources/chromium
            file = dom/constants.js
            """
                .formatted(commit, pinnedArchive(dir)),
            "hashes.sha256",
            hashes.toString()));
  }

  /** Returns the path, size and hash of the pinned archive, which a test may put into a mirror. */
  private static String pinnedArchive(Path dir) throws IOException {
    Path tarball = dir.resolve("firefox.tar.xz");
    byte[] bytes = Files.exists(tarball) ? Files.readAllBytes(tarball) : new byte[0];
    return "%s %d %s".formatted(archive("140.12.0esr"), bytes.length, sha256(bytes));
  }

  /** Returns the path of an archive in a mirror. */
  static String archive(String release) {
    return "pool/main/f/firefox-esr/firefox-esr_" + release + ".orig.tar.xz";
  }

  static void damageHashOf(Path dir, String file) throws IOException {
    Path list = dir.resolve("subset/hashes.sha256");
    String hash = sha256(FILES.getOrDefault(file, ""));
    Files.writeString(list, Files.readString(list).replace(hash, "0".repeat(64)));
  }

  /** Creates a repository with the files and others beside them; returns its commit. */
  static String repository(Path dir) throws Exception {
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

  static Result fetch(Path dir, String... arguments) throws Exception {
    return finish(start(dir, Map.of(), List.of(arguments)));
  }

  static Process start(Path dir, Map<String, String> environment, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", FETCH_WPT));
    command.addAll(List.of("--subset", dir.resolve("subset").toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(Set.of("WPT_DIR", "WPT_DEBIAN_MIRROR"));
    builder.environment().put("XDG_CACHE_HOME", dir.resolve("cache").toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  static Result finish(Process process) throws Exception {
    process.getOutputStream().close();
    // Both outputs fit into the pipe buffers, so reading them in turn cannot deadlock.
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), out, err);
  }

  static Path cache(Path dir, String commit) {
    return dir.resolve("cache/weblocks/wpt").resolve(commit);
  }

  static Path write(Path root, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = root.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    return root;
  }

  /** Returns all files below a folder, except the script's own records. */
  static Map<String, String> filesOf(Path root) throws IOException {
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

  static String sha256(String text) {
    return sha256(text.getBytes(UTF_8));
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  static boolean onPath(String command) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }
}
