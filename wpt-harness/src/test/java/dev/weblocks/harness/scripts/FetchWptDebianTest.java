package dev.weblocks.harness.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/fetch-wpt} with fake apt commands, and folders as Debian mirrors. */
class FetchWptDebianTest extends FetchWptFixture {
  private static final String PINNED = "140.12.0esr";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit fills it in
  private Path dir;

  @BeforeEach
  void make_an_archive_and_pin_it() throws Exception {
    for (String tool : List.of("xz", "tar", "curl", "mkfifo")) {
      assumeTrue(onPath(tool), tool + " is not installed");
    }
    Path tests = dir.resolve("package/firefox/testing/web-platform/tests");
    write(tests, FILES);
    write(tests, Map.of("css/big.html", "unwanted\n"));
    Result packed =
        finish(
            new ProcessBuilder("tar", "-cJf", "firefox.tar.xz", "-C", "package", "firefox")
                .directory(dir.toFile())
                .start());
    assertEquals(0, packed.status(), packed.err());
    subset(dir, UNUSED_COMMIT);
    pretendDebian("140.12.0esr-1~deb12u1");
  }

  @Test
  void pinned_release_comes_from_a_mirror_whose_lists_lack_it() throws Exception {
    pretendDebian("153.7.0esr-1~deb13u1");
    publish("main", PINNED);
    Map<String, String> listsBefore = filesOf(dir.resolve("apt/etc"));

    Result result = fetchFromDebian();

    assertEquals(0, result.status(), result.err());
    assertEquals(FILES, filesOf(cache(dir, UNUSED_COMMIT)));
    assertEquals(listsBefore, filesOf(dir.resolve("apt/etc")));
    assertFalse(Files.exists(dir.resolve("seen")), "the lists were read");
  }

  @Test
  void source_lists_are_derived_without_changing_those_of_the_machine() throws Exception {
    Map<String, String> listsBefore = filesOf(dir.resolve("apt/etc"));

    fetchFromDebian();

    assertEquals(listsBefore, filesOf(dir.resolve("apt/etc")));
    Map<String, String> derived = filesOf(dir.resolve("seen"));
    assertEquals(
        "deb-src [arch=amd64] " + mirror("main") + " bookworm main\n", derived.get("machine.list"));
    assertEquals(
        "Types: deb-src\nURIs: " + mirror("security") + "/\nSuites: trixie\nComponents: main\n",
        derived.get("debian.sources"));
  }

  @Test
  void other_release_is_used_with_warnings_for_differing_files() throws Exception {
    pretendDebian("153.7.0esr-1~deb12u1");
    publish("main", "153.7.0esr");
    damageHashOf(dir, "dom/constants.js");

    Result result = fetchFromDebian();

    assertEquals(0, result.status(), result.err());
    assertTrue(
        result.err().contains("fetch-wpt: warning: differs: dom/constants.js\n"), result.err());
  }

  @Test
  void each_listed_version_is_tried_on_each_mirror() throws Exception {
    pretendDebian("153.5.1esr-1~deb13u1", "153.7.0esr-1~deb13u1", "140.13.0esr-1~deb13u1");
    publish("main", "153.5.1esr");

    Result result = fetchFromDebian();

    assertEquals(0, result.status(), result.err());
    assertEquals(
        List.of(
            PINNED,
            PINNED,
            "140.13.0esr",
            "140.13.0esr",
            "153.7.0esr",
            "153.7.0esr",
            "153.5.1esr",
            "153.5.1esr"),
        releasesTried(result));
  }

  @Test
  void failure_names_all_that_was_tried_and_what_to_do() throws Exception {
    pretendDebian("153.5.1esr-1~deb13u1", "153.7.0esr-1~deb13u1");

    Result result = fetchFromDebian();

    assertEquals(2, result.status(), result.err());
    List<String> lines = result.err().lines().toList();
    List<String> tried =
        lines.subList(lines.indexOf("fetch-wpt: these were tried:") + 1, lines.size() - 1);
    assertEquals(6, tried.size(), result.err());
    for (int i = 0; i < tried.size(); i++) {
      String release = List.of(PINNED, "153.7.0esr", "153.5.1esr").get(i / 2);
      String mirror = mirror(i % 2 == 0 ? "security" : "main");
      String start =
          "fetch-wpt:   debian: " + mirror + "/" + archive(release) + " could not be downloaded: ";
      assertTrue(tried.get(i).startsWith(start), tried.get(i));
    }
    assertTrue(
        lines.getLast().contains("set WPT_DEBIAN_MIRROR to a Debian mirror, or WPT_DIR to"),
        lines.getLast());
  }

