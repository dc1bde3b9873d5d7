package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Platform;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.DomModule;
import dev.weblocks.global.GlobalModule;
import dev.weblocks.global.GlobalScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Platform objects in structured serialization, from a window's realm to that of a worker. */
class PlatformObjectCloneTest {

  private static final class TestScope extends GlobalScope {
    TestScope(Realm realm) {
      super(realm);
    }
  }

  private static class Note extends PlatformObject {
    private final String text;

    Note(Realm realm, String text) {
      super(realm);
      this.text = text;
    }
  }

  private static final class SpecialNote extends Note {
    SpecialNote(Realm realm) {
      super(realm, "special");
    }
  }

  private static final class WindowNote extends PlatformObject {
    WindowNote(Realm realm) {
      super(realm);
    }
  }

  private static final class Token extends PlatformObject {
    private @Nullable String text;

    Token(Realm realm, String text) {
      super(realm);
      this.text = text;
    }

    String leave() {
      String left = text;
      if (left == null) {
        throw ScriptException.dom("DataCloneError", "The token is detached.");
      }
      text = null;
      return left;
    }
  }

  private static final PlatformModule NOTES =
      new PlatformModule() {
        @Override
        public String idlResource() {
          return "/dev/weblocks/messaging/notes.idl";
        }

        @Override
        public void define(Implementations implementations) {
          implementations.implement("TestScope", TestScope.class);
          implementations
              .implement("Note", Note.class)
              .constructor((realm, args) -> new Note(realm, args.string(0)))
              .getter("text", note -> note.text)
              .serializable(note -> note.text, Note::new);
          implementations
              .implement("SpecialNote", SpecialNote.class)
              .constructor((realm, args) -> new SpecialNote(realm));
          implementations
              .implement("WindowNote", WindowNote.class)
              .constructor((realm, args) -> new WindowNote(realm))
              .serializable(note -> "", (realm, state) -> new WindowNote(realm));
          implementations
              .implement("Token", Token.class)
              .constructor((realm, args) -> new Token(realm, args.string(0)))
              .getter("text", token -> token.text)
              .transferable(Token::leave, Token::new);
        }
      };

  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final List<String> defects = new ArrayList<>();
  private @Nullable Platform platform;
  private @Nullable UserAgent userAgent;
  private @Nullable Agent here;
  private @Nullable Agent there;
  private @Nullable Realm window;
  private @Nullable Realm worker;

  @BeforeEach
  void makeRealms() {
    platform =
        Platform.of(
            List.of(new DomModule(), new GlobalModule(), new MessagingModule(), NOTES),
            (realm, exception) -> {});
    UserAgent made =
        new UserAgent(
            new Configuration(
                driver,
                new RandomSource(new SplittableRandom(1)),
                (modules, limits) ->
                    Context.newBuilder("js")
                        .allowHostAccess(HostAccess.NONE)
                        .allowValueSharing(false)
                        .option("js.ecmascript-version", "staging")
                        .option("engine.WarnInterpreterOnly", "false")
                        .allowExperimentalOptions(true)
                        .option("js.temporal", "true")
                        .build(),
                (agent, where, failure) -> defects.add(where + ": " + failure)));
    userAgent = made;
    Agent from = made.createAgent("window");
    Agent to = made.createAgent("worker");
    here = from;
    there = to;
    on(from, () -> window = newRealm(from, Set.of("Window")));
    on(to, () -> worker = newRealm(to, Set.of("Worker", "DedicatedWorker")));
  }

  private Realm newRealm(Agent agent, Set<String> globalNames) {
    Origin origin = new Origin.Tuple("https", "one.test", 443);
    Realm realm =
        agent.createRealm(
            new EnvironmentSettings("id", "https://one.test/", origin, origin, true, globalNames));
    require(platform).install(realm);
    new TestScope(realm).becomeGlobal();
    return realm;
  }

  @AfterEach
  void close() {
    if (userAgent != null) {
      userAgent.close();
    }
    driver.runUntilQuiescent(1_000);
    driver.close();
    assertEquals(List.of(), defects);
  }

  private void on(@Nullable Agent agent, Runnable steps) {
    List<RuntimeException> failures = new ArrayList<>();
    require(agent)
        .eventLoop()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            null,
            "test",
            () -> {
              try {
                steps.run();
              } catch (RuntimeException failure) {
                failures.add(failure);
              }
            });
    driver.runUntilQuiescent(100_000);
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  private static <T> T require(@Nullable T thing) {
    if (thing == null) {
      throw new IllegalStateException("not made");
    }
    return thing;
  }

  private static Value eval(@Nullable Realm realm, String script) {
    return require(realm).evaluate(Source.newBuilder("js", script, "test.js").buildLiteral());
  }

  /** Serializes in the window. */
  private SerializedValue send(String value, String transferList) {
    SerializedValue[] sent = new SerializedValue[1];
    on(
        here,
        () ->
            sent[0] =
                StructuredClone.of(require(window))
                    .structuredSerializeWithTransfer(
                        eval(window, "(" + value + ")"), eval(window, transferList), "Failed"));
    return sent[0];
  }

  /** Returns the value in the worker of an expression over the received {@code v}. */
  private String received(SerializedValue message, String expression) {
    String[] result = new String[1];
    on(
        there,
        () -> {
          DeserializedValue made =
              StructuredClone.of(require(worker)).structuredDeserializeWithTransfer(message);
          Value show = eval(worker, "((v, transferred) => String(" + expression + "))");
          result[0] =
              require(there)
                  .call(show, made.value(), made.transferredValues().toArray(new Object[0]).length)
                  .asString();
        });
    return result[0];
  }

