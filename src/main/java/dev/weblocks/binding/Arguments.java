package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The converted arguments of one call from script, in terms of the IDL. Valid during the call.
 *
 * <p>Indexes are those of the IDL arguments. A dictionary's members lie flat among the values; use
 * {@link #dictionary}.
 */
public final class Arguments {

  /** Values before all others: the member id and {@code this}. */
  private static final int FIRST = 2;

  private final Realm realm;
  private final Realm caller;
  private final Member member;
  private final Value[] values;
  private final int first;
  private @Nullable IdlPromise offered;

  Arguments(Realm realm, Realm caller, Member member, Value[] values) {
    this.realm = realm;
    this.caller = caller;
    this.member = member;
    this.values = values;
    this.first = member.offered() ? FIRST + 1 : FIRST;
  }

  /** The promise for the result of an operation that is defined to take it; always the same one. */
  public IdlPromise promise() {
    IdlPromise promise = offered;
    if (promise == null) {
      if (member.offered()) {
        promise = new IdlPromise(RealmBinding.of(realm), values[FIRST]);
      } else if (member.code() instanceof Implementations.OfferedPromise) {
        promise = RealmBinding.of(realm).newPromise();
      } else {
        throw new IllegalStateException(member.label() + " is offered no promise");
      }
      offered = promise;
    }
    return promise;
  }

  /** Whether that is the promise which script has made. */
  boolean isOffered(@Nullable Object result) {
    return member.offered() && result != null && result == offered;
  }

  /** The current realm: that of the function which script called. */
  public Realm realm() {
    return realm;
  }

  /**
   * The realm that has called, as far as it is known: where an operation depends on that and was
   * reached through a {@link GlobalProxy}, the realm that has this proxy; else the current one.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#incumbent-realm">incumbent
   *     realm</a>
   */
  public Realm caller() {
    return caller;
  }

  /** Which of the operation's overloads was chosen, in IDL order from 0. */
  public int overload() {
    return member.overload();
  }

  private Value at(int argument) {
    return values[first + member.layout().offset(argument)];
  }

  /** Whether an optional argument was given, or has a default. */
  public boolean isPresent(int argument) {
    Value value = at(argument);
    return !(value.isNull() && RealmBinding.of(realm).isUndefined(value));
  }

  /** A JavaScript value as it is: types any, object and callback interfaces. */
  public Value any(int argument) {
    return at(argument);
  }

  /** A callback function. */
  public Value function(int argument) {
    return at(argument);
  }

  /** A callback function or object of a nullable or optional argument; null when there is none. */
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

  /** A number of any integer type of up to 32 bits, signed. */
  public int integer(int argument) {
    return at(argument).asInt();
  }

  public double number(int argument) {
    return at(argument).asDouble();
  }

  /** The implementation of a platform object. */
  public <T> T object(int argument, Class<T> type) {
    return type.cast(at(argument).asHostObject());
  }

  /** The implementation of a platform object; null for null and for a missing argument. */
  public <T> @Nullable T objectOrNull(int argument, Class<T> type) {
    return implementation(at(argument), type);
  }

  static <T> @Nullable T implementation(Value value, Class<T> type) {
    return value.isNull() ? null : type.cast(value.asHostObject());
  }

  /** The values of a sequence; empty for a missing argument. */
  public List<Value> list(int argument) {
    return RealmBinding.items(at(argument));
  }

  /**
   * A copy of the bytes of a buffer source; none if it is detached.
   *
   * @throws IllegalArgumentException if the argument, of a union type perhaps, is no buffer source
   */
  public byte[] bytes(int argument) {
    return RealmBinding.of(realm).bufferSources().bytes(at(argument));
  }

  /** The number of values of a variadic last argument. */
  public int variadicCount(int argument) {
    return values.length - first - member.layout().offset(argument);
  }

  /** One value of a variadic last argument. */
  public Value variadic(int argument, int index) {
    return values[first + member.layout().offset(argument) + index];
  }

  /** A dictionary that an argument of a union type turned out to be. */
  public DictionaryView unionDictionary(int argument, String name) {
    Value[] members = RealmBinding.items(at(argument)).toArray(Value[]::new);
    return new DictionaryView(
        realm, RealmBinding.of(realm).platform().dictionaryMembers(name), members, 0);
  }

  /** A dictionary argument. */
  public DictionaryView dictionary(int argument) {
    return new DictionaryView(
        realm, member.layout().members(argument), values, first + member.layout().offset(argument));
  }
}
