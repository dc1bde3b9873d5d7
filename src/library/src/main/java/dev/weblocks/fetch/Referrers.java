package dev.weblocks.fetch;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.fetch.FetchRequest.ReferrerPolicy;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The algorithms that determine the referrer of a request.
 *
 * @see <a href="https://w3c.github.io/webappsec-referrer-policy/">Referrer Policy</a>
 */
final class Referrers {

  private static final int MAX_LENGTH = 4096;

  private Referrers() {}

  /**
   * Returns the URL that a request sends as its referrer; empty for none.
   *
   * @see <a
   *     href="https://w3c.github.io/webappsec-referrer-policy/#determine-requests-referrer">determine
   *     request's referrer</a>
   */
  static String determine(FetchRequest request, ReferrerPolicy policy) {
    UrlRecord source = source(request); // 3
    String full = source == null ? "" : strip(source); // 4
    if (source == null || full.isEmpty()) {
      return "";
    }
    Origin.Tuple sourceOrigin = source.tupleOrigin();
    String origin = sourceOrigin == null ? "" : sourceOrigin.serialize() + "/"; // 5
    if (full.length() > MAX_LENGTH) { // 6
      full = origin;
    }
    Origin.Tuple target = request.currentUrl().tupleOrigin();
    boolean sameOrigin = sourceOrigin != null && Objects.equals(sourceOrigin, target);
    boolean downgrade = isTrustworthy(sourceOrigin) && !isTrustworthy(target);
    return switch (policy) { // 8
      case NO_REFERRER -> "";
      case ORIGIN -> origin;
      case UNSAFE_URL -> full;
      case STRICT_ORIGIN -> downgrade ? "" : origin;
      case DEFAULT, STRICT_ORIGIN_WHEN_CROSS_ORIGIN -> sameOrigin ? full : downgrade ? "" : origin;
      case SAME_ORIGIN -> sameOrigin ? full : "";
      case ORIGIN_WHEN_CROSS_ORIGIN -> sameOrigin ? full : origin;
      case NO_REFERRER_WHEN_DOWNGRADE -> downgrade ? "" : full;
    };
  }

  private static boolean isTrustworthy(Origin.@Nullable Tuple origin) {
    return origin != null && origin.isPotentiallyTrustworthy();
  }

  private static @Nullable UrlRecord source(FetchRequest request) {
    if (!request.referrer().equals(FetchRequest.CLIENT_REFERRER)) {
      return UrlParser.parse(request.referrer());
    }
    EnvironmentSettings client = request.client();
    return client == null || !(client.origin() instanceof Origin.Tuple)
        ? null
        : UrlParser.parse(client.creationUrl());
  }

  /**
   * Returns a URL without the parts that a referrer omits; empty for a local scheme.
   *
   * @see <a href="https://w3c.github.io/webappsec-referrer-policy/#strip-url">strip url for use as
   *     a referrer</a>
   */
  private static String strip(UrlRecord url) {
    return switch (url.scheme()) {
      case "about", "blob", "data" -> ""; // local schemes
      default ->
          new UrlRecord(url.scheme(), "", "", url.host(), url.port(), url.path(), url.query(), null)
              .href();
    };
  }

  /**
   * Returns the referrer policy that the headers of a redirect set; null for none.
   *
   * @see <a
   *     href="https://w3c.github.io/webappsec-referrer-policy/#parse-referrer-policy-from-header">parse
   *     a referrer policy from a Referrer-Policy header</a>
   */
  static @Nullable ReferrerPolicy parsePolicy(HeaderList headers) {
    List<String> tokens = headers.getDecodeAndSplit("Referrer-Policy"); // 1
    ReferrerPolicy policy = null; // 2
    if (tokens != null) {
      for (String token : tokens) { // 3
        for (ReferrerPolicy each : ReferrerPolicy.values()) {
          if (each != ReferrerPolicy.DEFAULT
              && FetchRequest.idlValue(each).equalsIgnoreCase(token)) {
            policy = each;
          }
        }
      }
    }
    return policy; // 4
  }
}
