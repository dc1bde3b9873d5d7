package dev.weblocks.serviceworkers;

import java.util.Locale;

/**
 * The state of a service worker.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#dfn-state">state</a>
 */
enum ServiceWorkerState {
  PARSED,
  INSTALLING,
  INSTALLED,
  ACTIVATING,
  ACTIVATED,
  REDUNDANT;

  String idlValue() {
    return name().toLowerCase(Locale.ROOT);
  }
}
