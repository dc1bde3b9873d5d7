package dev.weblocks.fetch;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.file.BlobUrlStore;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable request, independent of any context: it may be passed to any agent. Thread-safe.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-request">request</a>
 */
public final class FetchRequest {

  /** <a href="https://fetch.spec.whatwg.org/#concept-request-destination">destination</a> */
  public enum Destination {
    NONE,
    AUDIO,
    AUDIOWORKLET,
    DOCUMENT,
    EMBED,
    FONT,
    FRAME,
    IFRAME,
    IMAGE,
    JSON,
    MANIFEST,
    OBJECT,
    PAINTWORKLET,
    REPORT,
    SCRIPT,
    SERVICEWORKER,
    SHAREDWORKER,
    STYLE,
    TRACK,
    VIDEO,
    WORKER,
    XSLT;

    /**
     * Returns whether a script is requested.
     *
     * @see <a href="https://fetch.spec.whatwg.org/#request-destination-script-like">script-like</a>
     */
    public boolean isScriptLike() {
      return switch (this) {
        case AUDIOWORKLET, PAINTWORKLET, SCRIPT, SERVICEWORKER, SHAREDWORKER, WORKER -> true;
        default -> false;
      };
    }
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-request-mode">mode</a> */
  public enum Mode {
    NAVIGATE,
    SAME_ORIGIN,
    NO_CORS,
    CORS
  }

  /**
   * <a href="https://fetch.spec.whatwg.org/#concept-request-credentials-mode">credentials mode</a>
   */
  public enum Credentials {
    OMIT,
    SAME_ORIGIN,
    INCLUDE
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-request-cache-mode">cache mode</a> */
  public enum Cache {
    DEFAULT,
    NO_STORE,
    RELOAD,
    NO_CACHE,
    FORCE_CACHE,
    ONLY_IF_CACHED
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-request-redirect-mode">redirect mode</a> */
  public enum Redirect {
    FOLLOW,
    ERROR,
    MANUAL
  }

  /** <a href="https://w3c.github.io/webappsec-referrer-policy/#referrer-policy">policy</a> */
  public enum ReferrerPolicy {
    /** No referrer policy is set; a fetch then uses {@link #STRICT_ORIGIN_WHEN_CROSS_ORIGIN}. */
    DEFAULT,
    NO_REFERRER,
    NO_REFERRER_WHEN_DOWNGRADE,
    SAME_ORIGIN,
    ORIGIN,
    STRICT_ORIGIN,
    ORIGIN_WHEN_CROSS_ORIGIN,
    STRICT_ORIGIN_WHEN_CROSS_ORIGIN,
    UNSAFE_URL;
  }

  /**
   * The environment that a navigation or a new worker will have.
   *
   * @param id the environment id that its settings will have
   * @param topLevelOrigin null if the environment will itself be top-level
   * @param parentOrigin the origin of the parent document; null for top-level documents and workers
   * @param crossSiteAncestor whether the parent or the worker's creator has a cross-site ancestor
   * @see <a href="https://fetch.spec.whatwg.org/#concept-request-reserved-client">reserved
   *     client</a>
   */
  public record ReservedClient(
      String id,
      @Nullable Origin topLevelOrigin,
      @Nullable Origin parentOrigin,
      boolean crossSiteAncestor) {}

  /** The referrer that stands for the URL of the client. */
  public static final String CLIENT_REFERRER = "about:client";

  /** The values of this request, in a builder that no longer changes. */
  private final Builder values;

  private FetchRequest(Builder values) {
    this.values = values;
  }

