package dev.weblocks.harness.scripts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The functions of {@code scripts/lib.sh} that find a JDK, in a folder instead of the machine's.
 */
class JdkSelectionTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit fills it in
  private Path dir;

  @BeforeEach
  void bash_is_there() {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
  }

  @Test
  void most_suitable_jdk_is_chosen() throws Exception {
    jdks("17.0.15", "21.0.13", "25.0.1", "26");

    assertEquals("jdk-25.0.1 25.0.1\n", bash("find_jdk; echo \"${jdk_home##*/} $jdk_version\""));
  }

  @Test
  void java_home_is_chosen_if_it_is_21_or_newer() throws Exception {
    jdks("17.0.15", "21.0.13", "25.0.1");
    String chosen = "find_jdk; echo ${jdk_home##*/}";

    assertEquals("jdk-21.0.13\n", bash("JAVA_HOME='" + dir + "/jdk-21.0.13'; " + chosen));
    assertEquals("jdk-25.0.1\n", bash("JAVA_HOME='" + dir + "/jdk-17.0.15'; " + chosen));
  }

  @Test
  void jdk_below_21_is_named_in_one_line() throws Exception {
    jdks("17.0.15");

    assertEquals(
        "test: no JDK 21 or newer found (looked at JAVA_HOME, PATH and the usual folders; found JDK"
            + " 17.0.15 in "
            + dir
            + "/jdk-17.0.15): install JDK 25, unpack one as /opt/jdk-25, or set JAVA_HOME\nstatus"
            + " 2\n",
        bash("(need_jdk) 2>&1 || echo status $?"));
  }

  @Test
  void jdk_of_one_version_is_found_beside_a_better_one() throws Exception {
    jdks("21.0.13", "25.0.1");

    assertEquals(
        "jdk-21.0.13 21.0.13\n",
        bash("find_jdk; find_jdk_of 21; echo \"${jdk_home##*/} $jdk_version\""));
    assertEquals(
        "jdk-25.0.1 25.0.1\n",
        bash("find_jdk; find_jdk_of 22 || echo \"${jdk_home##*/} $jdk_version\""));
  }

  private void jdks(String... versions) throws IOException {
    for (String version : versions) {
      Path javac = dir.resolve("jdk-" + version).resolve("bin/javac");
      Files.createDirectories(javac.getParent());
      Files.writeString(javac, "#!/bin/sh\n");
      assertTrue(javac.toFile().setExecutable(true));
      Files.writeString(
          javac.resolve("../../release").normalize(), "JAVA_VERSION=\"" + version + "\"\n");
    }
  }

  private String bash(String commands) throws Exception {
    String setup =
        "set -eu; program=test; unset JAVA_HOME; . scripts/lib.sh; apt_install() { return 1; };"
            + " list_jdk_homes() { jdk_homes=(\"${JAVA_HOME:-}\" \"$0\"/*); }; ";
    Process process =
        new ProcessBuilder("bash", "-c", setup + commands, dir.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output;
  }
}
