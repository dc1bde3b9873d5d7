package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.OtherJvm;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineVersionsTest {

  private static Map<String, String> parts(String polyglot, String others) {
    return new TreeMap<>(
        Map.of(
            "polyglot", polyglot, "truffle-api", others, "js-language", others, "regex", others));
  }

  @Test
  void engine_of_the_build_is_supported_and_states_its_version() {
    EngineVersions.require();

    String version = EngineVersions.version();
    assertEquals(System.getProperty("weblocks.engine"), version, "the engine that Maven was given");
    assertEquals(
        Map.of(
            "polyglot", version,
            "truffle-api", version,
            "js-language", version,
            "regex", version,
            "truffle-runtime", version),
        EngineVersions.find());
    assertEquals("", EngineVersions.untested());
  }

  @ParameterizedTest
  @ValueSource(strings = {"24.2.2", "25.0.3", "25.5.5.0.3", "26.1", "25.0.3-dev"})
  void parts_of_one_version_are_supported(String version) {
    assertNull(EngineVersions.problem(parts(version, version), version));
  }

  @Test
  void versions_of_parts_that_state_none_are_not_compared() {
    assertNull(EngineVersions.problem(parts("", ""), null));
    assertNull(EngineVersions.problem(parts("25.0.3", ""), "25.0.3"));
  }

  @ParameterizedTest
  @CsvSource({"25.5.5.0.3, 25.0.3", "25.0.3, 25.5.5.0.3", "9.0, 25.5.5.0.3"})
  void mixed_versions_are_named_with_the_newest_as_remedy(String polyglot, String others) {
    String problem = String.valueOf(EngineVersions.problem(parts(polyglot, others), others));

    assertTrue(problem.contains("polyglot " + polyglot), problem);
    assertTrue(problem.contains("js-language, regex, truffle-api " + others), problem);
    assertTrue(problem.contains("such as 25."), problem);
    assertTrue(!problem.contains("such as 25.0.3") || polyglot.equals("9.0"), problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"24.2.1", "24.1.2", "23.1", "9.9.9"})
  void engine_that_is_too_old_is_named_with_the_supported_range(String version) {
    String problem = String.valueOf(EngineVersions.problem(parts(version, version), version));

    assertTrue(problem.startsWith("GraalJS " + version + " is too old: "), problem);
    assertTrue(problem.contains("24.2.2 to "), problem);
  }

  @Test
  void missing_language_is_named_with_the_version_of_the_other_parts() {
    String problem = String.valueOf(EngineVersions.problem(Map.of("polyglot", "25.1.3"), "25.1.3"));

    assertTrue(problem.contains("js-community, of type pom and of version 25.1.3"), problem);
  }

  @Test
  void language_apart_from_its_engine_is_named_with_the_remedy() throws IOException {
    List<String> command =
        new ArrayList<>(
            OtherJvm.command(List.of(), SplitEngine.class, System.getProperty("java.class.path")));
    URL classes = SplitEngine.class.getProtectionDomain().getCodeSource().getLocation();
    command.set(command.indexOf("-cp") + 1, Path.of(URI.create(classes.toString())).toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals(
        "the engine, which was loaded apart from its JavaScript language, does not find it: set the"
            + " context class loader of this thread to one that has both, or put them into one class"
            + " loader\nfound",
        printed.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          JavaScript Regex | true  | null
          JavaScript       | true  | app.jar was merged from jars without their files in META-INF/services, so GraalJS does not find its part regex: let the build merge them, with the ServicesResourceTransformer of maven-shade or mergeServiceFiles() of Gradle Shadow
          Regex            | true  | app.jar was merged from jars without their files in META-INF/services, so GraalJS does not find JavaScript: let the build merge them, with the ServicesResourceTransformer of maven-shade or mergeServiceFiles() of Gradle Shadow
          JavaScript Regex | false | app.jar was merged from jars without 'Multi-Release: true' in its manifest, so GraalJS does not start: let the build add that line, with the ManifestResourceTransformer of maven-shade or the manifest of Gradle Shadow
          """)
  void merged_jar_that_cannot_work_is_named_with_the_remedy(
      String languages, boolean multiRelease, String expected, @TempDir Path folder)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (multiRelease) {
      manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
    }
    Path file = folder.resolve("app.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      out.putNextEntry(new JarEntry("META-INF/versions/21/com/oracle/truffle/api/Some.class"));
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      String listed = languages.replaceAll("\\w+", "com.oracle.$0LanguageProvider");
      assertEquals(expected, String.valueOf(EngineVersions.problem(jar, listed)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "25.0.3, 25.0.3, 0",
    "25.0.10, 25.0.9, 1",
    "24.2, 24.2.2, -1",
    "25.5.5.0.3, 25.5.5, 1",
    "25.0.3-dev, 25.0.3, 0",
    "nothing, 1, -1"
  })
  void versions_are_compared_by_their_numbers(String one, String other, int expected) {
    assertEquals(expected, Integer.signum(EngineVersions.compare(one, other)));
  }
}
