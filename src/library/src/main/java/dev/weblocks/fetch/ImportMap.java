package dev.weblocks.fetch;

import dev.weblocks.binding.ScriptException;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * An import map. The longest key comes first in each of its maps. Used on the event loop of its
 * agent.
 *
 * @param imports URLs by specifier; empty for a specifier that must not be resolved
 * @param scopes maps like {@code imports} by the URL or URL prefix of the importing script
 * @param integrity integrity metadata by URL
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#import-map">import map</a>
 */
record ImportMap(
    NavigableMap<String, Optional<UrlRecord>> imports,
    NavigableMap<String, NavigableMap<String, Optional<UrlRecord>>> scopes,
    Map<String, String> integrity) {

  ImportMap() {
    this(descending(), descending(), new HashMap<>());
  }

  /** Returns a map whose order is "sorting in descending order" by code units. */
  private static <T> NavigableMap<String, T> descending() {
    return new TreeMap<>(Comparator.reverseOrder());
  }

  boolean isEmpty() {
    return imports.isEmpty() && scopes.isEmpty() && integrity.isEmpty();
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#parse-an-import-map-string">
   * parse an import map string</a>, after step 1.
   *
   * @param parsed the value that the text is JSON of
   * @param warnings receives the warnings for the console
   * @throws ScriptException a TypeError, if the value is no import map
   */
  static ImportMap of(Value parsed, UrlRecord baseUrl, Consumer<String> warnings) {
    // 2.
    requireObject(parsed, "the top-level value");
    ImportMap map = new ImportMap();
    for (String key : parsed.getMemberKeys()) {
      Value value = parsed.getMember(key);
      switch (key) {
        // 3. and 4.
        case "imports" -> {
          requireObject(value, "\"imports\"");
          map.imports.putAll(sortAndNormalize(value, baseUrl, warnings));
        }
        // 5. and 6.
        case "scopes" -> {
          requireObject(value, "\"scopes\"");
          sortAndNormalizeScopes(value, baseUrl, map, warnings);
        }
        // 7. and 8.
        case "integrity" -> {
          requireObject(value, "\"integrity\"");
          normalizeIntegrity(value, baseUrl, map, warnings);
        }
        // 9.
        default -> warnings.accept("invalid top-level key \"" + key + "\"");
      }
    }
    // 10.
    return map;
  }

  private static void requireObject(Value value, String what) {
    if (!value.hasMembers() || value.hasArrayElements() || value.isString()) {
      throw ScriptException.typeError(
          "Failed to parse import map: " + what + " is not a JSON object");
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#sorting-and-normalizing-a-module-specifier-map">sort
   * and normalize a module specifier map</a>
   */
  private static NavigableMap<String, Optional<UrlRecord>> sortAndNormalize(
      Value original, UrlRecord baseUrl, Consumer<String> warnings) {
    // 1.
    NavigableMap<String, Optional<UrlRecord>> normalized = descending();
    // 2.
    for (String key : original.getMemberKeys()) {
      // 2.1. and 2.2., normalize a specifier key
      if (key.isEmpty()) {
        warnings.accept("a specifier is empty");
        continue;
      }
      UrlRecord keyUrl = ModuleSpecifiers.resolve(baseUrl, key);
      // 2.3. to 2.7.
      Value value = original.getMember(key);
      UrlRecord address =
          value.isString() ? ModuleSpecifiers.resolve(baseUrl, value.asString()) : null;
      if (address == null) {
        warnings.accept("the address of \"" + key + "\" is not a URL, /, ./ or ../ path");
      } else if (key.endsWith("/") && !address.href().endsWith("/")) {
        warnings.accept("the address of \"" + key + "\" does not end with /, unlike its key");
        address = null;
      }
      normalized.put(keyUrl == null ? key : keyUrl.href(), Optional.ofNullable(address));
    }
    // 3.
    return normalized;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#sorting-and-normalizing-scopes">sort
   * and normalize scopes</a>
   */
  private static void sortAndNormalizeScopes(
      Value original, UrlRecord baseUrl, ImportMap map, Consumer<String> warnings) {
    for (String prefix : original.getMemberKeys()) {
      // 2.1.
      Value specifiers = original.getMember(prefix);
      requireObject(specifiers, "the scope \"" + prefix + "\"");
      // 2.2. to 2.5.
      UrlRecord url = UrlParser.parse(prefix, baseUrl);
      if (url == null) {
        warnings.accept("the scope \"" + prefix + "\" is not a URL");
      } else {
        map.scopes.put(url.href(), sortAndNormalize(specifiers, baseUrl, warnings));
      }
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#normalizing-a-module-integrity-map">normalize
   * a module integrity map</a>
   */
  private static void normalizeIntegrity(
      Value original, UrlRecord baseUrl, ImportMap map, Consumer<String> warnings) {
    for (String key : original.getMemberKeys()) {
      // 2.1. to 2.4.
      UrlRecord url = ModuleSpecifiers.resolve(baseUrl, key);
      Value value = original.getMember(key);
      if (url == null || !value.isString()) {
        warnings.accept("the integrity of \"" + key + "\" needs a URL and a string");
      } else {
        map.integrity.put(url.href(), value.asString());
      }
    }
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#resolving-an-imports-match">
   * resolve an imports match</a>
   *
   * @return null if no key matches
   * @throws ScriptException a TypeError, if the map blocks the specifier
   */
  static @Nullable UrlRecord match(
      String specifier, @Nullable UrlRecord asUrl, Map<String, Optional<UrlRecord>> map) {
    // 1.
    for (Map.Entry<String, Optional<UrlRecord>> entry : map.entrySet()) {
      String key = entry.getKey();
      if (!matches(key, specifier, asUrl == null || asUrl.isSpecial())) {
        continue;
      }
      // 1.1.1. and 1.2.1.
      UrlRecord address = entry.getValue().orElse(null);
      if (address == null) {
        throw blocked(specifier, "the import map maps \"" + key + "\" to null");
      }
      // 1.1.3.
      if (key.equals(specifier)) {
        return address;
      }
      // 1.2.3. to 1.2.9.
      UrlRecord url = UrlParser.parse(specifier.substring(key.length()), address);
      if (url == null || !url.href().startsWith(address.href())) {
        throw blocked(specifier, "it leads out of the address of \"" + key + "\"");
      }
      return url;
    }
    // 2.
    return null;
  }

  private static ScriptException blocked(String specifier, String why) {
    return ScriptException.typeError(
        "Failed to resolve module specifier \"" + specifier + "\": " + why);
  }

  /** Returns whether a key is the specifier or, if the specifier may be one, a prefix of it. */
  static boolean matches(String key, String specifier, boolean prefixes) {
    return key.equals(specifier) || (prefixes && key.endsWith("/") && specifier.startsWith(key));
  }

  /** Returns whether a scope is that of a script with the given base URL. */
  static boolean isScopeOf(String prefix, String baseUrl) {
    return matches(prefix, baseUrl, true);
  }
}
