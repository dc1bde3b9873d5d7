package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The binding of one realm: what Java needs in order to make objects, promises and exceptions there
 * and to call script. On the event loop of the realm's agent.
 */
public final class RealmBinding {

  private final Realm realm;
  private final Agent agent;
  private final Platform platform;
  private final Value prelude;
  private final Value sentinel;
  private final Value undefined;
  private final Value nullValue;
  private final Value wrap;
  private final Value newPromise;
  private final Value callAndReport;
  private final Value callUserObject;
  private final Value callAndReact;
  private final Value dictionary;
  private final Value array;
  private final Value isUndefined;

  RealmBinding(Realm realm, Platform platform) {
    this.realm = realm;
    this.agent = realm.agent();
    this.platform = platform;
    AgentKit kit = agent.supplements().get(AgentKit.class, () -> new AgentKit(realm));
    this.sentinel = agent.call(realm.evaluate(SENTINEL));
    Seam seam = new Seam(realm, platform.members(), this);
    Value make = realm.evaluate(platform.preludeSource());
    Value tables = agent.call(realm.evaluate(platform.tablesFor(realm.settings())));
    this.prelude =
        agent.call(
            make,
            kit.value(),
            seam,
            sentinel,
            new HostFunction(realm, "take failure", none -> seam.takeFailure()),
            tables);
    this.undefined = prelude.getMember("undefined");
    this.nullValue = prelude.getMember("nullValue");
    this.wrap = prelude.getMember("wrap");
    this.newPromise = prelude.getMember("newPromise");
    this.callAndReport = prelude.getMember("callAndReport");
    this.callUserObject = prelude.getMember("callUserObject");
    this.callAndReact = prelude.getMember("callAndReact");
    this.dictionary = prelude.getMember("dictionary");
    this.array = prelude.getMember("array");
    this.isUndefined = prelude.getMember("isUndefined");
    exception(ScriptException.rangeError("")); // for the reason that throwOnce has
  }

  private static final Source SENTINEL =
      Source.newBuilder(
              "js",
              "(function () { return Object.freeze({__proto__: null}) })",
              "weblocks:sentinel")
          .internal(true)
          .buildLiteral();

  private static final Source THROW_ONCE =
      Source.newBuilder(
              "js",
              "(function (fail) { try { fail() } catch (e) { String(e.stack) } fail() })",
              "weblocks:throw-once")
          .buildLiteral(); // not internal: only frames that show in stacks load the classes

  /** What all realms of an agent share, see {@code agent-kit.js}. */
  private record AgentKit(Value value) {
    AgentKit(Realm realm) {
      this(realm.agent().call(realm.evaluate(Resources.script(Platform.class, "agent-kit.js"))));
      throwOnce(realm);
    }

    /**
     * Lets one exception pass from Java into script and back. The engine loads classes for that; if
     * a stack overflow were the first exception to pass, their initialization would fail, and with
     * it every later exception in this JVM.
     */
    private static void throwOnce(Realm realm) {
      try {
        realm
            .agent()
            .call(
                realm.evaluate(THROW_ONCE),
                (ProxyExecutable)
                    none -> {
                      throw new IllegalStateException(); // one with a stack
                    });
      } catch (PolyglotException expected) {
        expected.getPolyglotStackTrace().forEach(frame -> {});
        StackTraceElement[] unused = expected.asHostException().getStackTrace();
      }
    }
  }

  /**
   * The binding of a realm.
   *
   * @throws IllegalStateException if none was installed there
   */
  public static RealmBinding of(Realm realm) {
    return realm.supplements().require(RealmBinding.class);
  }

  public Realm realm() {
    return realm;
  }

  Platform platform() {
    return platform;
  }

  Value failureSentinel() {
    return sentinel;
  }

  /** Makes the global object the object of an implementation. Once per realm. */
  public void brandGlobal(PlatformObject implementation) {
    implementation.becomes(realm.global());
    agent.call(
        prelude.getMember("brandGlobal"),
        platform.interfaceId(implementation.getClass()),
        implementation);
  }

  Value wrap(PlatformObject implementation) {
    return agent.call(wrap, platform.interfaceId(implementation.getClass()), implementation);
  }

