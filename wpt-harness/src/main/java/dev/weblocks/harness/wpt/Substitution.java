package dev.weblocks.harness.wpt;

import dev.weblocks.harness.wpt.handlers.Ascii;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The replacement of the placeholders in double braces in files named {@code *.sub.*}: hosts,
 * ports, parts of the request. Grammar: {@code {{$variable:name(arguments)[index][index]}}}, where
 * variable, arguments and indexes are optional.
 */
final class Substitution {

  enum Escape {
    HTML,
    NONE
  }

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^}]*)\\}\\}");
  private static final Pattern TOKEN =
      Pattern.compile("(\\$\\w+:)|(\\$?\\w+)|\\[([^\\]]*)\\]|\\(([^)]*)\\)");
  private static final Set<String> MARKUP =
      Set.of(".html", ".htm", ".xht", ".xhtml", ".xml", ".svg");

  private final WptHosts hosts;
  private final Supplier<UUID> ids;

  Substitution(WptHosts hosts, Supplier<UUID> ids) {
    this.hosts = hosts;
    this.ids = ids;
  }

  /** Returns the escaping for a file: HTML for markup, judged by the file name, otherwise none. */
  static Escape escapeFor(String path) {
    int dot = path.lastIndexOf('.');
    return dot >= 0 && MARKUP.contains(path.substring(dot)) ? Escape.HTML : Escape.NONE;
  }

  /**
   * Returns the content with every placeholder replaced. Bytes outside placeholders are unchanged,
   * in any encoding; values are written in UTF-8.
   *
   * @throws ServerFailure with status 500 for an invalid placeholder
   */
  byte[] apply(byte[] content, RequestUrl url, Map<String, String> headers, Escape escape)
      throws ServerFailure {
    // One char per byte preserves bytes of any encoding.
    String text = new String(content, StandardCharsets.ISO_8859_1);
    Map<String, Object> variables = new HashMap<>();
    StringBuilder result = new StringBuilder(text.length());
    Matcher matcher = PLACEHOLDER.matcher(text);
    int from = 0;
    while (matcher.find()) {
      String expression =
          new String(
              matcher.group(1).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      String value = evaluate(expression, url, headers, variables);
      String written = escape == Escape.HTML ? Ascii.escapeHtml(value) : value;
      result.append(text, from, matcher.start());
      result.append(
          new String(written.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
      from = matcher.end();
    }
    result.append(text, from, text.length());
    return result.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private String evaluate(
      String expression, RequestUrl url, Map<String, String> headers, Map<String, Object> variables)
      throws ServerFailure {
    String assigned = "";
    String name = "";
    Optional<String> arguments = Optional.empty();
    List<String> indexes = new ArrayList<>();
    Matcher token = TOKEN.matcher(expression);
    int end = 0;
    while (token.find() && token.start() == end) {
      end = token.end();
      if (token.group(1) != null) {
        assigned = token.group(1).substring(0, token.group(1).length() - 1);
      } else if (token.group(2) != null) {
        name = token.group(2);
      } else if (token.group(3) != null) {
        indexes.add(token.group(3));
      } else {
        arguments = Optional.of(token.group(4));
      }
    }
    if (end != expression.length()) {
      throw unknown(expression);
    }
    Object value = lookUp(expression, name, arguments, url, headers, variables);
    for (String index : indexes) {
      value = step(expression, value, index);
    }
    if (!(value instanceof String || value instanceof Integer)) {
      throw unknown(expression);
    }
    if (!assigned.isEmpty()) {
      variables.put(assigned, value);
    }
    return value.toString();
  }

  private Object lookUp(
      String expression,
      String name,
      Optional<String> arguments,
      RequestUrl url,
      Map<String, String> headers,
      Map<String, Object> variables)
      throws ServerFailure {
    Object variable = variables.get(name);
    if (variable != null) {
      return variable;
    }
    return switch (name) {
      case "host", "browser_host" -> hosts.host();
      case "hosts" -> hosts.domains();
      case "domains" -> hosts.domains().getOrDefault("", Map.of());
      case "ports" -> hosts.ports();
      case "location" -> location(url);
      case "GET" -> new Query(url);
      case "headers" -> headers;
      case "header_or_default" -> headerOrDefault(expression, arguments.orElse(""), headers);
      case "uuid" -> ids.get().toString();
      case "url_base" -> "/";
      default -> throw unknown(expression);
    };
  }

  /**
   * The query string. Unlike other variables, it returns the empty string for a missing parameter.
   */
  private record Query(RequestUrl url) {}

  private static Map<String, String> location(RequestUrl url) {
    String host = url.host() + ":" + url.port();
    return Map.of(
        "server", url.scheme() + "://" + host,
        "scheme", url.scheme(),
        "host", host,
        "hostname", url.host(),
        "port", Integer.toString(url.port()),
        "path", url.path(),
        "pathname", url.path(),
        "query", "?" + url.query());
  }

  private static Object step(String expression, Object value, String index) throws ServerFailure {
    if (value instanceof Query query) {
      return query.url().parameter(index).orElse("");
    }
    Object found = null;
    if (value instanceof Map<?, ?> map) {
      found = map.get(index);
    } else if (value instanceof List<?> list && index.matches("\\d{1,3}")) {
      int position = Integer.parseInt(index);
      found = position < list.size() ? list.get(position) : null;
    }
    if (found == null) {
      throw unknown(expression);
    }
    return found;
  }

  private static String headerOrDefault(
      String expression, String arguments, Map<String, String> headers) throws ServerFailure {
    String[] parts = arguments.split(",", 2);
    if (parts.length != 2) {
      throw unknown(expression);
    }
    return headers.getOrDefault(parts[0].strip(), parts[1].strip());
  }

  private static ServerFailure unknown(String expression) {
    return new ServerFailure(500, "unknown expression {{" + expression + "}}");
  }
}
