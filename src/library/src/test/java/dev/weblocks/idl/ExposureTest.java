package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Exposure of interfaces and members, by every way an extended attribute can reach them. */
class ExposureTest {

  private static final Set<String> WINDOW = Set.of("Window");
  private static final Set<String> WORKER = Set.of("Worker", "DedicatedWorker");

  private static IdlModel model(String text) {
    return IdlModel.of(List.of(IdlParser.parse("test.idl", text)));
  }

  private static Exposure exposure(IdlModel model, String interfaceName, String attribute) {
    MergedMember member = model.interfaceNamed(interfaceName).attribute(attribute);
    assertNotNull(member);
    return member.exposure();
  }

  private static String problem(String text) {
    return assertThrows(IdlModelException.class, () -> model(text)).getMessage();
  }

  @Test
  void interface_is_exposed_on_globals_whose_name_is_in_its_set() {
    MergedInterface merged =
        model("[Exposed=(Window,DedicatedWorker)] interface A {};").interfaceNamed("A");
    assertTrue(merged.exposedIn(WINDOW, false, false));
    assertTrue(merged.exposedIn(WORKER, false, false));
    assertFalse(merged.exposedIn(Set.of("Worker", "SharedWorker"), false, false));
    assertEquals(List.of("Window", "DedicatedWorker"), List.copyOf(merged.exposure().globals()));
  }

  @Test
  void the_wildcard_exposes_everywhere() {
    MergedInterface merged = model("[Exposed=*] interface A {};").interfaceNamed("A");
    assertTrue(merged.exposedIn(Set.of("AudioWorklet"), false, false));
    assertTrue(merged.exposure().everywhere());
  }

  @Test
  void all_exposure_conditions_must_hold() {
    MergedInterface secure =
        model("[Exposed=*, SecureContext] interface A {};").interfaceNamed("A");
    assertFalse(secure.exposedIn(WINDOW, false, true));
    assertTrue(secure.exposedIn(WINDOW, true, false));
    MergedInterface both =
        model("[Exposed=*, SecureContext, CrossOriginIsolated] interface A {};")
            .interfaceNamed("A");
    assertFalse(both.exposedIn(WINDOW, true, false));
    assertFalse(both.exposedIn(WINDOW, false, true));
    assertTrue(both.exposedIn(WINDOW, true, true));
  }

  @Test
  void exposure_of_a_member_overrides_that_of_its_interface() {
    IdlModel model =
        model(
            "[Exposed=(Window,Worker)] interface A {"
                + " [Exposed=Window] attribute any own; attribute any inherited; };");
    assertEquals(WINDOW, exposure(model, "A", "own").globals());
    assertEquals(Set.of("Window", "Worker"), exposure(model, "A", "inherited").globals());
  }

  @Test
  void a_member_of_a_partial_takes_the_exposure_of_the_partial() {
    IdlModel model =
        model(
            """
            [Exposed=(Window,Worker)] interface A { attribute any original; };
            [Exposed=Window, SecureContext] partial interface A { attribute any added; };
            partial interface A { [CrossOriginIsolated] attribute any isolated; };
            """);
    assertEquals(WINDOW, exposure(model, "A", "added").globals());
    assertTrue(exposure(model, "A", "added").secureContext());
    assertFalse(exposure(model, "A", "original").secureContext());
    assertTrue(exposure(model, "A", "original").exposedIn(WORKER, false, false));
    assertTrue(exposure(model, "A", "isolated").crossOriginIsolated());
    assertTrue(exposure(model, "A", "isolated").exposedIn(WORKER, false, true));
  }

