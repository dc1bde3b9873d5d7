package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.StackReserve;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The binding of one realm. Creates objects, promises and exceptions there, and calls script. On
 * the event loop of the realm's agent.
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
  private final Value wrapError;
  private final Value newPromise;
  private final Value promiseOf;
  private final Value resolvePromise;
  private final Value rejectPromise;
  private final Value dictionary;
  private final Value dictionaries;
  private final Value array;
  private final Value isUndefined;
  private final Value seamOf;
  private final BufferSources bufferSources;
  private final Value isOurs;
  private final Value guarded;
  private final ErrorReader errors;
  private final Callbacks callbacks;
  private final ClassicScripts scripts;
  private @Nullable Value proxyType;
  private @Nullable CallPositions callPositions;

  RealmBinding(Realm realm, Platform platform) {
    this.realm = realm;
    this.agent = realm.agent();
    this.platform = platform;
    AgentKit kit = agent.supplements().get(AgentKit.class, () -> AgentKit.of(realm));
    this.sentinel = kit.failure;
    Seam seam = new Seam(realm, realm, platform.members(), this);
    boolean ownsContext = agent.ownsContext();
    Value make = realm.evaluate(platform.preludeSource(ownsContext));
    RealmSources sources = platform.sourcesFor(realm.settings());
    this.prelude =
        agent.call(
            make,
            kit.value,
            seam,
            sentinel,
            HostFunction.thatOutlivesTheAgent(realm, "take failure", none -> seam.takeFailure()),
            agent.call(realm.evaluate(sources.index())),
            ownsContext
                ? null
                : new HostFunction(
                    realm,
                    "error test",
                    values -> values[0].isException() && !values[0].isHostObject()),
            new HostFunction(realm, "part", values -> evaluate(partOf(sources, values[0]))),
            ownsContext && platform.hasLazyInterfaces() ? definingLater(sources) : null,
            (ProxyExecutable)
                none -> {
                  StackReserve.requireForScript();
                  return true;
                });
    this.undefined = prelude.getMember("undefined");
    this.nullValue = prelude.getMember("nullValue");
    this.wrap = prelude.getMember("wrap");
    this.wrapError = prelude.getMember("wrapError");
    this.newPromise = prelude.getMember("newPromise");
    this.promiseOf = prelude.getMember("promiseOf");
    this.resolvePromise = prelude.getMember("resolvePromise");
    this.rejectPromise = prelude.getMember("rejectPromise");
    this.dictionary = prelude.getMember("dictionary");
    this.dictionaries = prelude.getMember("dictionaries");
    this.array = prelude.getMember("array");
    this.isUndefined = prelude.getMember("isUndefined");
    this.seamOf = prelude.getMember("seamOf");
    EngineFeatures trials = platform.trials();
    this.bufferSources = new BufferSources(agent, prelude, trials);
    this.isOurs = prelude.getMember("isOurs");
    this.guarded = prelude.getMember("guarded");
    this.errors = new ErrorReader(this);
    this.callbacks = new Callbacks(this, kit);
    this.scripts = new ClassicScripts(this);
    trials.check(this);
    if (ownsContext && agent.userAgent().configuration().isVirtual()) {
      VirtualRealm.install(realm, this, prelude.getMember("native"));
    }
  }

  Value proxyType() {
    Value known = proxyType;
    if (known == null) {
      known = agent.ask(prelude.getMember("someProxy")).getMetaObject();
      proxyType = known;
    }
    return known;
  }

  /**
   * Returns the function that defines lazy properties; null if the engine's classes are hidden.
   * Catches the LinkageError here, as the bytecode verifier may throw it before the first
   * instruction of {@link LazyProperties#on}.
   */
  private static @Nullable ProxyExecutable definingLater(RealmSources sources) {
    try {
      return LazyProperties.on(sources.names());
    } catch (LinkageError hidden) {
      return null;
    }
  }

  private static @Nullable Source partOf(RealmSources sources, Value which) {
    return which.isString() ? sources.dictionary(which.asString()) : sources.part(which.asInt());
  }

  private @Nullable Value evaluate(@Nullable Source source) {
    return source == null ? null : realm.read(source);
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
   * global. It is the global itself, unless the embedder owns the context: then it is a separate
   * object, from which an installation takes properties.
   */
  public Value exposed() {
    return prelude.getMember("exposed");
  }

  /** Returns an operation of this realm's global, for calls by another realm. */
  Value operationFor(Realm caller, String name) {
    Seam seam = new Seam(realm, caller, platform.members(), this);
    return callApi(
        "operationFor",
        name,
        seam,
        new HostFunction(realm, "take failure", none -> seam.takeFailure()));
  }

  /**
   * Returns a script function that runs steps of Java, for internal scripts that page script may
   * call. After any failure, the caller gets a genuine JavaScript exception.
   *
   * @param label the name of the function in reports of defects
   */
  public Value function(String label, Function<Value[], @Nullable Object> steps) {
    return agent.ask(guarded, new HostFunction(realm, label, steps));
  }

  Value failureSentinel() {
    return sentinel;
  }

  /** Makes the global the script object of an implementation. Called once per realm. */
  public void brandGlobal(PlatformObject implementation) {
    implementation.becomes(realm.global());
    if (!agent.ownsContext()) {
      callApi("adoptGlobal", platform.interfaceId(implementation.getClass()), implementation);
      return;
    }
    boolean window = realm.settings().globalNames().contains("Window");
    if (window) {
      scripts.areInWindow();
    }
    agent.call(
        prelude.getMember("brandGlobal"),
        platform.interfaceId(implementation.getClass()),
        implementation,
        window ? "WindowProperties" : null);
  }

  Value wrap(PlatformObject implementation) {
    int id = platform.interfaceId(implementation.getClass());
    return implementation instanceof DOMException exception
        ? agent.call(wrapError, id, exception, exception.title(), exception.copiedStack())
        : agent.call(wrap, id, implementation);
  }

  /**
   * Returns the JavaScript value of a Java value: null, strings, booleans, numbers, {@link Value}s,
   * platform objects, {@link IdlPromise}, {@link DictionaryValue}, {@link DictionaryList}, lists
   * (as arrays).
   *
   * @throws IllegalArgumentException for any other value
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
      case List<?> list -> agent.ask(array, allToScript(list));
      default ->
          throw new IllegalArgumentException(
              "cannot convert a " + value.getClass().getName() + " to a JavaScript value");
    };
  }

  private @Nullable Object[] allToScript(List<?> values) {
    @Nullable Object[] items = new @Nullable Object[values.size()];
    for (int i = 0; i < items.length; i++) {
      items[i] = toScript(values.get(i));
    }
    return items;
  }

  Value prepareDictionaries(@Nullable Object[] arguments) {
    return agent.ask(prelude.getMember("prepareDictionaries"), arguments);
  }

  Value dictionaries(Value prepared) {
    return agent.ask(dictionaries, prepared);
  }

  /** Returns the values of a converted sequence, which is an internal list; empty for null. */
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
    return agent.call(prelude.getMember("frozenArray"), allToScript(values));
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
   * Returns the serialized form of a platform object; null if it is not serializable.
   *
   * @throws ScriptException if its serialization steps throw
   */
  public @Nullable SerializedPlatformObject serialize(PlatformObject object) {
    return platform.serialization().leave(object);
  }

  /**
   * Detaches a platform object and returns its state, for another realm; null if the object is not
   * transferable.
   *
   * @throws ScriptException a DataCloneError if it is detached already
   */
  public @Nullable SerializedPlatformObject transfer(PlatformObject object) {
    return platform.transfer().leave(object);
  }

  /** Returns whether the interface of an object is transferable. */
  public boolean isTransferable(PlatformObject object) {
    return platform.transfer().includes(object);
  }

  /** Returns whether an interface is exposed in this realm. */
  public boolean isExposed(String interfaceName) {
    return platform.isExposed(interfaceName, realm.settings());
  }

  /** Creates the copy of a platform object in this realm, where its interface must be exposed. */
  public PlatformObject deserialize(SerializedPlatformObject serialized) {
    return platform.serialization().arrive(realm, serialized);
  }

  /** Creates a transferred platform object in this realm, where its interface must be exposed. */
  public PlatformObject receive(SerializedPlatformObject serialized) {
    return platform.transfer().arrive(realm, serialized);
  }

  /** Returns the caller of callback functions and user objects. */
  public Callbacks callbacks() {
    return callbacks;
  }

  /** Returns the runner of classic scripts. */
  public ClassicScripts scripts() {
    return scripts;
  }

  /** Returns the reader of exceptions. */
  public ErrorReader errors() {
    return errors;
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
   * Returns a cross-origin object. Script can use only the listed attributes and operations of
   * {@code members}; any other access calls its {@code deny} operation, which throws.
   */
  public Value crossOriginObject(
      PlatformObject members, List<String> attributes, List<String> operations) {
    return callApi(
        "crossOriginObject", members.object(), toScript(attributes), toScript(operations));
  }

  /** Sets the windows that script finds in the global by index. */
  public void setChildren(List<? extends PlatformObject> children) {
    callApi(
        "setChildren",
        children.size(),
        function("window", values -> toScript(children.get(values[0].asInt()))));
  }

  /**
   * Sets the named properties of the global.
   *
   * @param lookUp returns the object of a name, null for none; called only if the global neither
   *     has nor inherits a property of this name
   */
  public void setNamedObjects(Function<String, @Nullable PlatformObject> lookUp) {
    callApi(
        "setNamedObjects",
        function("window", values -> toScript(lookUp.apply(values[0].asString()))));
  }

  Value preludeMember(String name) {
    return prelude.getMember(name);
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
   * Returns the realm of a callback, to whose global its exceptions are reported. It is found
   * through the prototype chain of the callback; if that fails, this realm is returned.
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
   * Returns a script function that tests whether a value is a platform object of any realm of this
   * agent. For internal scripts that call it often.
   */
  public Value platformObjectTest() {
    return prelude.getMember("isPlatformObject");
  }

  /**
   * Sets the listener for promises that are rejected and still unhandled when the microtasks have
   * run. Works only in the first realm of an agent. Returns false if the engine supports no such
   * listener.
   *
   * @param listener receives the reason and the promise
   */
  public boolean onUnhandledRejection(BiConsumer<Value, Value> listener) {
    return agent
        .call(
            prelude.getMember("onUnhandledRejection"),
            function(
                "unhandled rejection",
                values -> {
                  // the task that was interrupted reports it
                  if (HostFunction.interruption(values[0]) == null) {
                    listener.accept(values[0], values[1]);
                  }
                  return null;
                }))
        .asBoolean();
  }

  /**
   * Runs the probe of a feature of the engine, once in each environment. Logs a warning if it
   * fails.
   *
   * @param probe returns what is wrong; null for nothing
   * @param consequence what does not work then
   */
  public void probe(String feature, Supplier<@Nullable String> probe, String consequence) {
    platform.trials().probe(agent, feature, probe, consequence);
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
    EscapedExceptions.call(this, resolvePromise, capability, value);
  }

  void reject(Value capability, Object reason) {
    EscapedExceptions.call(this, rejectPromise, capability, reason);
  }

  /** Returns the JavaScript value of an exception; error objects are created in this realm. */
  public Value exception(ScriptException exception) {
    return switch (exception.kind()) {
      case VALUE -> exception.thrownValue();
      case DOM_EXCEPTION ->
          new DOMException(realm, exception.text(), exception.errorName()).object();
      case TYPE_ERROR, RANGE_ERROR ->
          agent.call(prelude.getMember("exception"), exception.errorName(), exception.text());
    };
  }

  /** Returns whether an exception shows that the embedder interrupted the context. */
  public static boolean isInterruption(Throwable failure) {
    return HostFunction.isInterruption(failure);
  }

  /**
   * Reacts to a promise that page script cannot reach. Only for promises that the conversion of an
   * argument, {@link #newPromise} or an internal script created.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled">Web
   *     IDL</a>
   */
  public void react(Value promise, Consumer<Value> onFulfilled, Consumer<Value> onRejected) {
    EscapedExceptions.call(
        this, prelude.getMember("react"), promise, Reaction.of(onFulfilled, onRejected));
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
   * Returns the position of the page code that calls and passes a callback, as {@code
   * url:line:column}; null if there is none. If the callback is not written in the call itself, its
   * own position is returned. Walks the stack only at the first call with the callback's literal,
   * or if the callback is null.
   */
  public @Nullable String callerPosition(@Nullable Value callback) {
    CallPositions known = callPositions;
    if (known == null) {
      known = new CallPositions(agent, prelude.getMember("run"));
      callPositions = known;
    }
    return known.of(callback);
  }

  /**
   * Runs steps as one call into the context: microtasks wait until all of them are done. Used by
   * tasks that settle several promises or fire several events as one step of a specification.
   */
  public void atomically(Runnable steps) {
    boolean[] done = new boolean[1];
    HostFunction function =
        new HostFunction(
            realm,
            "steps",
            none -> {
              steps.run();
              done[0] = true;
              return null;
            });
    try {
      agent.call(prelude.getMember("run"), function);
    } catch (PolyglotException thrown) {
      Callbacks.rethrow(done[0] ? EscapedExceptions.unlessReported(this, thrown) : thrown);
    }
  }

  /**
   * Parses JSON.
   *
   * @throws org.graalvm.polyglot.PolyglotException a SyntaxError, if the text is not valid JSON
   */
  public Value parseJson(String text) {
    return agent.call(prelude.getMember("parseJson"), text);
  }

  /**
   * Returns a value as JSON; null for a value that JSON cannot express, such as a function.
   *
   * @throws org.graalvm.polyglot.PolyglotException if JSON.stringify throws
   */
  public @Nullable String serializeJson(Value value) {
    Value json = agent.call(prelude.getMember("serializeJson"), value);
    return json.isNull() ? null : json.asString();
  }

  /**
   * Returns whether a value is a Proxy, of any realm, without running its traps. Interface objects
   * do not count: they are proxies, but script cannot distinguish them from functions.
   */
  public boolean isProxy(Value value) {
    return proxyType().isMetaInstance(value) && !agent.call(isOurs, value).asBoolean();
  }

  /** Returns {@link #isProxy} as a function for internal scripts. */
  public Value proxyTest() {
    return function("proxy test", values -> isProxy(values[0]));
  }
}
