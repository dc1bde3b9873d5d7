package dev.weblocks.embed;

import java.util.List;

/** A group of globals that an {@link Installation} can install. A name may be in several groups. */
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
  /**
   * {@code self} with its event methods and handlers, {@code origin}, {@code isSecureContext} and
   * {@code crossOriginIsolated}.
   */
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
  /**
   * Locks, and abort signals for their requests; {@code locks} is added to a {@code navigator} that
   * the context already has.
   */
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
  /** Text encoding and decoding, base64. */
  ENCODING("TextEncoder", "TextDecoder", "atob", "btoa"),
  /** Blobs and files. */
  FILES("Blob", "File", "FileReader", "ProgressEvent"),
  /** Random values. */
  CRYPTO("crypto", "Crypto"),
  /** High-resolution time: the {@code performance} object. */
  PERFORMANCE("performance", "Performance"),
  /**
   * The console. A context of GraalJS has one by default, which writes to the output stream of the
   * context. It is kept unless {@link Installation.Builder#replace} names it; the {@link
   * dev.weblocks.model.ConsoleListener} gets nothing of it.
   */
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
  /** {@code fetch()} and its interfaces; installed only if the user agent has a resource loader. */
  FETCH("fetch", "Headers", "Request", "Response", "FormData"),
  /** Dedicated workers; installed only if the user agent has a resource loader. */
  WORKERS("Worker");

  private final List<String> names;

  Globals(String... names) {
    this.names = List.of(names);
  }

  /**
   * Returns the globals of the group; properties of {@code navigator} as {@code navigator.name}.
   */
  public List<String> names() {
    return names;
  }

  static boolean needsResourceLoader(String name) {
    return FETCH.names.contains(name) || WORKERS.names.contains(name);
  }
}
