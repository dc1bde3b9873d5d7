package dev.weblocks.harness.wpt.handlers;

import dev.weblocks.url.PercentEncoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to a handler.
 *
 * @param origin scheme, host and port, as in a URL
 * @param path percent-encoded
 * @param query percent-encoded, without question mark; empty if absent
 */
@SuppressWarnings("ArrayRecordComponent") // may be large: not copied, must not be changed
public record Request(
    String method,
    String origin,
    String path,
    String query,
    List<Map.Entry<String, String>> headers,
    byte[] body) {

  public Request {
    headers = List.copyOf(headers);
  }

  String url() {
    return origin + path + (query.isEmpty() ? "" : "?" + query);
  }

  /** Returns the path up to and including its last slash. */
  String directory() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  /** Returns the names of headers in lower case, each with all its values. */
  Map<String, List<String>> headersByName() {
    Map<String, List<String>> byName = new LinkedHashMap<>();
    headers.forEach(header ->
        byName
            .computeIfAbsent(Ascii.lowerCase(header.getKey()), name -> new ArrayList<>())
            .add(header.getValue()));
    return byName;
  }

  /** Returns all values of a header, separated by commas. */
  Optional<String> header(String name) {
    return Optional.ofNullable(headersByName().get(Ascii.lowerCase(name)))
        .map(values -> String.join(", ", values));
  }

  List<Map.Entry<String, String>> parameters() {
    List<Map.Entry<String, String>> parameters = new ArrayList<>();
    for (String sequence : query.split("&", -1)) {
      if (!sequence.isEmpty()) {
        String[] parts = sequence.split("=", 2);
        parameters.add(Map.entry(decode(parts[0]), parts.length == 1 ? "" : decode(parts[1])));
      }
    }
    return parameters;
  }

  private static String decode(String part) {
    return new String(
        PercentEncoding.percentDecode(part.replace('+', ' ')), StandardCharsets.ISO_8859_1);
  }

  /** Returns whether the query has a parameter with a name, with or without a value. */
  boolean has(String name) {
    return first(name).isPresent();
  }

  Optional<String> first(String name) {
    return parameters().stream()
        .filter(parameter -> parameter.getKey().equals(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  String first(String name, String otherwise) {
    return first(name).orElse(otherwise);
  }

  String required(String name) {
    return first(name)
        .orElseThrow(() -> new IllegalArgumentException("the query has no '" + name + "'"));
  }

  int number(String name, int otherwise) {
    String text = first(name, Integer.toString(otherwise)).strip();
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + name + "' is not a whole number: '" + text + "'", e);
    }
  }
}