  private String in(@Nullable Agent agent, @Nullable Realm realm, String expression) {
    String[] result = new String[1];
    on(agent, () -> result[0] = eval(realm, "String(" + expression + ")").asString());
    return result[0];
  }

  @Test
  void serializable_object_referenced_repeatedly_is_copied_once_into_the_other_realm() {
    SerializedValue message =
        send("(() => { const n = new Note('x'); return [n, {n}, new Map([[n, 1]])]; })()", "[]");
    assertEquals(
        "x true true true",
        received(
            message,
            "[v[0].text, v[0] === v[1].n, v[2].has(v[0]), v[0] instanceof Note].join(' ')"));
  }

  @Test
  void instance_of_a_scripts_subclass_is_cloned_as_the_platform_interface() {
    SerializedValue message =
        send("new (class Mine extends Note { constructor() { super('y'); this.own = 1; } })", "[]");
    assertEquals(
        "y true false",
        received(
            message,
            "[v.text, Object.getPrototypeOf(v) === Note.prototype, 'own' in v].join(' ')"));
  }

  @Test
  void clone_still_uses_an_interface_deleted_from_the_global() {
    SerializedValue message = send("new Note('z')", "[]");
    in(there, worker, "delete globalThis.Note");
    assertEquals("z", received(message, "v.text"));
  }

  @Test
  void interface_that_inherits_from_a_serializable_one_is_not_serializable() {
    ScriptException refused =
        assertThrows(ScriptException.class, () -> send("new SpecialNote()", "[]"));
    assertEquals("Failed: #<SpecialNote> could not be cloned.", refused.getMessage());
  }

  @Test
  void object_of_an_interface_that_the_receiver_lacks_cannot_be_received() {
    SerializedValue message = send("{deep: [new WindowNote()]}", "[]");
    ScriptException refused = assertThrows(ScriptException.class, () -> received(message, "v"));
    assertEquals(
        "Failed to deserialize a message: The interface WindowNote is not exposed here.",
        refused.getMessage());
    String[] type = new String[1];
    on(there, () -> type[0] = MessageEvents.of(require(worker), message).type());
    assertEquals("messageerror", type[0]);
  }

  @Test
  void transferred_object_moves_and_the_original_is_detached() {
    on(
        here,
        () -> eval(window, "globalThis.t = new Token('t'); globalThis.b = new ArrayBuffer(3)"));
    SerializedValue message = send("[t, b, t, new Uint8Array(b)]", "[b, t]");
    assertEquals("null true", in(here, window, "[String(t.text), b.detached].join(' ')"));
    assertEquals(
        "t true true 3 2",
        received(
            message,
            "[v[0].text, v[0] === v[2], v[3].buffer === v[1], v[1].byteLength, transferred].join(' ')"));
  }

  @Test
  void transferable_object_missing_from_the_transfer_list_is_refused() {
    ScriptException refused =
        assertThrows(ScriptException.class, () -> send("[new Token('t')]", "[]"));
    assertEquals("Failed: #<Token> could not be cloned.", refused.getMessage());
  }

  @Test
  void detached_object_cannot_be_transferred_again() {
    on(here, () -> eval(window, "globalThis.t = new Token('t')"));
    send("1", "[t]");
    ScriptException refused = assertThrows(ScriptException.class, () -> send("1", "[t]"));
    assertEquals("Failed: The token is detached.", refused.getMessage());
  }

  @Test
  void serializable_object_is_not_transferable() {
    ScriptException refused =
        assertThrows(ScriptException.class, () -> send("1", "[new Note('n')]"));
    assertEquals(
        "Failed: Value at index 0 does not have a transferable type.", refused.getMessage());
  }

  @Test
  void serialization_for_storage_can_be_deserialized_several_times() {
    SerializedValue[] stored = new SerializedValue[1];
    on(
        here,
        () ->
            stored[0] =
                StructuredClone.of(require(window))
                    .structuredSerializeForStorage(eval(window, "[new Note('s'), 1n]"), "Failed"));
    assertEquals("s1", received(stored[0], "v[0].text + v[1]"));
    assertEquals("s1", received(stored[0], "v[0].text + v[1]"));
  }

  @Test
  void structured_clone_copies_into_realm_of_this_but_throws_in_function_realm() {
    on(
        here,
        () -> {
          Realm other = newRealm(require(here), Set.of("Window"));
          require(window).global().putMember("other", other.global());
        });
    assertEquals(
        "true true true true true true true",
        in(
            here,
            window,
            """
            (() => {
              const clone = other.structuredClone;
              const all = [Object, Array, Date, Map, Error].map(C => clone.call(globalThis, new other[C.name]) instanceof C);
              const b = new other.ArrayBuffer(1);
              const moved = clone.call(globalThis, {b, note: new other.Note('n')}, {transfer: [b]});
              all.push(moved.b instanceof ArrayBuffer && b.detached && moved.note instanceof Note);
              try { clone.call(globalThis, () => {}); } catch (e) { all.push(e instanceof other.DOMException); }
              return all.join(' ');
            })()
            """));
  }

  @Test
  void every_kind_of_object_is_recognised() {
    on(here, () -> assertNull(StructuredClone.of(require(window)).failedProbe()));
  }

  @Test
  void probe_returns_the_kind_that_is_not_recognised() {
    on(
        here,
        () -> {
          Realm realm = require(window);
          Value unused =
              realm.evaluate(Source.newBuilder("js", "WeakMap = Map", "t").buildLiteral());
          assertEquals("a WeakMap", StructuredClone.of(realm).failedProbe());
        });
  }
}
