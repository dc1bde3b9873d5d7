package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call from script, converted to their IDL types; valid during the call.
 * Indexes are those of the IDL arguments.
 */
public final class Arguments {

  /** The number of values before the arguments: the member id and {@code this}. */
  private static final int FIRST = 2;

  private final Realm realm;
  private final Realm caller;
  private final SeamMember member;
  private final @Nullable Object receiver;
  private final Value[] values;
  private final int first;
  private @Nullable IdlPromise offered;

  Arguments(
      Realm realm, Realm caller, SeamMember member, @Nullable Object receiver, Value[] values) {
    this.realm = realm;
    this.caller = caller;
    this.member = member;
    this.receiver = receiver;
    this.values = values;
    this.first = member.offered() ? FIRST + 1 : FIRST;
  }

  /**
   * Returns the promise for the result of a {@linkplain Implementations.Interface#promiseOperation
   * promise operation}; the same object each time. It belongs to the realm of {@code this}, as in
   * browsers, also if the function is that of another realm. Exceptions and the promises rejected
   * with them belong to the realm of the function.
   */
  public IdlPromise promise() {
    IdlPromise promise = offered;
    if (promise == null) {
      if (receiver instanceof PlatformObject self && self.realm() != realm) {
        promise = self.binding().promises().newPromise();
      } else if (member.offered()) {
        promise = new IdlPromise(RealmBinding.of(realm), values[FIRST]);
      } else if (member.code() instanceof Implementations.OfferedPromise) {
        promise = RealmBinding.of(realm).promises().newPromise();
      } else {
        throw new IllegalStateException(member.label() + " does not return a promise");
      }
      offered = promise;
    }
    return promise;
  }

  /** Returns whether a result is the promise that the prelude created for this call. */
  boolean isOffered(@Nullable Object result) {
    return member.offered()
        && result instanceof IdlPromise promise
        && promise == offered
        && promise.realm() == realm;
  }

  /** Returns the current realm: the realm of the function that script called. */
  public Realm realm() {
    return realm;
  }

  /**
   * Returns the calling realm if known, otherwise the current realm. It is known for calls of
   * {@link GlobalProxy#operationsOfCaller} through a proxy: the realm that uses the proxy.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#incumbent-realm">HTML</a>
   */
  public Realm caller() {
    return caller;
  }

  /** Returns the index of the chosen overload, in IDL order from 0. */
  public int overload() {
    return member.overload();
  }

  private Value at(int argument) {
    return values[first + member.layout().offset(argument)];
  }

  /** Returns whether an optional argument was given, or has a default. */
  public boolean isPresent(int argument) {
    Value value = at(argument);
    return !(value.isNull() && RealmBinding.of(realm).values().isUndefined(value));
  }

  /** Returns an argument of any type, such as any, object or a union, as a JavaScript value. */
  public Value any(int argument) {
    return at(argument);
  }

  /** Returns an argument that is a callback function. */
  public Value function(int argument) {
    return at(argument);
  }

  /** Returns a nullable or optional argument that is a callback or an object; null for none. */
  public @Nullable Value nullable(int argument) {
    Value value = at(argument);
    return value.isNull() ? null : value;
  }

  public String string(int argument) {
    return at(argument).asString();
  }

  public @Nullable String stringOrNull(int argument) {
    Value value = at(argument);
    return value.isNull() ? null : value.asString();
  }

  public boolean bool(int argument) {
    return at(argument).asBoolean();
  }

  /** Returns an integer argument that fits into a Java {@code int}. */
  public int integer(int argument) {
    return at(argument).asInt();
  }

  public double number(int argument) {
    return at(argument).asDouble();
  }

  /** Returns the implementation of a platform object. */
  public <T> T object(int argument, Class<T> type) {
    return type.cast(at(argument).asHostObject());
  }

  /** Returns the implementation of a platform object; null for null and for a missing argument. */
  public <T> @Nullable T objectOrNull(int argument, Class<T> type) {
    return implementation(at(argument), type);
  }

  static <T> @Nullable T implementation(Value value, Class<T> type) {
    return value.isNull() ? null : type.cast(value.asHostObject());
  }

  /** Returns the values of a sequence; empty for a missing argument. */
  public List<Value> list(int argument) {
    return ScriptValues.items(at(argument));
  }

  /**
   * Returns a copy of the bytes of a buffer source; empty if it is detached.
   *
   * @throws IllegalArgumentException if the argument is another member of its union type
   */
  public byte[] bytes(int argument) {
    return RealmBinding.of(realm).bufferSources().bytes(at(argument));
  }

  /** Returns the number of values of a variadic last argument. */
  public int variadicCount(int argument) {
    return values.length - first - member.layout().offset(argument);
  }

  /** Returns one value of a variadic last argument. */
  public Value variadic(int argument, int index) {
    return values[first + member.layout().offset(argument) + index];
  }

  /** Returns a dictionary that is the value of an argument of a union type. */
  public DictionaryView unionDictionary(int argument, String name) {
    Value[] members = ScriptValues.items(at(argument)).toArray(Value[]::new);
    return new DictionaryView(
        realm, RealmBinding.of(realm).platform().dictionaryMembers(name), members, 0);
  }

  /** Returns the members of a dictionary argument. */
  public DictionaryView dictionary(int argument) {
    return new DictionaryView(
        realm, member.layout().members(argument), values, first + member.layout().offset(argument));
  }
}
