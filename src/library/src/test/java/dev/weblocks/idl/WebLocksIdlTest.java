package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The model of the Web Locks API, as its Working Draft states it. */
class WebLocksIdlTest {

  private static final String ELSEWHERE =
      """
      [Exposed=Window] interface Navigator {};
      [Exposed=Worker] interface WorkerNavigator {};
      [Exposed=*] interface AbortSignal {};
      [SecureContext, Exposed=(Window,Worker)] interface StorageBucket {};
      """;

  private final IdlModel model =
      IdlModel.of(
          List.of(
              IdlParser.parse("web-locks.idl", webLocks()),
              IdlParser.parse("elsewhere.idl", ELSEWHERE)));

  private static String webLocks() {
    try (InputStream in =
        WebLocksIdlTest.class.getResourceAsStream("/dev/weblocks/locks/web-locks.idl")) {
      assertNotNull(in);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OperationGroup operation(MergedInterface merged, String name) {
    OperationGroup group = merged.operation(name, false);
    assertNotNull(group);
    return group;
  }

  @Test
  void idl_file_has_the_definitions_of_the_draft() {
    assertEquals(
        List.of(
            "LockManager", "Lock", "Navigator", "WorkerNavigator", "AbortSignal", "StorageBucket"),
        model.interfaces().stream().map(MergedInterface::name).toList());
    assertEquals(
        List.of("LockOptions", "LockManagerSnapshot", "LockInfo"),
        model.dictionaries().stream().map(MergedDictionary::name).toList());
    assertEquals(List.of("shared", "exclusive"), model.enumeration("LockMode").values());
  }

  @Test
  void lock_manager_is_exposed_to_secure_windows_and_workers() {
    MergedInterface manager = model.interfaceNamed("LockManager");
    assertTrue(manager.exposedIn(Set.of("Window"), true, false));
    assertTrue(manager.exposedIn(Set.of("Worker", "SharedWorker"), true, false));
    assertFalse(manager.exposedIn(Set.of("Window"), false, false));
    assertFalse(manager.exposedIn(Set.of("AudioWorklet"), true, false));
    assertTrue(manager.constructors().isEmpty());
    assertNull(manager.parent());
  }

  @Test
  void request_has_two_overloads_of_different_argument_counts() {
    OperationGroup request = operation(model.interfaceNamed("LockManager"), "request");
    assertTrue(request.returnsPromise());
    assertEquals(2, request.operations().size());
    Overloads<Member.Operation> overloads = request.overloads();
    assertEquals(2, overloads.length());
    assertEquals(3, overloads.declaredMaxArgumentCount());
    EffectiveOverloadSet set = overloads.effectiveOverloadSet(2);
    assertEquals(List.of(2, 3), set.items().stream().map(each -> each.types().size()).toList());
    assertEquals(0, set.withArgumentCount(2).getFirst().callable());
    assertEquals(1, set.withArgumentCount(3).getFirst().callable());
    assertEquals(-1, overloads.distinguishingArgumentIndex(2));
    assertEquals(-1, overloads.distinguishingArgumentIndex(3));
    assertEquals(
        List.of("DOMString", "LockOptions", "LockGrantedCallback"),
        set.withArgumentCount(3).getFirst().types().stream().map(IdlType::toIdl).toList());
  }

  @Test
  void query_has_no_arguments_and_returns_a_promise_of_a_snapshot() {
    OperationGroup query = operation(model.interfaceNamed("LockManager"), "query");
    assertEquals(0, query.overloads().length());
    assertEquals(
        "Promise<LockManagerSnapshot>", query.operations().getFirst().returnType().toIdl());
  }

  @Test
  void locks_is_a_read_only_attribute_of_both_navigators_in_secure_contexts() {
    MergedMember window = model.interfaceNamed("Navigator").attribute("locks");
    MergedMember worker = model.interfaceNamed("WorkerNavigator").attribute("locks");
    assertNotNull(window);
    assertNotNull(worker);
    assertTrue(((Member.Attribute) window.member()).readOnly());
    assertEquals("NavigatorLocks", window.declaredOn().name());
    assertTrue(window.exposedIn(Set.of("Window"), true, false));
    assertFalse(window.exposedIn(Set.of("Window"), false, false));
    assertTrue(worker.exposedIn(Set.of("Worker", "DedicatedWorker"), true, false));
    assertFalse(model.interfaceNamed("Navigator").exposure().secureContext());
  }

  @Test
  void members_of_the_options_are_converted_in_order_of_their_names() {
    List<DictionaryMember> members = model.dictionary("LockOptions").allMembers();
    assertEquals(
        List.of("ifAvailable", "mode", "signal", "steal"),
        members.stream().map(DictionaryMember::name).toList());
    assertEquals(new IdlLiteral.StringLiteral("exclusive"), members.get(1).defaultValue());
    assertNull(members.get(2).defaultValue());
    assertEquals(
        List.of("clientId", "mode", "name"),
        model.dictionary("LockInfo").allMembers().stream().map(DictionaryMember::name).toList());
  }

  @Test
  void callback_receives_a_lock_or_null_and_returns_a_promise() {
    Definition.CallbackFunction callback = model.callback("LockGrantedCallback");
    assertTrue(callback.returnType().isPromiseType());
    IdlType lock = callback.arguments().getFirst().type();
    assertTrue(lock.isNullable());
    IdlType.NamedType named = assertInstanceOf(IdlType.NamedType.class, lock.nonNullable());
    assertEquals(model.interfaceNamed("Lock"), model.definition(named));
  }
}
