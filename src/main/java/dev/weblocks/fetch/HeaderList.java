package dev.weblocks.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A header list: names and values in order, as byte strings (one character a byte). Names are
 * compared without regard to case. On one thread at a time.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-header-list">header list</a>
 */
final class HeaderList {

  /** A header. */
  record Header(String name, String value) {}

  private final List<Header> headers = new ArrayList<>();

  /** {@link #sortAndCombine}'s answer until something changes: iterators ask at each step. */
  private @Nullable List<Header> sorted;

  HeaderList() {}

  HeaderList(HeaderList other) {
    headers.addAll(other.headers);
  }

  /** Takes headers as the network gave them. */
  static HeaderList of(List<Map.Entry<String, String>> headers) {
    HeaderList list = new HeaderList();
    headers.forEach(each -> list.headers.add(new Header(each.getKey(), each.getValue())));
    return list;
  }

  /** All headers, in order. */
  List<Header> headers() {
    return List.copyOf(headers);
  }

  /** All headers, as the network takes them. */
  List<Map.Entry<String, String>> entries() {
    return headers.stream().map(each -> Map.entry(each.name, each.value)).toList();
  }

  /** <a href="https://fetch.spec.whatwg.org/#header-list-contains">contains</a> */
  boolean contains(String name) {
    return headers.stream().anyMatch(each -> each.name.equalsIgnoreCase(name));
  }

  /** The values of all headers of a name, in order. */
  List<String> values(String name) {
    return headers.stream()
        .filter(each -> each.name.equalsIgnoreCase(name))
        .map(Header::value)
        .toList();
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-get">get</a> */
  @Nullable String get(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? null : String.join(", ", values);
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-header-list-get-decode-split">get, decode, and
   * split</a>
   */
  @Nullable List<String> getDecodeAndSplit(String name) {
    String value = get(name);
    return value == null ? null : split(value);
  }

  /** <a href="https://fetch.spec.whatwg.org/#header-value-get-decode-and-split">for a value</a> */
  static List<String> split(String value) {
    List<String> values = new ArrayList<>();
    StringBuilder current = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      if (each == ',' && !quoted) {
        values.add(HttpText.trimTabOrSpace(current.toString()));
        current.setLength(0);
        continue;
      }
      current.append(each);
      if (each == '"') {
        quoted = !quoted;
      } else if (each == '\\' && quoted && i + 1 < value.length()) {
        i++;
        current.append(value.charAt(i));
      }
    }
    values.add(HttpText.trimTabOrSpace(current.toString()));
    return values;
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-append">append</a> */
  void append(String name, String value) {
    sorted = null;
    String known = name;
    for (Header each : headers) {
      if (each.name.equalsIgnoreCase(name)) {
        known = each.name;
        break;
      }
    }
    headers.add(new Header(known, value));
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-delete">delete</a> */
  void delete(String name) {
    sorted = null;
    headers.removeIf(each -> each.name.equalsIgnoreCase(name));
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-set">set</a> */
  void set(String name, String value) {
    sorted = null;
    for (int i = 0; i < headers.size(); i++) {
      Header each = headers.get(i);
      if (each.name.equalsIgnoreCase(name)) {
        headers.subList(i + 1, headers.size()).removeIf(h -> h.name.equalsIgnoreCase(name));
        headers.set(i, new Header(each.name, value));
        return;
      }
    }
    headers.add(new Header(name, value));
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-header-list-sort-and-combine">sort and
   * combine</a>
   */
  List<Header> sortAndCombine() {
    List<Header> known = sorted;
    if (known == null) {
      Map<String, List<String>> byName = new TreeMap<>();
      for (Header each : headers) {
        byName
            .computeIfAbsent(each.name.toLowerCase(Locale.ROOT), name -> new ArrayList<>())
            .add(each.value);
      }
      List<Header> combined = new ArrayList<>();
      byName.forEach((name, values) -> {
        if (name.equals("set-cookie")) {
          values.forEach(value -> combined.add(new Header(name, value)));
        } else {
          combined.add(new Header(name, String.join(", ", values)));
        }
      });
      known = List.copyOf(combined);
      sorted = known;
    }
    return known;
  }
}
