package dev.weblocks.embed;

import java.util.List;

/** Groups of globals that an {@link Installation} brings. A name may be in several groups. */
public enum Globals {
  /** Timers and {@code queueMicrotask}. */
  TIMERS("setTimeout", "clearTimeout", "setInterval", "clearInterval", "queueMicrotask"),
  /** Events, and {@code reportError}. */
  EVENTS(
      "Event",
      "EventTarget",
      "CustomEvent",
      "ErrorEvent",
      "PromiseRejectionEvent",
      "DOMException",
      "reportError"),
  /** What makes the global object an event target, and tells of the environment. */
  GLOBAL(
      "self",
      "addEventListener",
      "removeEventListener",
      "dispatchEvent",
      "onerror",
      "onunhandledrejection",
      "origin",
      "isSecureContext",
      "crossOriginIsolated"),
  /** Abort controllers and signals. */
  ABORT("AbortController", "AbortSignal", "DOMException"),
  /** Locks, with what aborts their requests; where the context has a navigator, that gets them. */
  LOCKS(
      "navigator",
      "navigator.locks",
      "LockManager",
      "Lock",
      "AbortController",
      "AbortSignal",
      "DOMException"),
  /** Message channels, broadcast channels and {@code structuredClone}. */
  MESSAGING("MessageChannel", "MessagePort", "MessageEvent", "BroadcastChannel", "structuredClone"),
  /** URLs. */
  URLS("URL", "URLSearchParams"),
  /** Text to bytes and back, base64. */
  ENCODING("TextEncoder", "TextDecoder", "atob", "btoa"),
  /** Blobs and files. */
  FILES("Blob", "File", "FileReader", "ProgressEvent"),
  /** Random values. */
  CRYPTO("crypto", "Crypto"),
  /** The clock of scripts. */
  PERFORMANCE("performance", "Performance"),
  /** The console; GraalJS has one of its own unless the context was made without. */
  CONSOLE("console"),
  /** Web storage and the storage manager. */
  STORAGE(
      "localStorage",
      "sessionStorage",
      "Storage",
      "StorageEvent",
      "onstorage",
      "navigator",
      "navigator.storage",
      "navigator.storageBuckets",
      "StorageManager",
      "StorageBucket",
      "StorageBucketManager"),
  /** Requests; only where the user agent has a resource loader. */
  FETCH("fetch", "Headers", "Request", "Response", "FormData"),
  /** Dedicated workers; only where the user agent has a resource loader. */
  WORKERS("Worker");

  private final List<String> names;

  Globals(String... names) {
    this.names = List.of(names);
  }

  /** The globals of the group; of {@code navigator} behind a dot. */
  public List<String> names() {
    return names;
  }

  boolean needsResourceLoader() {
    return this == FETCH || this == WORKERS;
  }
}
