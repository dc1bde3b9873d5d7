package dev.weblocks.storage;

import dev.weblocks.agent.Origin;
import dev.weblocks.url.PublicSuffixes;

/**
 * A site: a group of origins that are assumed to have one owner.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/browsers.html#sites">HTML</a>
 */
public sealed interface Site {

  /**
   * Returns the site of an origin.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site">obtain a
   *     site</a>
   */
  static Site obtain(Origin origin) {
    return switch (origin) {
      // 1.
      case Origin.Opaque opaque -> new OpaqueOrigin(opaque);
      case Origin.Tuple tuple -> {
        String registrable = PublicSuffixes.registrableDomain(tuple.host());
        // 2. and 3.
        yield new SchemeAndHost(tuple.scheme(), registrable == null ? tuple.host() : registrable);
      }
    };
  }

  /** Returns a text that is equal for equal sites only. */
  String serialize();

  /**
   * A scheme-and-host: all ports, and all hosts of one registrable domain.
   *
   * @param host a registrable domain, or a host that has none: an IP address, a public suffix
   * @see <a href="https://html.spec.whatwg.org/multipage/browsers.html#scheme-and-host">HTML</a>
   */
  record SchemeAndHost(String scheme, String host) implements Site {
    @Override
    public String serialize() {
      return scheme + "://" + host;
    }
  }

  /** An opaque origin, which is a site by itself. */
  record OpaqueOrigin(Origin.Opaque origin) implements Site {
    @Override
    public String serialize() {
      return "opaque:" + origin.id();
    }
  }
}
