package dev.weblocks.url;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Pair;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.url.FormUrlEncoded.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code URLSearchParams} interface.
 *
 * @see <a href="https://url.spec.whatwg.org/#interface-urlsearchparams">URL Standard</a>
 */
public final class URLSearchParams extends PlatformObject {

  private List<Entry> list;
  private final @Nullable URL url;

  URLSearchParams(Realm realm, String query, @Nullable URL url) {
    super(realm);
    this.list = FormUrlEncoded.parse(query);
    this.url = url;
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-urlsearchparams">constructor</a> */
  URLSearchParams(Realm realm, Arguments args) {
    super(realm);
    this.list = initialize(args.any(0));
    this.url = null;
  }

  /** <a href="https://url.spec.whatwg.org/#urlsearchparams-initialize">initialize</a> */
  private static List<Entry> initialize(Value init) {
    if (init.isString()) { // 3, and 1. of the constructor
      String text = init.asString();
      return FormUrlEncoded.parse(text.startsWith("?") ? text.substring(1) : text);
    }
    if (init.getArraySize() == 0) {
      return new ArrayList<>();
    }
    return init.getArrayElement(0).isString() ? ofRecord(init) : ofSequence(init);
  }

  /** Runs step 1 of {@link #initialize}. */
  private static List<Entry> ofSequence(Value init) {
    List<Entry> list = new ArrayList<>();
    for (long i = 0; i < init.getArraySize(); i++) {
      Value inner = init.getArrayElement(i);
      if (inner.getArraySize() != 2) {
        throw ScriptException.typeError(
            "Failed to construct 'URLSearchParams': Sequence initializer must only contain pair"
                + " elements");
      }
      list.add(new Entry(inner.getArrayElement(0).asString(), inner.getArrayElement(1).asString()));
    }
    return list;
  }

  /** Runs step 2 of {@link #initialize}. If conversion makes keys equal, the last value is used. */
  private static List<Entry> ofRecord(Value flat) {
    Map<String, String> record = new LinkedHashMap<>();
    for (long i = 0; i < flat.getArraySize(); i += 2) {
      record.put(flat.getArrayElement(i).asString(), flat.getArrayElement(i + 1).asString());
    }
    List<Entry> list = new ArrayList<>();
    record.forEach((name, value) -> list.add(new Entry(name, value)));
    return list;
  }

  /**
   * Serializes the tuples as {@code application/x-www-form-urlencoded}. Called on the event loop of
   * the realm.
   */
  public String serialize() {
    return FormUrlEncoded.serialize(list);
  }

  /** Replaces the tuples after the query of the URL has changed. */
  void replaceWith(String query) {
    list = FormUrlEncoded.parse(query);
  }

  /** <a href="https://url.spec.whatwg.org/#concept-urlsearchparams-update">update</a> */
  private void update() {
    if (url != null) {
      url.updateQuery(serialize());
    }
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-append">append()</a> */
  private void append(Arguments args) {
    list.add(new Entry(args.string(0), args.string(1)));
    update();
  }

  /** Returns a predicate for tuples with the given name and, if given, value. */
  private static Predicate<Entry> matching(Arguments args) {
    String name = args.string(0);
    String value = args.isPresent(1) ? args.string(1) : null;
    return tuple -> tuple.name().equals(name) && (value == null || tuple.value().equals(value));
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-delete">delete()</a> */
  private void delete(Arguments args) {
    list.removeIf(matching(args));
    update();
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-getall">getAll()</a> */
  private List<String> getAll(Arguments args) {
    String name = args.string(0);
    return list.stream().filter(tuple -> tuple.name().equals(name)).map(Entry::value).toList();
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-get">get()</a> */
  private @Nullable String get(Arguments args) {
    List<String> all = getAll(args);
    return all.isEmpty() ? null : all.getFirst();
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-has">has()</a> */
  private boolean has(Arguments args) {
    return list.stream().anyMatch(matching(args));
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-set">set()</a> */
  private void set(Arguments args) {
    Entry made = new Entry(args.string(0), args.string(1));
    List<Entry> changed = new ArrayList<>();
    boolean isSet = false;
    for (Entry tuple : list) {
      if (!tuple.name().equals(made.name())) {
        changed.add(tuple);
      } else if (!isSet) { // 1
        changed.add(made);
        isSet = true;
      }
    }
    if (!isSet) { // 2
      changed.add(made);
    }
    list = changed;
    update(); // 3
  }

  /** <a href="https://url.spec.whatwg.org/#dom-urlsearchparams-sort">sort()</a> */
  private void sort() {
    list.sort(Comparator.comparing(Entry::name)); // by code units, and stable
    update();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("URLSearchParams", URLSearchParams.class)
        .constructor(URLSearchParams::new)
        .getter("size", self -> self.list.size())
        .action("append", URLSearchParams::append)
        .action("delete", URLSearchParams::delete)
        .operation("get", URLSearchParams::get)
        .operation("getAll", URLSearchParams::getAll)
        .operation("has", URLSearchParams::has)
        .action("set", URLSearchParams::set)
        .action("sort", (self, args) -> self.sort())
        .pairs(self -> self.list, tuple -> new Pair(tuple.name(), tuple.value()))
        .operation("toString", (self, args) -> self.serialize());
  }
}