  @Test
  void mixin_member_is_exposed_where_both_mixin_and_host_are_exposed() {
    IdlModel model =
        model(
            """
            [Exposed=Window] interface Host {};
            [Exposed=*] interface Everywhere {};
            [Exposed=(Window,Worker)] interface mixin M { attribute any m; };
            [Exposed=Worker] partial interface mixin M { attribute any p; };
            partial interface mixin M { [Exposed=*] attribute any own; };
            interface mixin Plain { attribute any plain; };
            Host includes M; Everywhere includes M;
            Host includes Plain; Everywhere includes Plain;
            """);
    assertEquals(WINDOW, exposure(model, "Host", "m").globals());
    assertEquals(Set.of(), exposure(model, "Host", "p").globals());
    assertFalse(exposure(model, "Host", "p").exposedIn(WINDOW, true, true));
    assertEquals(WINDOW, exposure(model, "Host", "own").globals());
    assertEquals(WINDOW, exposure(model, "Host", "plain").globals());
    assertEquals(Set.of("Window", "Worker"), exposure(model, "Everywhere", "m").globals());
    assertEquals(Set.of("Worker"), exposure(model, "Everywhere", "p").globals());
    assertTrue(exposure(model, "Everywhere", "own").everywhere());
    assertTrue(exposure(model, "Everywhere", "plain").everywhere());
  }

  @Test
  void mixin_member_has_the_conditions_of_its_partial_mixin_and_host() {
    IdlModel model =
        model(
            """
            [Exposed=*, CrossOriginIsolated] interface Host {};
            [SecureContext] interface mixin M { attribute any m; };
            partial interface mixin M { attribute any p; };
            interface mixin Plain { [SecureContext] attribute any own; attribute any bare; };
            Host includes M; Host includes Plain;
            """);
    assertTrue(exposure(model, "Host", "m").secureContext());
    assertTrue(exposure(model, "Host", "m").crossOriginIsolated());
    assertTrue(exposure(model, "Host", "p").secureContext());
    assertTrue(exposure(model, "Host", "own").secureContext());
    assertFalse(exposure(model, "Host", "bare").secureContext());
    assertTrue(exposure(model, "Host", "bare").crossOriginIsolated());
  }

  @Test
  void an_interface_without_exposure_is_an_error() {
    assertEquals(
        "test.idl:1:1: interface \"A\" has no [Exposed]; add it, for example"
            + " [Exposed=Window] or [Exposed=*]",
        problem("interface A {};"));
    assertTrue(problem("namespace N {};").contains("namespace \"N\" has no [Exposed]"));
    assertTrue(
        problem("callback interface C { const byte X = 1; any f(); };")
            .contains("callback interface \"C\" has no [Exposed]"));
  }

  @Test
  void exposed_or_global_attribute_of_a_wrong_form_is_an_error() {
    assertEquals(
        "test.idl:1:2: [Exposed] must take an identifier, a list of identifiers in parentheses, or"
            + " *",
        problem("[Exposed=\"Window\"] interface A {};"));
    assertEquals(
        "test.idl:1:14: [Global] of \"A\" must take an identifier or a list of identifiers",
        problem("[Exposed=*,  Global] interface A {};"));
  }

  @Test
  void exposure_on_partial_and_member_at_once_is_an_error() {
    assertEquals(
        "test.idl:2:57: [Exposed] is both on a member and on the partial \"A\" that declares"
            + " it; drop one",
        problem(
            "[Exposed=*] interface A {};\n"
                + "[Exposed=Window] partial interface A { [Exposed=Window] attribute any x; };"));
  }

  @Test
  void overloads_must_have_equal_exposure() {
    assertEquals(
        "test.idl:2:18: overloads of operation A.f must have the same exposure: give all the same"
            + " [Exposed], [SecureContext] and [CrossOriginIsolated]",
        problem("[Exposed=*] interface A { any f();\n [SecureContext] any f(any a); };"));
  }

  @Test
  void an_operation_group_has_the_exposure_of_its_overloads() {
    OperationGroup group =
        model("[Exposed=*] interface A { [Exposed=Window] any f(); };")
            .interfaceNamed("A")
            .operation("f", false);
    assertNotNull(group);
    assertTrue(group.exposedIn(WINDOW, false, false));
    assertFalse(group.exposedIn(WORKER, false, false));
  }
}
