package dev.weblocks.console;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.CallStack;
import dev.weblocks.binding.LazyFunctions;
import dev.weblocks.binding.RealmBinding;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The converter of one realm's values to texts. Calls {@code inspect.js}. Used on the event loop of
 * the realm's agent.
 *
 * <p>Only {@link #formatter} runs page code. Each text has a maximum length.
 */
final class Inspector {

  private final Realm realm;

  private final LazyFunctions functions;

  /**
   * Creates the inspector of a realm. Must be called before any page script runs there.
   *
   * @param source the source of {@code inspect.js}
   */
  Inspector(Realm realm, Source source) {
    this.realm = realm;
    RealmBinding binding = RealmBinding.of(realm);
    this.functions =
        new LazyFunctions(
            realm,
            source,
            () ->
                new Object[] {
                  binding.values().proxyTest(),
                  binding.objects().platformObjectTest(),
                  binding.errors().functions()
                });
  }

  /** Returns the call stack of page functions, one per line, the innermost first. */
  String callStack() {
    return CallStack.current(realm.agent(), functions.get("call"));
  }

  /**
   * Replaces format specifiers. Runs page code, because %s, %d, %i and %f convert values.
   *
   * @throws org.graalvm.polyglot.PolyglotException if that page code throws
   * @see <a href="https://console.spec.whatwg.org/#formatter">Formatter</a>
   */
  List<Value> formatter(List<?> args) {
    return list(realm.agent().call(functions.get("formatter"), args.toArray()));
  }

  /** Returns a text for each value: strings without quotes, objects in a readable form. */
  List<String> texts(List<Value> values) {
    return list(realm.agent().call(functions.get("texts"), values.toArray())).stream()
        .map(Value::asString)
        .toList();
  }

  /**
   * Returns the text of a value with all its properties, including non-enumerable ones.
   *
   * @see <a
   *     href="https://console.spec.whatwg.org/#generic-javascript-object-formatting">Console</a>
   */
  String generic(Value value) {
    return realm.agent().call(functions.get("generic"), value).asString();
  }

  /** Returns {@code text} with the value appended; null if the value is not a string. */
  @Nullable Value prefixed(String text, Value first) {
    Value joined = realm.agent().call(functions.get("prefixed"), text, first);
    return joined.isString() ? joined : null;
  }

  /**
   * Returns a value as a table.
   *
   * @param properties the columns to show; undefined for all columns of the data
   * @return null if the value cannot be shown as a table
   */
  @Nullable TextTable table(Value data, Value properties) {
    Value made = realm.agent().call(functions.get("table"), data, properties);
    return made.isNull()
        ? null
        : new TextTable(
            strings(made.getMember("head")),
            list(made.getMember("rows")).stream().map(Inspector::strings).toList(),
            made.getMember("rest").asString());
  }

  private static List<String> strings(Value list) {
    return list(list).stream().map(Value::asString).toList();
  }

  private static List<Value> list(Value list) {
    List<Value> items = new ArrayList<>();
    for (long i = 0; i < list.getArraySize(); i++) {
      items.add(list.getArrayElement(i));
    }
    return items;
  }
}
