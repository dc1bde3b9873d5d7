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
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void make_a_home() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
    for (String script : List.of("weblocks", "fetch-wpt", "lib.sh")) {
      Path copy = dir.resolve("home/scripts").resolve(script);
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of("scripts", script), copy);
      assertTrue(copy.toFile().setExecutable(true));
    }
    write("home/target/weblocks/build/lib/weblocks.jar", "a jar");
    Path source = dir.resolve("home").resolve(HASHES);
    Files.createDirectories(source.getParent());
    // Keeps the time of the file, which is older than the build.
    Files.copy(Path.of(HASHES), source, StandardCopyOption.COPY_ATTRIBUTES);
    write("home/target/weblocks/build/sources", HASHES + "\n");
    record("home/target/weblocks/build", "lib/*.jar");
    write("home/target/weblocks/stamp", "build\n");
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
        case "$*" in
          *WptHashes*) exec '%s/bin/java' "$@" ;;
          *-XX:Wrong*-version) echo 'Unrecognized VM option Wrong'; echo 'Error: no machine'; exit 1 ;;
          *-version) exit 0 ;;
        esac
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
    write("home/target/weblocks/graal-compiler-1.2-jdk-24.0.1/lib/modules", "modules");
    record("home/target/weblocks/graal-compiler-1.2-jdk-24.0.1", "lib/modules");

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

  @ParameterizedTest
  @ValueSource(
      strings = {"stamp=", "stamp=/abs/build", "build/lib/weblocks.jar=a j", "build/sizes="})
  void damaged_build_is_made_again_with_one_line(String damage) throws Exception {
    offer_a_build();
    write(
        "home/target/weblocks/" + damage.split("=")[0], damage.substring(damage.indexOf('=') + 1));

    Result result = launch("run", "-e", "1");

    assertEquals(0, result.status(), result.err());
    List<String> err = result.err().lines().toList();
    assertEquals("building weblocks...", err.getLast());
    assertTrue(
        err.size() == 1
            ? damage.equals("stamp=")
            : err.getFirst().endsWith("is incomplete or damaged"),
        result.err());
    assertTrue(result.out().contains("/lib/new.jar"), result.out());

    assertEquals("", launch("run", "-e", "1").err());
  }

  @Test
  void missing_jar_of_a_build_is_made_again() throws Exception {
    offer_a_build();
    Files.delete(dir.resolve("home/target/weblocks/build/lib/weblocks.jar"));

    assertTrue(launch("run", "-e", "1").err().endsWith("building weblocks...\n"));
  }

  @Test
  void damaged_build_of_the_same_sources_is_replaced() throws Exception {
    offer_a_build();
    write("home/target/weblocks/stamp", "");
    launch("run", "-e", "1");
    String id = Files.readString(dir.resolve("home/target/weblocks/stamp")).strip();
    write("home/target/weblocks/" + id + "/lib/new.jar", "");

    launch("run", "-e", "1");

    assertEquals(id, Files.readString(dir.resolve("home/target/weblocks/stamp")).strip());
    assertEquals(
        "new\n", Files.readString(dir.resolve("home/target/weblocks/" + id + "/lib/new.jar")));
  }

  @Test
  void copied_home_starts_its_own_build() throws Exception {
    run("cp", "-a", dir.resolve("home").toString(), dir.resolve("copy").toString());

    Result result = start(List.of(dir.resolve("copy/scripts/weblocks").toString(), "run"));

    assertEquals("", result.err());
    assertTrue(
        result
            .out()
            .contains(dir.resolve("copy/target/weblocks/build/lib/weblocks.jar").toString()),
        result.out());
  }

  @Test
  void damaged_ahead_of_time_cache_is_removed_with_one_line() throws Exception {
    write("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
    String cache = "home/target/weblocks/build/jdk-25.0.1.aot";
    write(cache + "/cache", "classes");
    record(cache, "cache");

    Result whole = launch("run", "-e", "1");
    write(cache + "/cache", "class");
    Result damaged = launch("run", "-e", "1");

    assertEquals("", whole.err());
    assertTrue(whole.out().contains("-XX:AOTCache="), whole.out());
    assertEquals("weblocks: the ahead-of-time cache is damaged; making it again\n", damaged.err());
    assertFalse(damaged.out().contains("-XX:AOTCache="), damaged.out());
    assertFalse(Files.exists(dir.resolve(cache)));
  }

  @Test
  void engine_unpacks_its_libraries_into_the_cache_if_that_is_writable() throws Exception {
    String ignore = "-Dpolyglotimpl.AttachLibraryFailureAction=ignore";

    Result usual = start(List.of("scripts/weblocks", "run"));
    Result unwritable = start(List.of("scripts/weblocks", "run"), "XDG_CACHE_HOME", "/dev/null");

    assertTrue(
        usual
            .out()
            .contains(
                "-Dpolyglot.engine.userResourceCache=" + dir.resolve("cache/weblocks/engine")),
        usual.out());
    assertFalse(usual.out().contains(ignore), usual.out());
    assertTrue(unwritable.out().contains(ignore), unwritable.out());
    assertEquals("", unwritable.err());
  }

  @Test
  void exported_cdpath_does_not_change_what_is_started() throws Exception {
    write("other/scripts/lib.sh", "echo the other library; exit 1\n");

    Result result =
        start(List.of("scripts/weblocks", "run"), "CDPATH", dir.resolve("other").toString());

    assertEquals(0, result.status(), result.err());
    assertTrue(
        result
            .out()
            .contains(dir.resolve("home/target/weblocks/build/lib/weblocks.jar").toString()),
        result.out());
  }

  @Test
  void flag_that_the_jvm_refuses_is_named_with_status_2() throws Exception {
    Result result = start(List.of("scripts/weblocks", "run"), "WEBLOCKS_JVM", "-Xmx1g -XX:Wrong");

    assertEquals(
        "weblocks: WEBLOCKS_JVM is '-Xmx1g -XX:Wrong', which the JVM does not take: Unrecognized"
            + " VM option Wrong\n",
        result.err());
    assertEquals(2, result.status());
  }

  /** Creates a source tree, which is built, and a Maven that builds {@code new.jar}. */
  private void offer_a_build() throws Exception {
    for (String module :
        List.of("", "src/library/", "src/cluster/", "src/explore/", "wpt-harness/")) {
      write("home/" + module + "pom.xml", "");
      Files.createDirectories(dir.resolve("home/" + module + "src/main"));
      Files.setLastModifiedTime(
          dir.resolve("home/" + module + "pom.xml"), FileTime.from(Instant.EPOCH));
    }
    run(
        "bash",
        "-c",
        "cd \"$0\" && find pom.xml {src/library,src/cluster,src/explore,wpt-harness}/{pom.xml,src/main}"
            + " -type f >target/weblocks/build/sources",
        dir.resolve("home").toString());
    write("home/scripts/jvm.options", "");
    write(
        "bin/mvn",
        """
        #!/bin/sh
        mkdir -p wpt-harness/target/lib
        echo new >wpt-harness/target/lib/new.jar
        echo harness >wpt-harness/target/weblocks-harness-1.jar
        for module in library cluster explore; do
          mkdir -p src/$module/target
          echo pom >src/$module/target/published-pom.xml
        done
        """);
    assertTrue(dir.resolve("bin/mvn").toFile().setExecutable(true));
    write("home/target/weblocks/stamp", "build\n"); // newer than the options
  }

  /** Records the sizes of files, as the launcher does it. */
  private void record(String folder, String files) throws Exception {
    run(
        "bash",
        "-c",
        "program=test; . scripts/lib.sh; record_sizes \"$0\" \"$1\"",
        dir.resolve(folder).toString(),
        files);
  }

  private static void run(String... command) throws Exception {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  /** Creates a source tree with a fetched compiler, and the engine's recorded name under it. */
  private void offer_a_compiler(String implementation) throws Exception {
    write("home/pom.xml", "");
    Path pom = dir.resolve("home/pom.xml");
    Files.setLastModifiedTime(pom, FileTime.from(Instant.EPOCH)); // older than the build
    write("home/target/weblocks/build/sources", "pom.xml\n" + HASHES + "\n");
    write("home/target/weblocks/build/lib/truffle-runtime-1.2.jar", "");
    record("home/target/weblocks/build", "lib/*.jar");
    write("home/target/weblocks/graal-compiler-1.2/compiler.jar", "");
    record("home/target/weblocks/graal-compiler-1.2", "*.jar");
    write("home/target/weblocks/build/jit-24.0.1", implementation + "\n");
  }

  private void write(String path, String text) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Result launch(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(dir.resolve("home/scripts/weblocks").toString()));
    command.addAll(List.of(arguments));
    return start(command);
  }

  /** Starts a script in the home, with further variables: a name, a value, and so on. */
  private Result start(List<String> script, String... variables) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash"));
    command.addAll(script);
    ProcessBuilder builder = new ProcessBuilder(command).directory(dir.resolve("home").toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeAll(Set.of("WPT_DIR", "WEBLOCKS_JVM", "WEBLOCKS_CHECKED"));
    environment.put("CI", "1"); // trains no cache
    environment.put("XDG_CACHE_HOME", dir.resolve("cache").toString());
    environment.put("JAVA_HOME", dir.resolve("jdk").toString());
    environment.put("PATH", dir.resolve("bin") + ":" + environment.get("PATH"));
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    Process process = builder.start();
    process.getOutputStream().close();
    // Both outputs fit into the pipe buffers, so reading them in turn cannot deadlock.
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), out, err);
  }
}