  @Test
  void named_mirror_is_tried_before_those_of_the_machine() throws Exception {
    publish("named", PINNED);

    Result result = fetchFromDebian(Map.of("WPT_DEBIAN_MIRROR", mirror("named") + "/"));

    assertEquals(0, result.status(), result.err());
    assertEquals(List.of(PINNED), releasesTried(result));
    assertEquals(FILES, filesOf(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void pin_without_an_archive_is_fetched_by_the_lists() throws Exception {
    removeFromPin("debian-archive");
    publish("main", PINNED);

    Result result = fetchFromDebian();

    assertEquals(0, result.status(), result.err());
    assertEquals(List.of(PINNED, PINNED), releasesTried(result));
    assertFalse(result.err().contains("debian-archive"), result.err());
  }

  @Test
  void pin_without_a_debian_package_skips_that_source() throws Exception {
    removeFromPin("debian-package");

    Result result = fetchFromDebian();

    assertEquals(2, result.status(), result.err());
    assertEquals(List.of(), releasesTried(result));
    assertTrue(
        result.err().contains("fetch-wpt:   debian: the pin lacks debian-package"), result.err());
  }

  @Test
  void archive_with_another_hash_is_not_used() throws Exception {
    publish("main", PINNED);
    Files.writeString(mirrorFolder("main").resolve(archive(PINNED)), "no archive");

    Result result = fetchFromDebian();

    assertEquals(2, result.status(), result.err());
    assertFalse(Files.exists(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void download_ends_at_the_pinned_size() throws Exception {
    publish("main", PINNED);
    Path archive = mirrorFolder("main").resolve(archive(PINNED));
    Files.write(archive, new byte[1 << 20], StandardOpenOption.APPEND);

    Result result = fetchFromDebian();

    assertEquals(2, result.status(), result.err());
    long pinned = bytes(dir.resolve("firefox.tar.xz")).length;
    assertTrue(
        result
            .err()
            .contains("downloaded: it is longer than the " + pinned + " bytes that it should have"),
        result.err());
    assertFalse(Files.exists(cache(dir, UNUSED_COMMIT)));
  }

  @Test
  void unpacking_ends_long_before_a_small_archive_fills_the_disk() throws Exception {
    Path bomb = mirrorFolder("main").resolve(archive(PINNED));
    Files.createDirectories(bomb.getParent());
    Result packed =
        finish(new ProcessBuilder("bash", "-c", "head -c 80M /dev/zero | xz -0 > " + bomb).start());
    assertEquals(0, packed.status(), packed.err());
    Path pin = dir.resolve("subset/pin");
    Files.writeString(
        pin,
        Files.readString(pin)
            .replaceFirst("(?m)^(debian-archive = \\S+) \\d+", "$1 " + bytes(bomb).length));

    Result result = fetchFromDebian();

    assertEquals(2, result.status(), result.err());
    assertTrue(result.err().contains("downloaded: it unpacks to more than 64 MB\n"), result.err());
  }

  @Test
  void damaged_copy_of_the_pinned_release_is_refused() throws Exception {
    publish("main", PINNED);
    damageHashOf(dir, "dom/constants.js");

    Result result = fetchFromDebian();

    assertEquals(1, result.status(), result.err());
    assertFalse(Files.exists(cache(dir, UNUSED_COMMIT)));
  }

  // ---- fixtures

  /** Creates apt commands whose lists name these versions, and sources lists with two mirrors. */
  private void pretendDebian(String... versions) throws Exception {
    Path apt = dir.resolve("apt");
    Path tarball = dir.resolve("firefox.tar.xz");
    String stanzas =
        Stream.of(versions)
            .map(version ->
                """
                Package: firefox-esr
                Version: %1$s
                Checksums-Sha256:
                 0000 1 firefox-esr_%1$s.dsc
                 %2$s %3$d firefox-esr_%4$s.orig.tar.xz
                Directory: pool/main/f/firefox-esr

                """
                    .formatted(
                        version,
                        sha256(bytes(tarball)),
                        bytes(tarball).length,
                        version.substring(0, version.indexOf('-'))))
            .collect(Collectors.joining());
    write(
        apt.resolve("etc"),
        Map.of(
            "sources.list",
            """
            # comment
            deb [arch=amd64] %1$s bookworm main
            deb-src [arch=amd64] %1$s bookworm main
            """
                .formatted(mirror("main")),
            "sources.list.d/debian.sources",
            "Types: deb\nURIs: %s/\nSuites: trixie\nComponents: main\n"
                .formatted(mirror("security"))));
    write(
        apt.resolve("bin"),
        Map.of(
            "apt-config",
            "#!/bin/sh\necho \"LIST='%1$s/etc/sources.list'\"; echo \"PARTS='%1$s/etc/sources.list.d'\"\n"
                .formatted(apt),
            "apt-cache",
            "#!/bin/sh\ncat <<'LISTS'\n" + stanzas + "LISTS\n",
            "apt-get",
            """
            #!/bin/sh
            for word; do
              case $word in
                Dir::Etc::sourceparts=*) parts=${word#*=} ;;
                update) mkdir -p '%1$s/seen' && cp "$parts"/* '%1$s/seen' ;;
              esac
            done
            """
                .formatted(dir)));
    try (Stream<Path> commands = Files.list(apt.resolve("bin"))) {
      commands.forEach(command -> assertTrue(command.toFile().setExecutable(true)));
    }
  }

  private void removeFromPin(String key) throws IOException {
    Path pin = dir.resolve("subset/pin");
    Files.writeString(pin, Files.readString(pin).replaceFirst("(?m)^" + key + " .*\n", ""));
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void publish(String mirror, String release) throws IOException {
    Path archive = mirrorFolder(mirror).resolve(archive(release));
    Files.createDirectories(archive.getParent());
    Files.copy(dir.resolve("firefox.tar.xz"), archive);
  }

  private Path mirrorFolder(String mirror) {
    return dir.resolve("mirrors").resolve(mirror);
  }

  private String mirror(String mirror) {
    return "file://" + mirrorFolder(mirror);
  }

  private Result fetchFromDebian() throws Exception {
    return fetchFromDebian(Map.of());
  }

  private Result fetchFromDebian(Map<String, String> variables) throws Exception {
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("PATH", dir.resolve("apt/bin") + ":" + System.getenv("PATH"));
    return finish(start(dir, environment, List.of("--from", "debian")));
  }

  private static List<String> releasesTried(Result result) {
    return result
        .err()
        .lines()
        .filter(line -> line.startsWith("fetch-wpt: debian: fetching file:"))
        .map(line -> line.replaceAll(".*_(.*)\\.orig\\.tar.*", "$1"))
        .toList();
  }
}