  /** Returns the IDL value of a constant of an enum of this class. */
  static String idlValue(Enum<?> value) {
    return value == Destination.NONE || value == ReferrerPolicy.DEFAULT
        ? ""
        : value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the constant with the given IDL value. */
  static <E extends Enum<E>> E of(E[] constants, String idl) {
    for (E each : constants) {
      if (idlValue(each).equals(idl)) {
        return each;
      }
    }
    throw new IllegalArgumentException("unknown value '" + idl + "'");
  }

  /**
   * Returns a builder for a request of an absolute URL.
   *
   * @throws IllegalArgumentException if the URL cannot be parsed
   */
  public static Builder to(String url) {
    return to(UrlParser.parseAbsolute(url));
  }

  /** Returns a builder for a request of a URL. */
  public static Builder to(UrlRecord url) {
    return new Builder(url);
  }

  /** Returns a builder that starts as a copy of this request. */
  public Builder toBuilder() {
    return new Builder(values);
  }

  /** Returns the method; if script set it, in normalized form ({@code GET} for {@code get}). */
  public String method() {
    return values.method;
  }

  /** Returns the current URL as absolute text, without fragment. */
  public String url() {
    return UrlSerializer.serialize(currentUrl(), true);
  }

  /**
   * Returns the URL at which the request started, followed by the URL of each redirect.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#concept-request-url-list">URL list</a>
   */
  public List<UrlRecord> urlList() {
    return values.urlList;
  }

  /** <a href="https://fetch.spec.whatwg.org/#concept-request-current-url">current URL</a> */
  public UrlRecord currentUrl() {
    return values.urlList.getLast();
  }

  /** Returns the headers in order; names as the client spelled them. */
  public List<Map.Entry<String, String>> headers() {
    return values.headers;
  }

  /** Returns the body; null for none. */
  public @Nullable ByteSequence body() {
    return values.body;
  }

  public Destination destination() {
    return values.destination;
  }

  public Mode mode() {
    return values.mode;
  }

  public Credentials credentials() {
    return values.credentials;
  }

  public Cache cache() {
    return values.cache;
  }

  public Redirect redirect() {
    return values.redirect;
  }

  /** Returns the referrer URL; {@link #CLIENT_REFERRER} for the client's URL; empty for none. */
  public String referrer() {
    return values.referrer;
  }

  public ReferrerPolicy referrerPolicy() {
    return values.referrerPolicy;
  }

  /** Returns the integrity metadata; empty for none. */
  public String integrity() {
    return values.integrity;
  }

  public boolean keepalive() {
    return values.keepalive;
  }

  /** <a href="https://fetch.spec.whatwg.org/#unsafe-request-flag">unsafe-request flag</a> */
  public boolean unsafeRequest() {
    return values.unsafeRequest;
  }

  /**
   * Returns whether credentials in the URL are sent to a server that requires authentication.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#concept-request-use-url-credentials-flag">
   *     use-URL-credentials flag</a>
   */
  public boolean useUrlCredentials() {
    return values.useUrlCredentials;
  }

  /**
   * Returns whether the request needs a preflight if it is cross-origin, even if it is simple.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#use-cors-preflight-flag">use-CORS-preflight
   *     flag</a>
   */
  public boolean useCorsPreflight() {
    return values.useCorsPreflight;
  }

  /**
   * Returns whether the service-workers mode is "all".
   *
   * @see <a href="https://fetch.spec.whatwg.org/#request-service-workers-mode">service-workers
   *     mode</a>
   */
  public boolean serviceWorkers() {
    return values.serviceWorkers;
  }

  /** Returns the client; null if the user agent itself makes the request. */
  public @Nullable EnvironmentSettings client() {
    return values.client;
  }

  /**
   * Returns the environment that causes this request: the client, or for a navigation the
   * initiating document; null if the embedder or the user agent itself does.
   */
  public @Nullable EnvironmentSettings requester() {
    return values.client == null ? values.initiator : values.client;
  }

  /** Returns the environment that a navigation or new worker will have; null for other requests. */
  public @Nullable ReservedClient reservedClient() {
    return values.reservedClient;
  }

  /**
   * Returns the entry that the {@code blob:} URL had when it was resolved; null if the URL was not
   * resolved, or had no entry.
   *
   * @see <a href="https://url.spec.whatwg.org/#concept-url-blob-entry">blob URL entry</a>
   */
  BlobUrlStore.@Nullable Entry blobUrlEntry() {
    return values.blobUrlEntry;
  }

  /** Returns the request with any {@code blob:} URL resolved: the URL may be revoked afterwards. */
  public FetchRequest resolveBlobUrl(UserAgent userAgent) {
    if (!currentUrl().scheme().equals("blob") || values.blobUrlEntry != null) {
      return this;
    }
    Builder builder = toBuilder();
    builder.blobUrlEntry = BlobUrlStore.of(userAgent).resolve(currentUrl());
    return builder.build();
  }

  /** Returns whether this is the request of a navigation. */
  public boolean isNavigation() {
    return values.mode == Mode.NAVIGATE;
  }

  /** A builder of requests. Unset values are the standard's defaults. Not thread-safe. */
  public static final class Builder {
    private String method = "GET";
    private List<UrlRecord> urlList;
    private List<Map.Entry<String, String>> headers = List.of();
    private @Nullable ByteSequence body;
    private Destination destination = Destination.NONE;
    private Mode mode = Mode.NO_CORS;
    private Credentials credentials = Credentials.SAME_ORIGIN;
    private Cache cache = Cache.DEFAULT;
    private Redirect redirect = Redirect.FOLLOW;
    private String referrer = CLIENT_REFERRER;
    private ReferrerPolicy referrerPolicy = ReferrerPolicy.DEFAULT;
    private String integrity = "";
    private boolean keepalive;
    private boolean unsafeRequest;
    private boolean useCorsPreflight;
    private boolean useUrlCredentials;
    private boolean serviceWorkers = true;
    private @Nullable EnvironmentSettings client;
    private @Nullable EnvironmentSettings initiator;
    private @Nullable ReservedClient reservedClient;
    private BlobUrlStore.@Nullable Entry blobUrlEntry;

    private Builder(UrlRecord url) {
      this.urlList = List.of(url);
    }

    private Builder(Builder from) {
      this.method = from.method;
      this.urlList = List.copyOf(from.urlList);
      this.headers = List.copyOf(from.headers);
      this.body = from.body;
      this.destination = from.destination;
      this.mode = from.mode;
      this.credentials = from.credentials;
      this.cache = from.cache;
      this.redirect = from.redirect;
      this.referrer = from.referrer;
      this.referrerPolicy = from.referrerPolicy;
      this.integrity = from.integrity;
      this.keepalive = from.keepalive;
      this.unsafeRequest = from.unsafeRequest;
      this.useCorsPreflight = from.useCorsPreflight;
      this.useUrlCredentials = from.useUrlCredentials;
      this.serviceWorkers = from.serviceWorkers;
      this.client = from.client;
      this.initiator = from.initiator;
      this.reservedClient = from.reservedClient;
      this.blobUrlEntry = from.blobUrlEntry;
    }

    public Builder method(String value) {
      method = value;
      return this;
    }

    Builder redirectedTo(UrlRecord url) {
      List<UrlRecord> longer = new ArrayList<>(urlList);
      longer.add(url);
      urlList = longer;
      return this;
    }

    /** Removes all URLs but the current one from the URL list. */
    Builder onlyCurrentUrl() {
      urlList = List.of(urlList.getLast());
      return this;
    }

    public Builder headers(List<Map.Entry<String, String>> value) {
      headers = value;
      return this;
    }

    public Builder body(@Nullable ByteSequence value) {
      body = value;
      return this;
    }

    public Builder destination(Destination value) {
      destination = value;
      return this;
    }

    public Builder mode(Mode value) {
      mode = value;
      return this;
    }

    public Builder credentials(Credentials value) {
      credentials = value;
      return this;
    }

    public Builder cache(Cache value) {
      cache = value;
      return this;
    }

    public Builder redirect(Redirect value) {
      redirect = value;
      return this;
    }

    /** Sets the value of {@link FetchRequest#referrer()}. */
    public Builder referrer(String value) {
      referrer = value;
      return this;
    }

    public Builder referrerPolicy(ReferrerPolicy value) {
      referrerPolicy = value;
      return this;
    }

    public Builder integrity(String value) {
      integrity = value;
      return this;
    }

    public Builder keepalive(boolean value) {
      keepalive = value;
      return this;
    }

    /** Sets the value of {@link FetchRequest#unsafeRequest()}. */
    public Builder unsafeRequest(boolean value) {
      unsafeRequest = value;
      return this;
    }

    /** Sets the value of {@link FetchRequest#useUrlCredentials()}. */
    public Builder useUrlCredentials(boolean value) {
      useUrlCredentials = value;
      return this;
    }

    /** Sets the value of {@link FetchRequest#useCorsPreflight()}. */
    public Builder useCorsPreflight(boolean value) {
      useCorsPreflight = value;
      return this;
    }

    /** Sets whether service workers may intercept the request. */
    public Builder serviceWorkers(boolean value) {
      serviceWorkers = value;
      return this;
    }

    /** Sets the client; methods of {@link Fetcher} with a realm parameter set it themselves. */
    public Builder client(@Nullable EnvironmentSettings value) {
      client = value;
      return this;
    }

    /** Sets the settings of the document that initiates a navigation; null for the embedder. */
    public Builder initiator(@Nullable EnvironmentSettings value) {
      initiator = value;
      return this;
    }

    public Builder reservedClient(@Nullable ReservedClient value) {
      reservedClient = value;
      return this;
    }

    public FetchRequest build() {
      return new FetchRequest(new Builder(this));
    }
  }
}
