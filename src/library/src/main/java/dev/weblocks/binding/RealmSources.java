package dev.weblocks.binding;

import dev.weblocks.binding.JsLiteral.Raw;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/**
 * The JavaScript sources of one kind of global that are generated from IDL. The index, which lists
 * every {@link Exposure} and the enumerations, is evaluated in each realm. Each interface, callback
 * interface and namespace has a part, and each dictionary a table, which are written, parsed and
 * evaluated lazily. Thread-safe.
 */
final class RealmSources {

  /** The kind of value of a property of the global. The prelude uses the ordinals. */
  enum Kind {
    /** Not a property: the position at which the members of the global are installed. */
    GLOBAL,
    INTERFACE,
    FACTORY,
    CALLBACK_INTERFACE,
    NAMESPACE
  }

  /**
   * A property of the global, and the number of its part. An entry of {@link Kind#GLOBAL} is
   * instead the position at which the members of the global are installed.
   */
  record Exposure(String name, int part, Kind kind) {}

  private final InterfaceCode writer;
  private final List<Exposure> exposures;
  private final List<String> names;
  private final Source index;
  private final AtomicReferenceArray<Source> parts;
  private final Map<String, Source> dictionaries = new ConcurrentHashMap<>();

  /**
   * @param internals the numbers, by name, of the callables that are not in the IDL
   */
  RealmSources(InterfaceCode writer, Map<String, Integer> internals) {
    this.writer = writer;
    this.exposures = writer.exposures();
    this.names = exposures.stream().map(Exposure::name).toList();
    this.parts = new AtomicReferenceArray<>(writer.parts());
    List<Object> flat = new ArrayList<>();
    for (Exposure each : exposures) {
      flat.add(each.name());
      flat.add(each.part());
      flat.add(each.kind().ordinal());
    }
    Map<String, Object> index = new LinkedHashMap<>();
    index.put("exposures", flat);
    index.put("enums", writer.enums());
    index.put("emptyList", new Raw("emptyList"));
    index.put("emptyDictionary", new Raw("emptyDictionary"));
    index.putAll(internals);
    this.index =
        Resources.internal(
            "weblocks:tables",
            "(function () { 'use strict'; const emptyList = {}, emptyDictionary = {}; return "
                + JsLiteral.of(index)
                + "; })");
  }

  /** Returns the source of a function that returns the tables that every realm needs. */
  Source index() {
    return index;
  }

  /** Returns the names of the exposures, in order; the name of {@link Kind#GLOBAL} is unused. */
  List<String> names() {
    return names;
  }

  /**
   * Returns the source of a function of {@code (library, record)} that returns the part with the
   * given number; null for an interface that is not exposed.
   *
   * @see PartCode
   */
  @Nullable Source part(int number) {
    Source written = parts.get(number);
    if (written == null) {
      String code = writer.part(number);
      if (code == null) {
        return null;
      }
      written = Resources.internal("weblocks:interface", code);
      if (!parts.compareAndSet(number, null, written)) {
        written = parts.get(number); // one source for all, else the engine parses it again
      }
    }
    return written;
  }

  /** Returns the part of an interface or a namespace; null if it is not exposed, or unknown. */
  @Nullable Source part(String name) {
    int number = writer.partNamed(name);
    return number < 0 ? null : part(number);
  }

  /**
   * Returns the source of a function of {@code (emptyList, emptyDictionary)} that returns the
   * members of a dictionary.
   */
  Source dictionary(String name) {
    return dictionaries.computeIfAbsent(
        name,
        n ->
            Resources.internal(
                "weblocks:tables",
                "(function (emptyList, emptyDictionary) { 'use strict'; return "
                    + JsLiteral.of(writer.dictionary(n))
                    + "; })"));
  }
}