  /**
   * The JavaScript value of a Java one: null, strings, booleans, numbers, {@link Value}s, platform
   * objects, {@link IdlPromise}, {@link DictionaryValue}, lists (as arrays).
   *
   * @throws IllegalArgumentException for anything else
   */
  public @Nullable Object toScript(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String string -> string;
      case Boolean bool -> bool;
      case Integer integer -> integer;
      case Double number -> number;
      case Value already -> already;
      case PlatformObject object -> object.object();
      case IdlPromise promise -> promise.promise();
      case DictionaryValue made -> {
        @Nullable Object[] parts = new @Nullable Object[made.members().size() + 1];
        parts[0] = made.name();
        for (int i = 1; i < parts.length; i++) {
          parts[i] = toScript(made.members().get(i - 1));
        }
        yield agent.call(dictionary, parts);
      }
      case List<?> list -> {
        @Nullable Object[] items = new @Nullable Object[list.size()];
        for (int i = 0; i < items.length; i++) {
          items[i] = toScript(list.get(i));
        }
        yield agent.call(array, items);
      }
      default ->
          throw new IllegalArgumentException(
              "cannot hand a " + value.getClass().getName() + " to script");
    };
  }

  /** The JavaScript value null. */
  public Value nullValue() {
    return nullValue;
  }

  /** The JavaScript value undefined. */
  public Value undefined() {
    return undefined;
  }

  /** Whether a value is a platform object of any realm of this agent. */
  public boolean isPlatformObject(Value value) {
    return agent.call(prelude.getMember("isPlatformObject"), value).asBoolean();
  }

  /**
   * Listens for promises that are rejected and still unhandled when the microtasks have run. On the
   * first realm of an agent only; false where the context does not offer it.
   *
   * @param listener gets reason and promise
   */
  public boolean onUnhandledRejection(BiConsumer<Value, Value> listener) {
    return agent
        .call(
            prelude.getMember("onUnhandledRejection"),
            new HostFunction(
                realm,
                "unhandled rejection",
                values -> {
                  listener.accept(values[0], values[1]);
                  return null;
                }))
        .asBoolean();
  }

  public boolean isUndefined(Value value) {
    return agent.call(isUndefined, value).asBoolean();
  }

  /**
   * A new promise in this realm.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#a-new-promise">Web IDL</a>
   */
  public IdlPromise newPromise() {
    IdlPromise[] made = new IdlPromise[1];
    agent.call(
        newPromise,
        new HostFunction(
            realm,
            "new promise",
            parts -> {
              made[0] = new IdlPromise(realm, parts[0], parts[1], parts[2]);
              return null;
            }));
    return made[0];
  }

  /**
   * A promise rejected with an exception.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#a-promise-rejected-with">Web IDL</a>
   */
  public IdlPromise promiseRejectedWith(ScriptException exception) {
    IdlPromise promise = newPromise();
    promise.reject(exception);
    return promise;
  }

  /** The JavaScript exception, made in this realm. */
  public Value exception(ScriptException exception) {
    return switch (exception.kind()) {
      case VALUE -> exception.thrownValue();
      case DOM_EXCEPTION ->
          new DOMException(realm, exception.text(), exception.errorName()).object();
      case TYPE_ERROR, RANGE_ERROR ->
          agent.call(prelude.getMember("exception"), exception.errorName(), exception.text());
    };
  }

  /**
   * Invokes a callback function; an exception is reported.
   *
   * @return what it returned, null if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public @Nullable Value callAndReport(Value function, Object self, Object... arguments) {
    Object[] all = new Object[arguments.length + 2];
    all[0] = function;
    all[1] = self;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return orNullOnFailure(agent.call(callAndReport, all));
  }

  /**
   * Calls a user object's operation; an exception is reported.
   *
   * @return what it returned, null if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#call-a-user-objects-operation">Web IDL</a>
   */
  public @Nullable Value callUserObject(
      Value object, String operation, Object self, Object argument) {
    return orNullOnFailure(agent.call(callUserObject, object, operation, self, argument));
  }

  private @Nullable Value orNullOnFailure(Value result) {
    return result.equals(sentinel) ? null : result;
  }

  /**
   * Invokes a callback function with a promise as its return type and reacts to that promise; a
   * thrown exception counts as a rejection.
   */
  public void callAndReact(
      Value function,
      Object self,
      @Nullable Object argument,
      Consumer<Value> onFulfilled,
      Consumer<Value> onRejected) {
    agent.call(
        callAndReact,
        function,
        self,
        argument,
        new HostFunction(
            realm,
            "reaction",
            values -> {
              onFulfilled.accept(values[0]);
              return null;
            }),
        new HostFunction(
            realm,
            "reaction",
            values -> {
              onRejected.accept(values[0]);
              return null;
            }));
  }

  /**
   * Queues a microtask that invokes a callback.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webappapis.html#queue-a-microtask">HTML</a>
   */
  public void queueMicrotask(Value function) {
    agent.call(prelude.getMember("queueMicrotask"), function);
  }

  /**
   * Runs steps as one call into the context: microtasks wait until all of them are done. For tasks
   * that settle several promises or fire several events as one step of a specification.
   */
  public void atomically(Runnable steps) {
    agent.call(
        prelude.getMember("run"),
        new HostFunction(
            realm,
            "steps",
            none -> {
              steps.run();
              return null;
            }));
  }

  /**
   * Runs a script; an exception, also a syntax error, is reported before microtasks run.
   *
   * @return whether it ran to its end
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#run-a-classic-script">run
   *     a classic script</a>
   */
  public boolean runClassicScript(Source source) {
    return agent
        .call(
            prelude.getMember("runScript"),
            new HostFunction(
                realm,
                "script",
                none -> {
                  realm.evaluate(source);
                  return null;
                }))
        .asBoolean();
  }

  /**
   * Parses JSON.
   *
   * @throws org.graalvm.polyglot.PolyglotException the SyntaxError
   */
  public Value parseJson(String text) {
    return agent.call(prelude.getMember("parseJson"), text);
  }

  /** How an error event shows an exception: its name and message, or the value as text. */
  public String errorText(Value exception) {
    return agent.call(prelude.getMember("errorText"), exception).asString();
  }

  /** The stack of an exception, null if it has none. */
  public @Nullable String errorStack(Value exception) {
    Value stack = agent.call(prelude.getMember("errorStack"), exception);
    return stack.isNull() ? null : stack.asString();
  }
}
