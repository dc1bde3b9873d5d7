package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.JavaStack;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.VirtualWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The binding of one realm: makes objects, promises and exceptions there, and calls script. On the
 * event loop of the realm's agent.
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
  private final Value promiseOf;
  private final Value resolvePromise;
  private final Value rejectPromise;
  private final Value callAndReport;
  private final Value callUserObject;
  private final Value invoke;
  private final Value reactToCompletion;
  private final Value dictionary;
  private final Value dictionaries;
  private final Value array;
  private final Value isUndefined;
  private final Value seamOf;
  private final BufferSources bufferSources;
  private final Value isOurs;
  private final Value errorReader;
  private final Value guarded;
  private final AgentKit kit;
  private @Nullable Value proxyType;
  private @Nullable SourceSection thrownAt;
  private @Nullable LexicalGlobals lexicalGlobals;

  RealmBinding(Realm realm, Platform platform) {
    this.realm = realm;
    this.agent = realm.agent();
    this.platform = platform;
    this.kit = agent.supplements().get(AgentKit.class, () -> AgentKit.of(realm));
    this.sentinel = kit.failure;
    Seam seam = new Seam(realm, realm, platform.members(), this);
    boolean ownsContext = agent.ownsContext();
    Value make = realm.evaluate(platform.preludeSource(ownsContext));
    RealmTables tables = platform.tablesFor(realm.settings());
    this.prelude =
        agent.call(
            make,
            kit.value,
            seam,
            sentinel,
            HostFunction.thatOutlivesTheAgent(realm, "take failure", none -> seam.takeFailure()),
            agent.call(realm.evaluate(tables.index())),
            ownsContext
                ? null
                : new HostFunction(
                    realm,
                    "error test",
                    values -> values[0].isException() && !values[0].isHostObject()),
            new HostFunction(realm, "tables", values -> evaluate(partOf(tables, values[0]))),
            ownsContext && platform.hasLazyInterfaces() ? definingLater(tables) : null);
    this.undefined = prelude.getMember("undefined");
    this.nullValue = prelude.getMember("nullValue");
    this.wrap = prelude.getMember("wrap");
    this.newPromise = prelude.getMember("newPromise");
    this.promiseOf = prelude.getMember("promiseOf");
    this.resolvePromise = prelude.getMember("resolvePromise");
    this.rejectPromise = prelude.getMember("rejectPromise");
    this.callAndReport = prelude.getMember("callAndReport");
    this.callUserObject = prelude.getMember("callUserObject");
    this.invoke = prelude.getMember("invoke");
    this.reactToCompletion = prelude.getMember("reactToCompletion");
    this.dictionary = prelude.getMember("dictionary");
    this.dictionaries = prelude.getMember("dictionaries");
    this.array = prelude.getMember("array");
    this.isUndefined = prelude.getMember("isUndefined");
    this.seamOf = prelude.getMember("seamOf");
    EngineFeatures trials = platform.trials();
    this.bufferSources = new BufferSources(agent, prelude, trials);
    this.isOurs = prelude.getMember("isOurs");
    this.guarded = prelude.getMember("guarded");
    this.errorReader =
        agent.call(
            prelude.getMember("errorReader"),
            proxyTest(),
            function("error", values -> CallStack.of(values[0])));
    trials.once(() -> agent.aside(this::tryEngine));
    if (ownsContext && agent.userAgent().supplements().find(VirtualWorld.class) != null) {
      VirtualRealm.install(realm, this, prelude.getMember("native"));
    }
  }

  private void tryEngine() {
    if (!proxyType().isMetaInstance(callApi("someProxy")) || isProxy(realm.global())) {
      throw new IllegalStateException(
          "this engine cannot distinguish proxies from other objects; use a supported version of"
              + " GraalJS");
    }
    throwOnce();
    exception(ScriptException.rangeError("")); // loads classes, for the same reason as throwOnce
  }

  private Value proxyType() {
    Value known = proxyType;
    if (known == null) {
      known = agent.ask(prelude.getMember("someProxy")).getMetaObject();
      proxyType = known;
    }
    return known;
  }

  /**
   * Returns the function that defines lazy properties; null if the engine's classes are hidden. The
   * bytecode verifier may find that out before the first instruction of {@link LazyProperties#on}.
   */
  private static @Nullable ProxyExecutable definingLater(RealmTables tables) {
    try {
      return LazyProperties.on(tables.names());
    } catch (LinkageError hidden) {
      return null;
    }
  }

  private static @Nullable Source partOf(RealmTables tables, Value which) {
    return which.isString() ? tables.dictionary(which.asString()) : tables.part(which.asInt());
  }

  private @Nullable Value evaluate(@Nullable Source source) {
    return source == null ? null : realm.read(source);
  }

  private static final Source THROW_ONCE =
      Source.newBuilder(
              "js",
              "(function (fail) { try { fail() } catch (e) { String(e.stack) } fail() })",
              "weblocks:throw-once")
          .buildLiteral(); // not internal: only frames that show in stacks load the classes

  /** The state that all realms of an agent share, see {@code agent-kit.js}. */
  private static final class AgentKit {
    private static final Source KIT = Resources.script(Platform.class, "agent-kit.js");

    final Value value;
    final Value failure;
    private int calls;

    private AgentKit(Value value) {
      this.value = value;
      this.failure = value.getMember("failure");
    }

    static AgentKit of(Realm realm) {
      return new AgentKit(realm.agent().call(realm.evaluate(KIT)));
    }

    /** Returns the number of another call of a callback. */
    int nextCall() {
      calls++;
      return calls;
    }
  }

  /**
   * Passes one exception from Java into script and back. The engine loads classes for that; if a
   * stack overflow were the first exception to pass, their initialization would fail, and with it
   * every later exception in this JVM.
   */
  private void throwOnce() {
    try {
      agent.call(
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

  /**
   * Returns the binding of a realm.
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

  /**
   * Returns the object whose own properties are the interface objects and the members of the
   * global. It is the global itself; if the embedder owns the context, it is a separate object,
   * from which the embedder takes what it needs.
   */
  public Value exposed() {
    return prelude.getMember("exposed");
  }

  /** Returns an operation of this realm's global for another realm, which is the caller then. */
  Value operationFor(Realm caller, String name) {
    Seam seam = new Seam(realm, caller, platform.members(), this);
    return callApi(
        "operationFor",
        name,
        seam,
        new HostFunction(realm, "take failure", none -> seam.takeFailure()));
  }

  /**
   * Returns a function of Java for internal scripts that page script may call indirectly. After any
   * failure script gets a genuine JavaScript exception.
   *
   * @param label the name of the function in reports of defects
   */
  public Value function(String label, Function<Value[], @Nullable Object> steps) {
    return agent.ask(guarded, new HostFunction(realm, label, steps));
  }

  Value failureSentinel() {
    return sentinel;
  }

  /** Makes the global object the object of an implementation. Once per realm. */
  public void brandGlobal(PlatformObject implementation) {
    implementation.becomes(realm.global());
    if (!agent.ownsContext()) {
      callApi("adoptGlobal", platform.interfaceId(implementation.getClass()), implementation);
      return;
    }
    boolean window = realm.settings().globalNames().contains("Window");
    if (window) {
      lexicalGlobals = new LexicalGlobals(realm, this);
    }
    agent.call(
        prelude.getMember("brandGlobal"),
        platform.interfaceId(implementation.getClass()),
        implementation,
        window ? "WindowProperties" : null);
  }

  Value wrap(PlatformObject implementation) {
    return agent.call(wrap, platform.interfaceId(implementation.getClass()), implementation);
  }

  /**
   * Returns the JavaScript value of a Java one: null, strings, booleans, numbers, {@link Value}s,
   * platform objects, {@link IdlPromise}, {@link DictionaryValue}, {@link DictionaryList}, lists
   * (as arrays).
   *
   * @throws IllegalArgumentException for anything else
   */
  public @Nullable Object toScript(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String string -> string;
      case Boolean bool -> bool;
      case Integer integer -> integer;
      case Long number -> (double) number; // as a JavaScript number: exact up to 2^53
      case Double number -> number;
      case Value already -> already;
      case PlatformObject object -> object.objectFor(realm);
      case IdlPromise promise -> promise.promise();
      case DictionaryValue made -> {
        @Nullable Object[] parts = new @Nullable Object[made.members().size() + 1];
        parts[0] = made.name();
        for (int i = 1; i < parts.length; i++) {
          parts[i] = toScript(made.members().get(i - 1));
        }
        yield agent.ask(dictionary, parts);
      }
      case DictionaryList list -> list.toScript();
      case List<?> list -> {
        @Nullable Object[] items = new @Nullable Object[list.size()];
        for (int i = 0; i < items.length; i++) {
          items[i] = toScript(list.get(i));
        }
        yield agent.ask(array, items);
      }
      default ->
          throw new IllegalArgumentException(
              "cannot convert a " + value.getClass().getName() + " to a JavaScript value");
    };
  }

  Value prepareDictionaries(@Nullable Object[] arguments) {
    return agent.ask(prelude.getMember("prepareDictionaries"), arguments);
  }

  Value dictionaries(Value prepared) {
    return agent.ask(dictionaries, prepared);
  }

  /**
   * Returns the values of an internal list: of a converted sequence, not of an array of the page.
   */
  static List<Value> items(Value list) {
    int size = list.isNull() ? 0 : (int) list.getArraySize();
    List<Value> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      items.add(list.getArrayElement(i));
    }
    return items;
  }

  /**
   * Returns a frozen array of values that {@link #toScript} takes.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#js-frozen-array">Web IDL</a>
   */
  public Value frozenArray(List<?> values) {
    @Nullable Object[] items = new @Nullable Object[values.size()];
    for (int i = 0; i < items.length; i++) {
      items[i] = toScript(values.get(i));
    }
    return agent.call(prelude.getMember("frozenArray"), items);
  }

  /**
   * Returns the implementation of a platform object of any realm of this agent; null for other
   * values.
   */
  public @Nullable PlatformObject implementation(Value value) {
    Value found = agent.call(prelude.getMember("implementation"), value);
    return found.isNull() ? null : found.asHostObject();
  }

  /**
   * Returns the state of a platform object that crosses to another realm; null if it is not
   * serializable.
   *
   * @throws ScriptException the exception of its serialization steps
   */
  public @Nullable SerializedPlatformObject serialize(PlatformObject object) {
    return platform.serialization().leave(object);
  }

  /**
   * Detaches a platform object and returns its state, which moves to another realm; null if it is
   * not transferable.
   *
   * @throws ScriptException a DataCloneError if it is detached already
   */
  public @Nullable SerializedPlatformObject transfer(PlatformObject object) {
    return platform.transfer().leave(object);
  }

  /** Returns whether objects of this one's interface can be transferred. */
  public boolean isTransferable(PlatformObject object) {
    return platform.transfer().includes(object);
  }

  /** Returns whether an interface is exposed in this realm. */
  public boolean isExposed(String interfaceName) {
    return platform.isExposed(interfaceName, realm.settings());
  }

  /** Makes the copy of a platform object in this realm, where its interface is exposed. */
  public PlatformObject deserialize(SerializedPlatformObject serialized) {
    return platform.serialization().arrive(realm, serialized);
  }

  /** Makes a platform object that moved here, to a realm where its interface is exposed. */
  public PlatformObject receive(SerializedPlatformObject serialized) {
    return platform.transfer().arrive(realm, serialized);
  }

  /** Returns the access to the bytes of buffer sources. */
  public BufferSources bufferSources() {
    return bufferSources;
  }

  /** Returns the entries of a maplike object. */
  public MaplikeEntries mapEntries(PlatformObject maplike) {
    return new MaplikeEntries(this, agent.call(prelude.getMember("backing"), maplike.object()));
  }

  /** Returns the entries of a setlike object. */
  public SetlikeEntries setEntries(PlatformObject setlike) {
    return new SetlikeEntries(this, agent.call(prelude.getMember("backing"), setlike.object()));
  }

  /**
   * Returns an object of another origin. Only the members with these names can be used; for all
   * others {@code deny} of {@code members} throws.
   */
  public Value crossOriginObject(
      PlatformObject members, List<String> attributes, List<String> operations) {
    return callApi(
        "crossOriginObject", members.object(), toScript(attributes), toScript(operations));
  }

  /** Sets the children of the global, by index. */
  public void setChildren(List<? extends PlatformObject> children) {
    callApi(
        "setChildren",
        children.size(),
        function("window", values -> toScript(children.get(values[0].asInt()))));
  }

  /**
   * Sets the named properties of the global.
   *
   * @param lookUp returns the object of a name, null for none; called only if the global has no
   *     such property of its own or of its interfaces
   */
  public void setNamedObjects(Function<String, @Nullable PlatformObject> lookUp) {
    callApi(
        "setNamedObjects",
        function("window", values -> toScript(lookUp.apply(values[0].asString()))));
  }

  Value callApi(String function, @Nullable Object... arguments) {
    return agent.call(prelude.getMember(function), arguments);
  }

  /** Returns the JavaScript value null. */
  public Value nullValue() {
    return nullValue;
  }

  /** Returns the JavaScript value undefined. */
  public Value undefined() {
    return undefined;
  }

  /**
   * Returns the realm of a callback, which decides for which global an exception is reported. It is
   * found by the prototype chain of the callback; if that does not show it, it is this realm.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-associated-realm">associated realm</a>
   */
  public Realm associatedRealm(Value callback) {
    if (!agent.hasHadSeveralRealms()) {
      return realm;
    }
    Value found = agent.call(seamOf, callback);
    return found.isProxyObject() && found.asProxyObject() instanceof Seam seam
        ? seam.realm()
        : realm;
  }

  /**
   * Returns a function for internal scripts that call it often: whether a value is a platform
   * object of any realm of this agent.
   */
  public Value platformObjectTest() {
    return prelude.getMember("isPlatformObject");
  }

  /**
   * Sets the listener for promises that are rejected and still unhandled when the microtasks have
   * run. On the first realm of an agent only. Returns false if the context does not offer it.
   *
   * @param listener receives reason and promise
   */
  public boolean onUnhandledRejection(BiConsumer<Value, Value> listener) {
    return agent
        .call(
            prelude.getMember("onUnhandledRejection"),
            function(
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
   * Returns a new promise in this realm.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#a-new-promise">Web IDL</a>
   */
  public IdlPromise newPromise() {
    return new IdlPromise(this, agent.ask(newPromise));
  }

  Value promiseOf(Value capability) {
    return agent.ask(promiseOf, capability);
  }

  void resolve(Value capability, @Nullable Object value) {
    agent.call(resolvePromise, capability, value);
  }

  void reject(Value capability, Value reason) {
    agent.call(rejectPromise, capability, reason);
  }

  /**
   * Returns a promise rejected with an exception.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#a-promise-rejected-with">Web IDL</a>
   */
  public IdlPromise promiseRejectedWith(ScriptException exception) {
    IdlPromise promise = newPromise();
    promise.reject(exception);
    return promise;
  }

  /** Returns the JavaScript exception, made in this realm. */
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
   * @return its result, null if it threw
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
   * @return its result, null if it threw
   * @see <a href="https://webidl.spec.whatwg.org/#call-a-user-objects-operation">Web IDL</a>
   */
  public @Nullable Value callUserObject(
      Value object, String operation, Object self, Object argument) {
    return orNullOnFailure(agent.call(callUserObject, object, operation, self, argument));
  }

  private @Nullable Value orNullOnFailure(Value result) {
    return result.equals(sentinel) ? null : result;
  }

  /** The reaction to the settling of a promise; called once, on the event loop. */
  @FunctionalInterface
  public interface Reaction {
    /**
     * @param value the value that the promise was fulfilled with, or the reason of its rejection
     */
    void settled(boolean fulfilled, Value value);

    /**
     * Called in place of {@link #settled} if a callback did not complete: the embedder interrupted
     * it, or memory ran out. Must not run script in this turn. An exception from it is a defect.
     *
     * @param failure the exception of the engine
     */
    default void brokeOff(Throwable failure) {
      rethrow(failure);
    }

    private static Reaction of(Consumer<Value> onFulfilled, Consumer<Value> onRejected) {
      return (fulfilled, value) -> (fulfilled ? onFulfilled : onRejected).accept(value);
    }
  }

  /**
   * Invokes a callback function with a promise as its return type, without {@code this}, and reacts
   * to that promise; a thrown exception counts as a rejection. Unless script is on the stack,
   * microtasks run before the value becomes a promise.
   *
   * @param argument a new object, to which only script has a reference from now on; or null
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public void callAndReact(Value function, @Nullable PlatformObject argument, Reaction reaction) {
    Throwable failure = null;
    boolean reacts = false;
    int call = kit.nextCall();
    try {
      invoke(call, function, argument);
    } catch (RuntimeException | Error thrown) {
      failure = passing(thrown);
    }
    // a microtask may have failed instead; after an interruption no script runs in this turn
    if (failure == null || (!isInterruption(failure) && isCompletionLeft(call, false))) {
      try {
        reacts = agent.call(reactToCompletion, call, reaction).asBoolean();
      } catch (RuntimeException | Error thrown) {
        failure = failure == null ? passing(thrown) : failure;
        reacts = !isInterruption(thrown) && !isCompletionLeft(call, true);
      }
    }
    if (reacts) {
      rethrow(failure);
    } else {
      forgetCompletion(call);
      reaction.brokeOff(
          failure == null
              ? new IllegalStateException(
                  "no completion was recorded for call " + call + " of a callback")
              : failure);
    }
  }

  private boolean isCompletionLeft(int call, boolean ifUnknown) {
    try {
      return agent.ask(prelude.getMember("isCompletionLeft"), call).asBoolean();
    } catch (RuntimeException | Error thrown) {
      return ifUnknown;
    }
  }

  private void forgetCompletion(int call) {
    try {
      Value unused = agent.ask(prelude.getMember("takeCompletion"), call);
    } catch (RuntimeException | Error thrown) {
      // it is retained until the agent ends
    }
  }

  /** Rethrows an exception by which the context ends; returns any other one. */
  private static Throwable passing(Throwable thrown) {
    if (thrown instanceof PolyglotException ending && (ending.isCancelled() || ending.isExit())) {
      throw ending;
    }
    return thrown;
  }

  /** Returns whether the embedder has interrupted the context, which remains usable. */
  public static boolean isInterruption(Throwable failure) {
    return HostFunction.isInterruption(failure);
  }

  /** Returns the rejection reason for the promise of a callback that did not complete. */
  public static ScriptException brokenOff(Throwable failure) {
    if (isInterruption(failure)) {
      return ScriptException.dom("AbortError", "The callback was interrupted.");
    }
    ScriptException exhausted = HostFunction.exhaustion(failure);
    return exhausted == null
        ? ScriptException.dom("OperationError", "The callback failed for an internal reason.")
        : exhausted;
  }

  /** Throws an unchecked exception or an error; does nothing for null. */
  public static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case RuntimeException exception -> throw exception;
      case Error error -> throw error;
      case null, default -> {} // nothing has failed
    }
  }

  private void invoke(int call, Value function, @Nullable PlatformObject argument) {
    int id = 0;
    if (argument != null) {
      argument.handOver();
      id = platform.interfaceId(argument.getClass());
    }
    Value unused = agent.call(invoke, call, function, id, argument);
  }

  /**
   * The completion of a callback function.
   *
   * @param isAbrupt whether it threw
   * @param value its return value or its exception
   * @param failure the exception by which a following microtask left the context; null for none. To
   *     be rethrown when the completion has been used
   */
  public record Completion(boolean isAbrupt, Value value, @Nullable Throwable failure) {}

  /**
   * Invokes a callback function without {@code this}, for steps that go on after any completion.
   * Unless script is on the stack, microtasks have run when this returns.
   *
   * @param argument a new object, to which only script has a reference from now on; or null
   * @see <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Web IDL</a>
   */
  public Completion invoke(Value function, @Nullable PlatformObject argument) {
    int call = kit.nextCall();
    Throwable failure = null;
    try {
      invoke(call, function, argument);
    } catch (RuntimeException | Error thrown) {
      failure = passing(thrown);
      if (isInterruption(failure)) {
        rethrow(failure);
      }
    }
    Value completion = agent.ask(prelude.getMember("takeCompletion"), call);
    if (completion.isNull()) {
      rethrow(failure);
    }
    return new Completion(
        completion.getMember("isAbrupt").asBoolean(), completion.getMember("value"), failure);
  }

  /**
   * Reacts to a promise that no page script sees: one that the conversion of an argument has made,
   * or one of {@link #newPromise}.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled">Web
   *     IDL</a>
   */
  public void react(Value promise, Consumer<Value> onFulfilled, Consumer<Value> onRejected) {
    agent.call(prelude.getMember("react"), promise, Reaction.of(onFulfilled, onRejected));
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
   * Returns the position of the page code that is being called, as {@code url:line:column}; null if
   * there is none. Walks the whole stack.
   */
  public @Nullable String callerPosition() {
    return CallStack.position(agent, prelude.getMember("run"));
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
    return runClassicScript(source, value -> {});
  }

  /**
   * Runs a script as {@link #runClassicScript(Source)} does.
   *
   * @param completion receives its completion value, if it ran to its end
   */
  public boolean runClassicScript(Source source, Consumer<Value> completion) {
    try {
      return agent
          .call(
              prelude.getMember("runScript"),
              new HostFunction(
                  realm,
                  "script",
                  none -> {
                    completion.accept(evaluateNotingWhereItThrows(source));
                    return null;
                  }))
          .asBoolean();
    } finally {
      thrownAt = null;
    }
  }

  private Value evaluateNotingWhereItThrows(Source source) {
    try {
      Value completion = realm.evaluate(source);
      if (lexicalGlobals != null) {
        lexicalGlobals.ranClassicScript(source.getCharacters());
      }
      return completion;
    } catch (PolyglotException thrown) {
      thrownAt = thrown.isGuestException() ? thrown.getSourceLocation() : null;
      throw thrown;
    }
  }

  /**
   * Makes global variables visible to a module that names them. On the event loop, before it runs.
   */
  public void willRunModule(String text) {
    if (lexicalGlobals != null) {
      lexicalGlobals.willRunModule(text);
    }
  }

  /**
   * Returns where a script threw the value that is being reported, for values that do not contain
   * it; null if unknown. Clears it.
   */
  public @Nullable SourceSection takeThrownAt() {
    SourceSection taken = thrownAt;
    thrownAt = null;
    return taken;
  }

  /**
   * Parses JSON.
   *
   * @throws org.graalvm.polyglot.PolyglotException the SyntaxError
   */
  public Value parseJson(String text) {
    return agent.call(prelude.getMember("parseJson"), text);
  }

  /**
   * Returns a value as JSON; null for a value without a form in JSON.
   *
   * @throws org.graalvm.polyglot.PolyglotException the exception of JSON.stringify
   */
  public @Nullable String serializeJson(Value value) {
    Value json = agent.call(prelude.getMember("serializeJson"), value);
    return json.isNull() ? null : json.asString();
  }

  /**
   * Returns whether a value is a Proxy, of any realm, without running its code. Interface objects
   * do not count: they are proxies, but script cannot distinguish them from functions.
   */
  public boolean isProxy(Value value) {
    return proxyType().isMetaInstance(value) && !agent.call(isOurs, value).asBoolean();
  }

  /** Returns {@link #isProxy} as a function for internal scripts. */
  public Value proxyTest() {
    return function("proxy test", values -> isProxy(values[0]));
  }

  /**
   * Returns the object with which internal scripts read errors. It has the functions {@code
   * isError}, {@code isStackPlain}, {@code stackOf} and {@code textOf}. They run no code of a page,
   * unlike a read of the property {@code stack}.
   */
  public Value errorReader() {
    return errorReader;
  }

  /**
   * Returns the text of an exception for an error event: its name and message, or the value as
   * text. Code of a page runs only to convert a value that is not an error.
   */
  public String errorText(Value exception) {
    Throwable thrown = hostException(exception);
    if (thrown != null) {
      ScriptException exhausted = HostFunction.exhaustion(thrown);
      return exhausted == null
          ? thrown.toString()
          : exhausted.errorName() + ": " + exhausted.text();
    }
    return agent.call(errorReader.getMember("textOf"), exception).asString();
  }

  /**
   * Returns the stack of an exception; null if it has none. No code of a page runs: where the
   * engine would run some to write the text, the binding writes it.
   */
  public @Nullable String errorStack(Value exception) {
    Throwable thrown = hostException(exception);
    if (thrown != null) {
      return HostFunction.exhaustion(thrown) == null ? JavaStack.of(thrown) : null;
    }
    Value stack = agent.call(errorReader.getMember("stackOf"), exception);
    return stack.isNull() ? null : stack.asString();
  }

  /**
   * Returns a throwable of Java that script has let pass or passes on; null for any other value.
   * Functions of the embedder may throw anything, and a stack may overflow where no code of the
   * binding can convert it.
   */
  private static @Nullable Throwable hostException(Value exception) {
    return exception.isHostObject() && exception.asHostObject() instanceof Throwable thrown
        ? thrown
        : null;
  }
}
