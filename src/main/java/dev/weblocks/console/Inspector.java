package dev.weblocks.console;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.CallStack;
import dev.weblocks.binding.RealmBinding;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts of the values of one realm, by {@code inspect.js}. On the event loop of its agent.
 *
 * <p>No page code runs, with the one exception of {@link #formatter}; all texts are bounded,
 * whatever the values are.
 */
final class Inspector {

  private final Realm realm;
  private final Value call;
  private final Value formatter;
  private final Value texts;
  private final Value generic;
  private final Value prefixed;
  private final Value table;

  /**
   * Prepares a realm. To be called before any page script runs there.
   *
   * @param source of {@code inspect.js}
   */
  Inspector(Realm realm, Source source) {
    this.realm = realm;
    RealmBinding binding = RealmBinding.of(realm);
    Value functions =
        realm
            .agent()
            .call(
                realm.evaluate(source),
                binding.proxyTest(),
                binding.platformObjectTest(),
                binding.errorReader(),
                binding.exposed().getMember("console"));
    this.call = functions.getMember("call");
    this.formatter = functions.getMember("formatter");
    this.texts = functions.getMember("texts");
    this.generic = functions.getMember("generic");
    this.prefixed = functions.getMember("prefixed");
    this.table = functions.getMember("table");
  }

  /** The page functions that are being called, as lines, the innermost first. */
  String callStack() {
    return CallStack.current(realm.agent(), call);
  }

  /**
   * Replaces format specifiers. Runs page code: %s, %d, %i and %f convert.
   *
   * @throws org.graalvm.polyglot.PolyglotException what that page code throws
   * @see <a href="https://console.spec.whatwg.org/#formatter">Formatter</a>
   */
  List<Value> formatter(List<?> args) {
    return list(realm.agent().call(formatter, args.toArray()));
  }

  /** What is shown of each value: strings bare, objects in a way that is good to read. */
  List<String> texts(List<Value> values) {
    return list(realm.agent().call(texts, values.toArray())).stream().map(Value::asString).toList();
  }

  /**
   * A value as a generic JavaScript object: of an object, hidden properties show too.
   *
   * @see <a
   *     href="https://console.spec.whatwg.org/#generic-javascript-object-formatting">Console</a>
   */
  String generic(Value value) {
    return realm.agent().call(generic, value).asString();
  }

  /** The concatenation of a text and a value that is a string; null for any other value. */
  @Nullable Value prefixed(String text, Value first) {
    Value joined = realm.agent().call(prefixed, text, first);
    return joined.isString() ? joined : null;
  }

  /**
   * A value as a table.
   *
   * @param properties the columns, undefined for those that the data have
   * @return null if it cannot be shown as one
   */
  @Nullable TextTable table(Value data, Value properties) {
    Value made = realm.agent().call(table, data, properties);
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
