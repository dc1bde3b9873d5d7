package dev.weblocks.url;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import org.jspecify.annotations.Nullable;

/**
 * The {@code URL} interface.
 *
 * @see <a href="https://url.spec.whatwg.org/#url-class">URL Standard</a>
 */
final class URL extends PlatformObject {

  private UrlRecord url;

  /** The query object, created lazily. */
  private @Nullable URLSearchParams query;

  private URL(Realm realm, UrlRecord url) {
    super(realm);
    this.url = url;
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-url">new URL()</a> */
  URL(Realm realm, Arguments args) {
    this(realm, parsed(args, "Failed to construct 'URL'"));
  }

  /** <a href="https://url.spec.whatwg.org/#api-url-parser">API URL parser</a> */
  private static @Nullable UrlRecord parsed(Arguments args) {
    if (!args.isPresent(1)) {
      return UrlParser.parse(args.string(0));
    }
    UrlRecord base = UrlParser.parse(args.string(1)); // 2
    return base == null ? null : UrlParser.parse(args.string(0), base); // 2.2 and 3
  }

  private static UrlRecord parsed(Arguments args, String failure) {
    UrlRecord url = parsed(args);
    if (url == null) {
      boolean isBaseInvalid = args.isPresent(1) && UrlParser.parse(args.string(1)) == null;
      throw ScriptException.typeError(
          failure + (isBaseInvalid ? ": Invalid base URL" : ": Invalid URL"));
    }
    return url;
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-parse">URL.parse()</a> */
  private static @Nullable URL parse(Arguments args) {
    UrlRecord url = parsed(args);
    return url == null ? null : new URL(args.realm(), url);
  }

  /** <a href="https://url.spec.whatwg.org/#dom-url-href">href</a>, the setter */
  private void setHref(Arguments args) {
    UrlRecord parsed = UrlParser.parse(args.string(0)); // 1
    if (parsed == null) { // 2
      throw ScriptException.typeError("Failed to set the 'href' property on 'URL': Invalid URL");
    }
    url = parsed; // 3
    updateQueryObject(); // 4 to 6
  }

  /** Replaces the URL, and the list of the query object, which only {@code search} changes. */
  private void change(UrlRecord changed) {
    url = changed;
    updateQueryObject();
  }

  private void updateQueryObject() {
    if (query != null) {
      query.replaceWith(queryText());
    }
  }

  private String queryText() {
    String text = url.query();
    return text == null ? "" : text;
  }

  private URLSearchParams searchParams() {
    URLSearchParams existing = query;
    if (existing == null) {
      existing = new URLSearchParams(realm(), queryText(), this);
      query = existing;
    }
    return existing;
  }

  /**
   * Runs the last steps of <a
   * href="https://url.spec.whatwg.org/#concept-urlsearchparams-update">update</a>.
   */
  void updateQuery(String serialized) {
    url = url.withQuery(serialized.isEmpty() ? null : serialized);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("URL", URL.class)
        .constructor(URL::new)
        .staticOperation("parse", URL::parse)
        .staticOperation("canParse", args -> parsed(args) != null)
        .with(self -> UrlParts.define(self, url -> url.url))
        .with(self -> UrlParts.defineCredentials(self, url -> url.url, URL::change))
        .getter("searchParams", URL::searchParams)
        .setter("href", URL::setHref)
        .with(self -> UrlParts.defineSetters(self, url -> url.url, URL::change, url -> null))
        .operation("toJSON", (self, args) -> self.url.href());
  }
}
