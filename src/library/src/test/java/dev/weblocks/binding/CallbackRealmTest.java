package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.weblocks.dom.CurrentEvent;
import dev.weblocks.dom.DomModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callbacks whose realm differs from that of the calling object. */
class CallbackRealmTest {

  private final RealmBed bed = new RealmBed(RealmBed.Access.NONE, new DomModule());
  private int other;

  @BeforeEach
  void addRealm() {
    other = bed.addRealm(Set.of("Window"), true);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void assertRealm(int expected, String expression) {
    bed.hand(other, "(" + expression + ")", 0, "callback");
    bed.onLoop(() ->
        assertSame(
            bed.realm(expected),
            RealmBinding.of(bed.realm(0))
                .callbacks()
                .associatedRealm(bed.realm(0).global().getMember("callback")),
            expression));
  }

  @Test
  void functions_and_objects_belong_to_the_realm_that_created_them() {
    for (String made :
        List.of(
            "() => {}",
            "function () {}",
            "async () => {}",
            "function* () {}",
            "(() => {}).bind()",
            "class {}",
            "({ handleEvent() {} })",
            "[]",
            "new EventTarget()",
            "new Proxy(() => {}, {})")) {
      assertRealm(other, made);
    }
  }

  @Test
  void callers_realm_is_used_for_an_object_whose_realm_is_unknown() {
    assertRealm(0, "Object.create(null)");
    assertRealm(0, "new Proxy({}, { getPrototypeOf() { throw 1 } })");
    assertRealm(0, "(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy })()");
  }

  @Test
  void exception_of_a_listener_is_reported_in_the_realm_of_the_listener() {
    bed.hand(other, "() => { throw new Error('function') }", 0, "fn");
    bed.hand(other, "({ get handleEvent() { throw new Error('getter') } })", 0, "object");
    bed.hand(other, "({ handleEvent: 1 })", 0, "nothing");
    bed.eval(
        "const t = new EventTarget(); t.addEventListener('x', fn); t.addEventListener('x', object); t.addEventListener('x', nothing);"
            + "t.addEventListener('x', () => { throw new Error('own') }); t.dispatchEvent(new Event('x'))");
    assertEquals("Error: function", bed.reported.get(0));
    assertEquals("Error: getter", bed.reported.get(1));
    assertEquals("TypeError:", bed.reported.get(2).split(" ")[0]);
    assertEquals("Error: own", bed.reported.get(3));
    assertEquals(
        List.of(bed.realm(other), bed.realm(other), bed.realm(other), bed.realm(0)),
        bed.reportedIn);
  }

  @Test
  void current_event_is_set_in_the_window_of_the_listener() {
    List<Boolean> seen = new ArrayList<>();
    CurrentEvent[] current = new CurrentEvent[2];
    bed.onLoop(() -> {
      current[0] = CurrentEvent.install(bed.realm(0));
      current[1] = CurrentEvent.install(bed.realm(other));
      bed.realm(other)
          .global()
          .putMember(
              "look",
              (ProxyExecutable)
                  none -> {
                    seen.add(current[0].get() != null);
                    seen.add(current[1].get() != null);
                    return null;
                  });
    });
    bed.hand(other, "() => { look() }", 0, "fn");
    bed.eval(
        "const t = new EventTarget(); t.addEventListener('x', fn); t.dispatchEvent(new Event('x'));"
            + "const u = new EventTarget(); u.addEventListener('x', () => t.dispatchEvent(new Event('x'))); u.dispatchEvent(new Event('x'))");
    assertEquals(List.of(false, true, true, true), seen);
    assertNull(current[0].get());
    assertNull(current[1].get());
  }

  @Test
  void no_proxy_trap_runs_to_find_the_realm_if_only_one_exists() {
    try (RealmBed single = new RealmBed(RealmBed.Access.NONE, new DomModule())) {
      assertEquals(
          "get handleEvent",
          single.eval(
              "const seen = []; const p = new Proxy({}, new Proxy({}, { get(_, trap) { return (t, key) => { seen.push(trap + ' ' + String(key)); } } }));"
                  + "const t = new EventTarget(); t.addEventListener('x', p); t.dispatchEvent(new Event('x')); seen.join()"));
    }
  }
}
