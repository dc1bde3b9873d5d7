package dev.weblocks.embed;

import dev.weblocks.agent.Origin;
import dev.weblocks.locks.HostLockClient;
import dev.weblocks.storage.Bucket;
import dev.weblocks.storage.Site;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import org.jspecify.annotations.Nullable;

/** A factory of lock clients. The options of a client select its lock manager. */
final class LockClients {

  private LockClients() {}

  static LockClient open(dev.weblocks.agent.UserAgent userAgent, LockClientOptions options) {
    Origin.Tuple origin = origin("origin", options.origin);
    Origin.Tuple topLevel = origin("topLevelOrigin", options.topLevelOrigin);
    Site site = Site.obtain(topLevel);
    StorageKey key = new StorageKey(origin, site, !site.equals(Site.obtain(origin)));
    if (userAgent.isClosed()) {
      throw new IllegalStateException("the user agent is closed; make another one");
    }
    return new LockClient(
        userAgent,
        new HostLockClient(
            userAgent,
            bucket(userAgent, key, options.bucket),
            origin.serialize(),
            options.name,
            options.executor));
  }

  private static Bucket bucket(
      dev.weblocks.agent.UserAgent userAgent, StorageKey key, @Nullable String name) {
    if (name == null) {
      return Bucket.defaultOf(userAgent, key);
    }
    if (!Bucket.isValidName(name)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not the name of a bucket: use 1 to 64 lower-case letters, digits, '_' and"
              + " '-', beginning with a letter or digit");
    }
    return Bucket.open(userAgent, key, name);
  }

  private static Origin.Tuple origin(String what, String text) {
    Origin.Tuple origin = tupleOrigin(text);
    if (origin == null) {
      throw new IllegalArgumentException(
          what
              + " '"
              + text
              + "' is not an origin that has locks; use one as location.origin shows it, such as"
              + " https://shop.test");
    }
    if (!origin.isPotentiallyTrustworthy()) {
      throw new IllegalArgumentException(
          what
              + " '"
              + text
              + "': scripts there have no locks, as it is no secure context; use https, or an"
              + " origin of this machine, such as http://localhost");
    }
    return origin;
  }

  /** Parses an origin as {@code location.origin} shows it; null if the text is not an origin. */
  static Origin.@Nullable Tuple tupleOrigin(String text) {
    UrlRecord url = UrlParser.parse(text);
    Origin.Tuple origin = url == null ? null : url.tupleOrigin();
    boolean isExact = url != null && origin != null && url.href().equals(origin.serialize() + "/");
    return isExact ? origin : null;
  }
}
