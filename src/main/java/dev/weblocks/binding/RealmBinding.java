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
    EngineTrials trials = platform.trials();
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
      throw new IllegalStateException("this engine does not tell proxies from other objects");
    }
    throwOnce();
    exception(ScriptException.rangeError("")); // for the reason that throwOnce has
  }

  private Value proxyType() {
    Value known = proxyType;
    if (known == null) {
      known = agent.ask(prelude.getMember("someProxy")).getMetaObject();
      proxyType = known;
    }
    return known;
  }

  /** A verifier of bytecode may find out before the first instruction that classes are hidden. */
  private static @Nullable ProxyExecutable definingLater(RealmTables tables) {
    try {
      return LaterProperties.on(tables.names());
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

  /** What all realms of an agent share, see {@code agent-kit.js}. */
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
   * Lets one exception pass from Java into script and back. The engine loads classes for that; if a
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

  /**
   * What has the interface objects and the members of the global as its own properties: the global
   * itself; where the context is borrowed an object beside it, out of which the embedder gets what
   * is wanted.
   */
  public Value exposed() {
    return prelude.getMember("exposed");
  }

  /** An operation of this realm's global as another realm has it, which is the caller then. */
  Value operationFor(Realm caller, String name) {
    Seam seam = new Seam(realm, caller, platform.members(), this);
    return callApi(
        "operationFor",
        name,
        seam,
        new HostFunction(realm, "take failure", none -> seam.takeFailure()));
  }

  /**
   * A function of Java for scripts of ours that page script may lead into. Whatever goes wrong,
   * script sees an exception of its own.
   *
   * @param label what reports of defects call it
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
   * The JavaScript value of a Java one: null, strings, booleans, numbers, {@link Value}s, platform
   * objects, {@link IdlPromise}, {@link DictionaryValue}, {@link DictionaryList}, lists (as
   * arrays).
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
              "cannot hand a " + value.getClass().getName() + " to script");
    };
  }

  Value prepareDictionaries(@Nullable Object[] arguments) {
    return agent.ask(prelude.getMember("prepareDictionaries"), arguments);
  }

  Value dictionaries(Value prepared) {
    return agent.ask(dictionaries, prepared);
  }

  /** The values of a list of ours: of a converted sequence, not of an array of the page. */
  static List<Value> items(Value list) {
    int size = list.isNull() ? 0 : (int) list.getArraySize();
    List<Value> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      items.add(list.getArrayElement(i));
    }
    return items;
  }

  /**
   * A frozen array of values that {@link #toScript} takes.
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

  /** The implementation of a platform object of any realm of this agent; null for other values. */
  public @Nullable PlatformObject implementation(Value value) {
    Value found = agent.call(prelude.getMember("implementation"), value);
    return found.isNull() ? null : found.asHostObject();
  }

  /**
   * What crosses to another realm of a platform object; null if it is not serializable.
   *
   * @throws ScriptException what its serialization steps throw
   */
  public @Nullable SerializedPlatformObject serialize(PlatformObject object) {
    return platform.serialization().leave(object);
  }

  /**
   * What moves to another realm of a platform object, which is detached; null if it is not
   * transferable.
   *
   * @throws ScriptException a DataCloneError if it is detached already
   */
  public @Nullable SerializedPlatformObject transfer(PlatformObject object) {
    return platform.transfer().leave(object);
  }

  /** Whether objects of this one's interface can be transferred. */
  public boolean isTransferable(PlatformObject object) {
    return platform.transfer().includes(object);
  }

  /** Whether an interface is exposed in this realm. */
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

  /** The bytes of buffer sources. */
  public BufferSources bufferSources() {
    return bufferSources;
  }

  /** The entries of a maplike object. */
  public MaplikeEntries mapEntries(PlatformObject maplike) {
    return new MaplikeEntries(this, agent.call(prelude.getMember("backing"), maplike.object()));
  }

  /** The entries of a setlike object. */
  public SetlikeEntries setEntries(PlatformObject setlike) {
    return new SetlikeEntries(this, agent.call(prelude.getMember("backing"), setlike.object()));
  }

  /**
   * An object of another origin: only the members of these names can be used, and {@code deny} of
   * the same object throws for all others.
   */
  public Value crossOriginObject(
      PlatformObject members, List<String> attributes, List<String> operations) {
    return callApi(
        "crossOriginObject", members.object(), toScript(attributes), toScript(operations));
  }

  /** Gives the global its children, by index. */
  public void setChildren(List<? extends PlatformObject> children) {
    callApi(
        "setChildren",
        children.size(),
        function("window", values -> toScript(children.get(values[0].asInt()))));
  }

  /**
   * Gives the global its named properties.
   *
   * @param lookUp the object of a name, null for none; asked only where the global has no such
   *     property of its own or of its interfaces
   */
  public void setNamedObjects(Function<String, @Nullable PlatformObject> lookUp) {
    callApi(
        "setNamedObjects",
        function("window", values -> toScript(lookUp.apply(values[0].asString()))));
  }

  Value callApi(String function, @Nullable Object... arguments) {
    return agent.call(prelude.getMember(function), arguments);
  }

  /** The JavaScript value null. */
  public Value nullValue() {
    return nullValue;
  }

  /** The JavaScript value undefined. */
  public Value undefined() {
    return undefined;
  }

  /**
   * The realm of a callback: it decides which global an exception is reported for. Told by what the
   * callback inherits from; this realm, if that does not tell.
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
   * A function for scripts of ours that beside page script ask often: whether a value is a platform
   * object of any realm of this agent.
   */
  public Value platformObjectTest() {
    return prelude.getMember("isPlatformObject");
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
   * A new promise in this realm.
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

  /** What is to happen once a promise is settled; called once, on the event loop. */
  @FunctionalInterface
  public interface Reaction {
    /**
     * @param value what the promise was fulfilled with, or the reason of its rejection
     */
    void settled(boolean fulfilled, Value value);

    /**
     * Called in place of {@link #settled} if a callback came to nothing: the embedder interrupted
     * it, or memory ran out. Must run no script in this turn. What it throws is a defect.
     *
     * @param failure what the engine threw
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
   * to that promise; a thrown exception counts as a rejection. Unless script has led here,
   * microtasks run before the value becomes a promise.
   *
   * @param argument a new object, which script alone has from now on; or null
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
    // what has failed may be a microtask; after an interruption nothing runs in this turn
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
              ? new IllegalStateException("call " + call + " of a callback left no completion")
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
      // it stays until the agent ends
    }
  }

  /** Throws again what says that the context ends; returns all else. */
  private static Throwable passing(Throwable thrown) {
    if (thrown instanceof PolyglotException ending && (ending.isCancelled() || ending.isExit())) {
      throw ending;
    }
    return thrown;
  }

  /** Whether the embedder has interrupted the context, which goes on to work. */
  public static boolean isInterruption(Throwable failure) {
    return HostFunction.isInterruption(failure);
  }

  /** Returns what the promise of a callback that broke off is rejected with. */
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
   * What a callback function has come to.
   *
   * @param isAbrupt whether it threw
   * @param value what it returned, or threw
   * @param failure what a microtask that followed threw out of the context, to be thrown again when
   *     the completion has been used; null if none did
   */
  public record Completion(boolean isAbrupt, Value value, @Nullable Throwable failure) {}

  /**
   * Invokes a callback function without {@code this}, for steps that go on whatever it comes to.
   * Unless script has led here, microtasks have run when this returns.
   *
   * @param argument a new object, which script alone has from now on; or null
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
   * Where the page code is that is being called, as {@code url:line:column}; null if there is none.
   * Costs a walk through the whole stack.
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
   * @param completion gets its completion value, if it ran to its end
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

  /** Has a module see the global variables that it names. On the event loop, before it runs. */
  public void willRunModule(String text) {
    if (lexicalGlobals != null) {
      lexicalGlobals.willRunModule(text);
    }
  }

  /**
   * Where a script threw what is being reported, for values that do not know it themselves; null if
   * that is not known. It is told once.
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
   * Writes a value as JSON; null for a value that JSON has no form of.
   *
   * @throws org.graalvm.polyglot.PolyglotException what JSON.stringify throws
   */
  public @Nullable String serializeJson(Value value) {
    Value json = agent.call(prelude.getMember("serializeJson"), value);
    return json.isNull() ? null : json.asString();
  }

  /**
   * Whether a value is a Proxy, of whatever realm. It is asked nothing. Interface objects are
   * proxies of ours that nobody can tell from functions: they do not count.
   */
  public boolean isProxy(Value value) {
    return proxyType().isMetaInstance(value) && !agent.call(isOurs, value).asBoolean();
  }

  /** {@link #isProxy} as a function for scripts of ours. */
  public Value proxyTest() {
    return function("proxy test", values -> isProxy(values[0]));
  }

  /**
   * What scripts of ours read errors with: an object with the functions {@code isError}, {@code
   * isStackPlain}, {@code stackOf} and {@code textOf}. They run no code of a page, which reading
   * the property {@code stack} may do.
   */
  public Value errorReader() {
    return errorReader;
  }

  /**
   * How an error event shows an exception: its name and message, or the value as text. Only to
   * convert a value that is no error runs code of a page.
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
   * The stack of an exception, null if it has none. No code of a page runs: where the engine would
   * run some to write the text, it is ours.
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
   * What Java threw, which script has let pass or passes on; null for all else. Functions of the
   * embedder may throw anything, and a stack may end where none of ours is left to convert it.
   */
  private static @Nullable Throwable hostException(Value exception) {
    return exception.isHostObject() && exception.asHostObject() instanceof Throwable thrown
        ? thrown
        : null;
  }
}
