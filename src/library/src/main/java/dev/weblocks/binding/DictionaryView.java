package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** A converted dictionary argument. Valid during the call. */
public final class DictionaryView {

  private final Realm realm;
  private final List<String> members;
  private final Value[] values;
  private final int start;

  DictionaryView(Realm realm, List<String> members, Value[] values, int start) {
    this.realm = realm;
    this.members = members;
    this.values = values;
    this.start = start;
  }

  /** Returns the member with an index in conversion order. */
  Value at(int index) {
    return values[start + index];
  }

  private Value at(String member) {
    int index = members.indexOf(member);
    if (index < 0) {
      throw new IllegalArgumentException("unknown member '" + member + "'; members are " + members);
    }
    return values[start + index];
  }

  /** Returns whether the member was given, or has a default. */
  public boolean isPresent(String member) {
    Value value = at(member);
    return !(value.isNull() && RealmBinding.of(realm).values().isUndefined(value));
  }

  public Value any(String member) {
    return at(member);
  }

  public String string(String member) {
    return at(member).asString();
  }

  /** Returns the values of a sequence; empty for a missing member. */
  public List<Value> list(String member) {
    return ScriptValues.items(at(member));
  }

  public boolean bool(String member) {
    return at(member).asBoolean();
  }

  public int integer(String member) {
    return at(member).asInt();
  }

  public double number(String member) {
    return at(member).asDouble();
  }

  /** Returns the implementation of a platform object; null for null and for a missing member. */
  public <T> @Nullable T objectOrNull(String member, Class<T> type) {
    return Arguments.implementation(at(member), type);
  }
}
