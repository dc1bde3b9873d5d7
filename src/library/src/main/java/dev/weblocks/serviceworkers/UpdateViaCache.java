package dev.weblocks.serviceworkers;

import java.util.Locale;

/**
 * The update via cache mode of a registration. Script can read the mode, but the mode has no
 * effect, since there is no HTTP cache.
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

  String idlValue() {
    return name().toLowerCase(Locale.ROOT);
  }
}
