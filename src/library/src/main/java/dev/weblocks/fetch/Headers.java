package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Pair;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import java.util.Locale;
import java.util.Set;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Headers} interface.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#headers-class">Fetch</a>
 */
final class Headers extends PlatformObject {

  /** <a href="https://fetch.spec.whatwg.org/#headers-guard">guard</a> */
  enum Guard {
    IMMUTABLE,
    REQUEST,
    REQUEST_NO_CORS,
    RESPONSE,
    NONE
  }

  private static final Set<String> FORBIDDEN_RESPONSE_HEADERS = Set.of("set-cookie", "set-cookie2");

  private final HeaderList list;
  private final Guard guard;

  Headers(Realm realm, HeaderList list, Guard guard) {
    super(realm);
    this.list = list;
    this.guard = guard;
  }

  HeaderList list() {
    return list;
  }

  Guard guard() {
    return guard;
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-headers">Headers()</a> */
  private static Headers construct(Realm realm, Arguments args) {
    Headers headers = new Headers(realm, new HeaderList(), Guard.NONE);
    if (args.isPresent(0)) {
      headers.fill(args.any(0), "Failed to construct 'Headers'");
    }
    return headers;
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-headers-fill">fill</a>
   *
   * @param init a converted HeadersInit: a list of pairs, or a list of alternating names and values
   * @param attempt the start of exception messages
   */
  void fill(Value init, String attempt) {
    long size = init.getArraySize();
    if (size > 0 && init.getArrayElement(0).hasArrayElements()) {
      for (long i = 0; i < size; i++) {
        Value header = init.getArrayElement(i);
        if (header.getArraySize() != 2) {
          throw ScriptException.typeError(
              "%s: The header at index %s has %s elements instead of a name and a value."
                  .formatted(attempt, i, header.getArraySize()));
        }
        append(header.getArrayElement(0).asString(), header.getArrayElement(1).asString(), attempt);
      }
    } else {
      for (long i = 0; i < size; i += 2) {
        append(init.getArrayElement(i).asString(), init.getArrayElement(i + 1).asString(), attempt);
      }
    }
  }

  /** Appends those headers of a list that the guard allows. */
  void fill(HeaderList other, String attempt) {
    other.headers().forEach(each -> append(each.name(), each.value(), attempt));
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-headers-append">append</a> */
  void append(String name, String rawValue, String attempt) {
    String value = HttpText.normalize(rawValue); // 1
    if (!validate(name, value, attempt)) { // 2
      return;
    }
    if (guard == Guard.REQUEST_NO_CORS) { // 3
      String before = list.get(name);
      if (!Cors.isNoCorsSafelistedRequestHeader(
          name, before == null ? value : before + ", " + value)) {
        return;
      }
    }
    list.append(name, value); // 4
    removePrivilegedNoCors(); // 5
  }

  /** <a href="https://fetch.spec.whatwg.org/#headers-validate">validate</a> */
  private boolean validate(String name, String value, String attempt) {
    requireName(name, attempt); // 1
    if (!HttpText.isHeaderValue(value)) {
      throw ScriptException.typeError(
          attempt + ": The value of header '" + name + "' contains an invalid character.");
    }
    return switch (guard) {
      case IMMUTABLE -> // 2
          throw ScriptException.typeError(attempt + ": Headers are immutable");
      case REQUEST, REQUEST_NO_CORS -> !RequestRules.isForbiddenHeader(name, value); // 3
      case RESPONSE -> !isForbiddenResponseHeaderName(name); // 4
      case NONE -> true; // 5
    };
  }

  /**
   * <a
   * href="https://fetch.spec.whatwg.org/#concept-headers-remove-privileged-no-cors-request-headers">remove
   * privileged no-CORS request-headers</a>
   */
  private void removePrivilegedNoCors() {
    if (guard == Guard.REQUEST_NO_CORS) {
      list.delete("Range");
    }
  }

  private static void requireName(String name, String attempt) {
    if (!HttpText.isToken(name)) {
      throw ScriptException.typeError(attempt + ": '" + name + "' is not a valid header name.");
    }
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#forbidden-response-header-name">forbidden
   * response-header name</a>
   */
  static boolean isForbiddenResponseHeaderName(String name) {
    return FORBIDDEN_RESPONSE_HEADERS.contains(name.toLowerCase(Locale.ROOT));
  }

  private static String execute(String operation) {
    return "Failed to execute '" + operation + "' on 'Headers'";
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-headers-delete">delete()</a> */
  private void delete(String name) {
    if (!validate(name, "", execute("delete"))) { // 1
      return;
    }
    if (guard == Guard.REQUEST_NO_CORS // 2
        && !Cors.isNoCorsSafelistedRequestHeaderName(name)
        && !Cors.isPrivilegedNoCorsRequestHeaderName(name)) {
      return;
    }
    list.delete(name); // 4
    removePrivilegedNoCors(); // 5
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-headers-get">get()</a> */
  private @Nullable String get(String name) {
    requireName(name, execute("get"));
    return list.get(name);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-headers-has">has()</a> */
  private boolean has(String name) {
    requireName(name, execute("has"));
    return list.contains(name);
  }

  /** <a href="https://fetch.spec.whatwg.org/#dom-headers-set">set()</a> */
  private void set(String name, String rawValue) {
    String value = HttpText.normalize(rawValue); // 1
    if (!validate(name, value, execute("set")) // 2
        || (guard == Guard.REQUEST_NO_CORS // 3
            && !Cors.isNoCorsSafelistedRequestHeader(name, value))) {
      return;
    }
    list.set(name, value); // 4
    removePrivilegedNoCors(); // 5
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Headers", Headers.class)
        .constructor(Headers::construct)
        .action(
            "append",
            (headers, args) -> headers.append(args.string(0), args.string(1), execute("append")))
        .action("delete", (headers, args) -> headers.delete(args.string(0)))
        .operation("get", (headers, args) -> headers.get(args.string(0)))
        .operation("getSetCookie", (headers, args) -> headers.list.values("set-cookie"))
        .operation("has", (headers, args) -> headers.has(args.string(0)))
        .action("set", (headers, args) -> headers.set(args.string(0), args.string(1)))
        .pairs(
            headers -> headers.list.sortAndCombine(),
            header -> new Pair(header.name(), header.value()));
  }
}
