package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weblocks.testing.Fetched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Comparison of our IDL with that of the specifications. */
class WptIdlTest {

  /** Differences from the pinned web-platform-tests, but not from the current specifications. */
  private static final Set<String> OF_THE_PIN =
      Set.of(
          "DOMImplementation: Operation createDocumentType",
          // newer than our Working Draft: exposed in SharedStorageWorklet, too
          "Interface Lock",
          "Interface LockManager");

  private static List<Definition> idl(String text) {
    return IdlParser.parse("text", text).definitions();
  }

  @Test
  void each_difference_from_the_pinned_specifications_has_a_reason() throws IOException {
    Path interfaces = Fetched.wpt().resolve("interfaces");
    assumeTrue(Files.isDirectory(interfaces), "no web-platform-tests in " + interfaces);
    IdlDifferences known = new IdlDifferences(Files.readAllLines(IdlDifferences.REASONS));
    Set<String> differences =
        IdlDifferences.changed(
            IdlDifferences.ours(), IdlDifferences.parse(interfaces, file -> true));
    assertEquals(OF_THE_PIN, known.unexplained(differences));
  }

  @Test
  void differences_are_found_in_both_directions_and_in_the_order_of_members() {
    List<Definition> ours =
        idl(
            "interface A { attribute long b; attribute long a; attribute long c; }; enum E {\"x\"};");
    Map<Path, List<Definition>> theirs =
        Map.of(
            Path.of("a.idl"),
            idl(
                "interface A { [Reflect] attribute long a; attribute long b; undefined d(); };"
                    + " enum E {\"x\", \"y\"};"),
            Path.of("b.idl"),
            idl("partial interface A { undefined e(); }; interface Unknown {};"));
    assertEquals(
        Set.of("A: Attribute a, its order", "A: Attribute c", "Enumeration E"),
        IdlDifferences.changed(ours, theirs));
    assertEquals(Set.of("A: Operation d, left out"), IdlDifferences.leftOut(ours, theirs));
  }

  @Test
  void difference_needs_a_reason_and_reason_needs_a_difference() {
    IdlDifferences known =
        new IdlDifferences(List.of("# comment", "It is old.", "  A: * a", "  B: Constructor"));
    Set<String> differences = Set.of("A: Attribute a", "C: Constructor");
    assertEquals(Set.of("C: Constructor"), known.unexplained(differences));
    assertEquals(List.of("B: Constructor"), known.stale(differences));
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () -> new IdlDifferences(List.of("  A: Constructor")))
            .getMessage()
            .contains("'A: Constructor' has no reason"));
  }
}
