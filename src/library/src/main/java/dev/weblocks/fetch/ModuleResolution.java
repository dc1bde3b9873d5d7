package dev.weblocks.fetch;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.global.Reports;
import dev.weblocks.model.ModuleResolver;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The resolution of module specifiers in a realm, with the import map of a window. Used on the
 * event loop of its agent.
 */
final class ModuleResolution {

  /**
   * The result for a specifier.
   *
   * @param url null if there is none
   * @param failure the reason for that; null if no import map and no resolver has the specifier
   */
  record Resolved(@Nullable UrlRecord url, @Nullable String failure) {}

  /**
   * A <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#specifier-resolution-record">specifier
   * resolution record</a>.
   *
   * @param prefixes whether keys that are prefixes apply: the specifier is no URL, or a special one
   */
  private record Resolution(String baseUrl, String specifier, boolean prefixes) {}

  private final Realm realm;
  private final @Nullable ModuleResolver resolver;
  private final ImportMap map = new ImportMap();

  /** The resolved module set, with results: no rule of a later import map changes one. */
  private final Map<Resolution, UrlRecord> resolutions = new HashMap<>();

  ModuleResolution(Realm realm) {
    this.realm = realm;
    this.resolver = FetchSettings.of(realm.agent().userAgent()).moduleResolver();
  }

  /** Returns whether the base URL of an importing script can change the result. */
  boolean usesBaseUrl() {
    return resolver != null || remapsUrls();
  }

  /** Returns whether a specifier that is an absolute URL may resolve to another one. */
  boolean remapsUrls() {
    return !map.isEmpty();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#resolving-a-module-integrity-metadata">resolve
   * a module integrity metadata</a>
   */
  String integrity(UrlRecord url) {
    return map.integrity().getOrDefault(url.href(), "");
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#resolve-a-module-specifier">
   * resolve a module specifier</a>. Bare specifiers that no import map has are resolved by the
   * embedder.
   */
  Resolved resolve(UrlRecord baseUrl, String specifier) {
    // 6.
    String base = baseUrl.href();
    // 7. and 8.
    UrlRecord asUrl = ModuleSpecifiers.resolve(baseUrl, specifier);
    String normalized = asUrl == null ? specifier : asUrl.href();
    Resolution resolution = new Resolution(base, normalized, asUrl == null || asUrl.isSpecial());
    UrlRecord result = resolutions.get(resolution);
    if (result != null) {
      return new Resolved(result, null);
    }
    try {
      // 10.
      for (Map.Entry<String, NavigableMap<String, Optional<UrlRecord>>> scope :
          map.scopes().entrySet()) {
        if (result == null && ImportMap.isScopeOf(scope.getKey(), base)) {
          result = ImportMap.match(normalized, asUrl, scope.getValue());
        }
      }
      // 11.
      if (result == null) {
        result = ImportMap.match(normalized, asUrl, map.imports());
      }
      // 12.
      if (result == null) {
        result = asUrl;
      }
      if (result == null && !ModuleSpecifiers.isRelative(specifier)) {
        result = ofEmbedder(specifier, base);
      }
    } catch (ScriptException blocked) {
      return new Resolved(null, blocked.getMessage());
    }
    // 13.
    if (result != null) {
      resolutions.put(resolution, result);
    }
    return new Resolved(result, null);
  }

  private @Nullable UrlRecord ofEmbedder(String specifier, String baseUrl) {
    Agent agent = realm.agent();
    try {
      String url = resolver == null ? null : resolver.resolve(specifier, baseUrl);
      UrlRecord parsed = url == null ? null : UrlParser.parse(url);
      if (url != null && parsed == null) {
        throw new IllegalStateException(
            "it returned '" + url + "' for '" + specifier + "', which is not an absolute URL");
      }
      return parsed;
    } catch (IllegalArgumentException refused) {
      throw ScriptException.typeError(String.valueOf(refused.getMessage()));
    } catch (RuntimeException | Error failure) {
      agent.reportDefect("module resolver", failure);
      return null;
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#create-an-import-map-parse-result">
   * create an import map parse result</a>, then <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#register-an-import-map">register
   * an import map</a>
   */
  void register(String text, UrlRecord baseUrl) {
    RealmBinding binding = RealmBinding.of(realm);
    Value error;
    try {
      Value parsed =
          binding.values().parseJson(text); // the first step of "parse an import map string"
      merge(ImportMap.of(parsed, baseUrl, this::warn));
      return;
    } catch (ScriptException noMap) {
      error = binding.values().exception(noMap);
    } catch (PolyglotException thrown) {
      error = thrown.getGuestObject();
      if (error == null) {
        throw thrown;
      }
    }
    GlobalScope.of(realm).reportException(error);
  }

  private void warn(String warning) {
    Reports.of(realm).consoleMessage(realm, "warn", "import map: " + warning);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#merge-existing-and-new-import-maps">merge
   * existing and new import maps</a>. Ignores a rule for a specifier that is resolved already.
   */
  private void merge(ImportMap added) {
    // 4.
    added
        .scopes()
        .forEach((prefix, specifiers) -> {
          removeUsed(specifiers, done -> ImportMap.isScopeOf(prefix, done.baseUrl()));
          Map<String, Optional<UrlRecord>> old = map.scopes().putIfAbsent(prefix, specifiers);
          if (old != null) {
            merge(specifiers, old);
          }
        });
    // 5.
    added.integrity().forEach(map.integrity()::putIfAbsent);
    // 6.
    removeUsed(added.imports(), done -> true);
    // 7.
    merge(added.imports(), map.imports());
  }

  /** Removes the rules for specifiers that are resolved already. */
  private void removeUsed(Map<String, Optional<UrlRecord>> rules, Predicate<Resolution> concerns) {
    NavigableSet<String> withPrefixes = new TreeSet<>();
    for (Resolution done : resolutions.keySet()) {
      if (concerns.test(done)) {
        rules.remove(done.specifier());
        if (done.prefixes()) {
          withPrefixes.add(done.specifier());
        }
      }
    }
    rules
        .keySet()
        .removeIf(key -> {
          // those that begin with a key follow it directly
          String first = key.endsWith("/") ? withPrefixes.ceiling(key) : null;
          return first != null && first.startsWith(key);
        });
  }

  /**
   * <a href="https://html.spec.whatwg.org/multipage/webappapis.html#merge-module-specifier-maps">
   * merge module specifier maps</a>
   */
  private static void merge(
      Map<String, Optional<UrlRecord>> added, Map<String, Optional<UrlRecord>> old) {
    added.forEach(old::putIfAbsent);
  }
}
