package dev.weblocks.serviceworkers;

import java.util.Locale;

/**
 * The update via cache mode of a registration. There is no cache to go round, so it is kept and
 * shown, and makes no other difference.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-update-via-cache">update via cache
 *     mode</a>
 */
enum UpdateViaCache {
  IMPORTS,
  ALL,
  NONE;

  static UpdateViaCache fromIdl(String value) {
    return valueOf(value.toUpperCase(Locale.ROOT));
  }

  /** As script sees it. */
  String idlValue() {
    return name().toLowerCase(Locale.ROOT);
  }
}
