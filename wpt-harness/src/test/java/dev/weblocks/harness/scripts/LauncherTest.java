package dev.weblocks.harness.scripts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code scripts/weblocks} in a separate home, which is already built and whose {@code java} only
 * prints its arguments, except for the comparison of the WPT files.
 */
class LauncherTest {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
  private static final int LISTED = 8;
  private static final String HASHES =
      "wpt-harness/src/main/java/dev/weblocks/harness/wpt/WptHashes.java";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit fills it in
  private Path dir;

  private record Result(int status, String out, String err) {}

  @BeforeEach
  void make_a_home() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
    for (String script : List.of("weblocks", "fetch-wpt", "lib.sh")) {
      Path copy = dir.resolve("home/scripts").resolve(script);
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of("scripts", script), copy);
      assertTrue(copy.toFile().setExecutable(true));
    }
    Path build = dir.resolve("home/target/weblocks/build");
    write("home/target/weblocks/build/lib/weblocks.jar", "");
    Path source = dir.resolve("home").resolve(HASHES);
    Files.createDirectories(source.getParent());
    // Keeps the time of the file, which is older than the build.
    Files.copy(Path.of(HASHES), source, StandardCopyOption.COPY_ATTRIBUTES);
    write("home/target/weblocks/build/sources", HASHES + "\n");
    write("home/target/weblocks/stamp", build + "\n");
    write("home/wpt-subset/pin", "repository = file:///nowhere\ncommit = " + COMMIT + "\n");
    StringBuilder hashes = new StringBuilder();
    for (int i = 1; i <= LISTED; i++) {
      hashes.append("0".repeat(64)).append("  web-locks/").append(i).append(".js\n");
    }
    write("home/wpt-subset/hashes.sha256", hashes.toString());
    write("checkout/resources/testharness.js", "// harness\n");
    // From 25 on the launcher would train an archive in the background, beyond the end of a test.
    write("jdk/release", "JAVA_VERSION=\"24.0.1\"\n");
    write("jdk/bin/javac", "#!/bin/sh\n");
    write(
        "jdk/bin/java",
        """
        #!/bin/sh
        case "$*" in *WptHashes*) exec '%s/bin/java' "$@" ;; esac
        printf '%%s\\n' "$@"
        """
            .formatted(System.getProperty("java.home")));
    for (String tool : List.of("javac", "java")) {
      assertTrue(dir.resolve("jdk/bin").resolve(tool).toFile().setExecutable(true));
    }
  }

  @Test
  void named_checkout_is_passed_to_java_and_nothing_is_fetched() throws Exception {
    String checkout = dir.resolve("checkout").toString();

    Result result = launch("wpt", "--wpt", checkout, "/web-locks/");

    assertEquals(0, result.status(), result.err());
    assertEquals("", result.err());
    List<String> words = result.out().lines().toList();
    assertTrue(words.contains("-Dweblocks.wpt.dir=" + checkout), result.out());
    assertEquals(
        List.of("dev.weblocks.harness.cli.Main", "wpt", "--wpt", checkout, "/web-locks/"),
        words.subList(words.size() - 5, words.size()));
  }

  @Test
  void unverified_cache_is_passed_to_java_unchanged() throws Exception {
    String cache = "cache/weblocks/wpt/" + COMMIT;
    write(cache + "/resources/testharness.js", "// edited\n");

    Result result = launch("wpt", "--no-verify", "/web-locks/");

    assertEquals(0, result.status(), result.err());
    assertTrue(
        result.out().lines().toList().contains("-Dweblocks.wpt.dir=" + dir.resolve(cache)),
        result.out());
  }

  @Test
  void option_jit_falls_back_to_the_interpreter_with_a_message() throws Exception {
    Result result = launch("--jit", "run", "-e", "1");

    assertEquals(
        "weblocks: --jit: needs the source tree, to fetch the compiler; using the interpreter\n",
        result.err());
    assertEquals(0, result.status());
    assertFalse(result.out().contains("-XX:+EnableJVMCI"), result.out());
  }

  @Test
  void option_jit_only_fails_if_the_compiler_cannot_be_fetched() throws Exception {
    Result result = launch("--jit=only", "run", "-e", "1");

    assertEquals(
        "weblocks: --jit=only: needs the source tree, to fetch the compiler\n", result.err());
    assertEquals(2, result.status());
    assertEquals("", result.out());
  }

  @Test
  void option_jit_only_refuses_a_jdk_on_which_the_engine_interprets() throws Exception {
    offer_a_compiler("Interpreted");

    Result result = launch("--jit=only", "run", "-e", "1");

    assertEquals(
        "weblocks: --jit=only: JDK 24.0.1 in " + dir.resolve("jdk") + " cannot run this compiler\n",
        result.err());
    assertEquals(2, result.status());
    assertEquals("", result.out());
  }

  @Test
  void option_jit_only_starts_a_jdk_on_which_the_engine_compiles() throws Exception {
    offer_a_compiler("GraalVM CE");

    Result result = launch("--jit=only", "run", "-e", "1");

    assertEquals(0, result.status(), result.err());
    List<String> words = result.out().lines().toList();
    assertTrue(words.contains("-XX:+EnableJVMCI"), result.out());
    assertTrue(
        words.stream().anyMatch(each -> each.startsWith("--upgrade-module-path=")), result.out());
    assertEquals(
        List.of("dev.weblocks.harness.cli.Main", "run", "-e", "1"),
        words.subList(words.size() - 4, words.size()));
  }

  @Test
  void option_jit_starts_the_jdk_that_has_the_compiler_linked_in() throws Exception {
    offer_a_compiler("GraalVM CE");
    String linked = "home/target/weblocks/graal-compiler-1.2-jdk-24.0.1/bin/java";
    write(linked, "#!/bin/sh\necho linked\nprintf '%s\\n' \"$@\"\n");
    assertTrue(dir.resolve(linked).toFile().setExecutable(true));

    Result result = launch("--jit", "run", "-e", "1");

    assertEquals(0, result.status(), result.err());
    assertEquals("", result.err());
    List<String> words = result.out().lines().toList();
    assertEquals("linked", words.getFirst());
    assertFalse(
        words.stream().anyMatch(each -> each.startsWith("--upgrade-module-path=")), result.out());
  }

  @Test
  void unknown_value_of_option_jit_is_named_in_the_error() throws Exception {
    Result result = launch("--jit=always", "run", "-e", "1");

    assertEquals("weblocks: --jit takes only one value, 'only', not 'always'\n", result.err());
    assertEquals(2, result.status());
  }

  /** Creates a source tree with a fetched compiler, and the engine's recorded name under it. */
  private void offer_a_compiler(String implementation) throws IOException {
    write("home/pom.xml", "");
    Path pom = dir.resolve("home/pom.xml");
    Files.setLastModifiedTime(pom, FileTime.from(Instant.EPOCH)); // older than the build
    write("home/target/weblocks/build/sources", "pom.xml\n" + HASHES + "\n");
    write("home/target/weblocks/build/lib/truffle-runtime-1.2.jar", "");
    write("home/target/weblocks/graal-compiler-1.2/compiler.jar", "");
    write("home/target/weblocks/build/jit-24.0.1", implementation + "\n");
  }

  private void write(String path, String text) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Result launch(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", dir.resolve("home/scripts/weblocks").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("WPT_DIR");
    builder.environment().remove("WEBLOCKS_JVM");
    builder.environment().put("XDG_CACHE_HOME", dir.resolve("cache").toString());
    builder.environment().put("JAVA_HOME", dir.resolve("jdk").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    // Both outputs fit into the pipe buffers, so reading them in turn cannot deadlock.
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), out, err);
  }
}
