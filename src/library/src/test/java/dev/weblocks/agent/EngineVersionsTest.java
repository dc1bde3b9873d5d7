package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
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
