package dev.weblocks.fetch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A header list: names and values in order, as byte strings (one character per byte). Names are
 * case-insensitive. Not thread-safe.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-header-list">header list</a>
 */
public final class HeaderList {

  /** A header. */
  public record Header(String name, String value) {}

  private final List<Header> headers = new ArrayList<>();

  /** For each name in lower case, its spelling in the first header with that name. */
  private final Map<String, String> names = new HashMap<>();

  /**
   * The cached result of {@link #sortAndCombine}, which iterators call at each step; null after a
   * change.
   */
  private @Nullable List<Header> sorted;

  public HeaderList() {}

  HeaderList(HeaderList other) {
    headers.addAll(other.headers);
    names.putAll(other.names);
  }

  /** Returns a header list with the headers of a request or response. */
  public static HeaderList of(List<Map.Entry<String, String>> headers) {
    HeaderList list = new HeaderList();
    headers.forEach(each -> list.append(each.getKey(), each.getValue()));
    return list;
  }

  /** Returns all headers, in order. */
  public List<Header> headers() {
    return List.copyOf(headers);
  }

  /** Returns all headers in the form that requests and responses use. */
  public List<Map.Entry<String, String>> entries() {
    return headers.stream().map(each -> Map.entry(each.name, each.value)).toList();
  }

  /** <a href="https://fetch.spec.whatwg.org/#header-list-contains">contains</a> */
  public boolean contains(String name) {
    return names.containsKey(lowerCase(name));
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  List<String> values(String name) {
    if (!contains(name)) {
      return List.of();
    }
    return headers.stream()
        .filter(each -> each.name.equalsIgnoreCase(name))
        .map(Header::value)
        .toList();
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-get">get</a> */
  public @Nullable String get(String name) {
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

  /**
   * <a href="https://fetch.spec.whatwg.org/#header-value-get-decode-and-split">split a value</a>
   */
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
    String known = names.putIfAbsent(lowerCase(name), name);
    headers.add(new Header(known == null ? name : known, value));
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-delete">delete</a> */
  void delete(String name) {
    if (names.remove(lowerCase(name)) == null) {
      return;
    }
    sorted = null;
    headers.removeIf(each -> each.name.equalsIgnoreCase(name));
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-combine">combine</a> */
  public void combine(String name, String value) {
    String before = get(name);
    set(name, before == null ? value : before + ", " + value);
  }

  /**
   * Returns the value of {@code Content-Length}; -1 if it is missing or invalid.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#header-list-extract-a-length">extract a length</a>
   */
  public long extractLength() {
    List<String> values = getDecodeAndSplit("Content-Length"); // 1
    if (values == null || values.stream().distinct().count() > 1) { // 2 to 5
      return -1;
    }
    String candidate = values.getFirst();
    boolean isNumber =
        !candidate.isEmpty() && candidate.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    try {
      return isNumber ? Long.parseLong(candidate) : -1; // 6, 7
    } catch (NumberFormatException tooLong) {
      return -1;
    }
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-header-list-set">set</a> */
  public void set(String name, String value) {
    if (!contains(name)) {
      append(name, value);
      return;
    }
    sorted = null;
    boolean isSet = false;
    List<Header> before = List.copyOf(headers);
    headers.clear();
    for (Header each : before) {
      if (!each.name.equalsIgnoreCase(name)) {
        headers.add(each);
      } else if (!isSet) {
        headers.add(new Header(each.name, value));
        isSet = true;
      }
    }
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-header-list-sort-and-combine">sort and
   * combine</a>
   */
  public List<Header> sortAndCombine() {
    List<Header> known = sorted;
    if (known == null) {
      Map<String, List<String>> byName = new TreeMap<>();
      for (Header each : headers) {
        byName.computeIfAbsent(lowerCase(each.name), name -> new ArrayList<>()).add(each.value);
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
