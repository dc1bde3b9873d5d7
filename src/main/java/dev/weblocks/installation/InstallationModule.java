package dev.weblocks.installation;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The interface of this package, and what there is of others beside it. */
public final class InstallationModule implements PlatformModule {

  /** The global name of an embedder's global. */
  static final String GLOBAL_NAME = "Installation";

  private static final Set<String> INTERFACES =
      Set.of(
          "AbortController",
          "AbortSignal",
          "Blob",
          "BroadcastChannel",
          "Crypto",
          "CustomEvent",
          "DOMException",
          "ErrorEvent",
          "Event",
          "EventTarget",
          "File",
          "FileReader",
          "FormData",
          "Headers",
          "InstalledGlobalScope",
          "Lock",
          "LockManager",
          "MessageChannel",
          "MessageEvent",
          "MessagePort",
          "Performance",
          "ProgressEvent",
          "PromiseRejectionEvent",
          "Request",
          "Response",
          "Storage",
          "StorageBucket",
          "StorageBucketManager",
          "StorageEvent",
          "StorageManager",
          "TextDecoder",
          "TextEncoder",
          "URL",
          "URLSearchParams",
          "Worker",
          "WorkerNavigator");

  @Override
  public String idlResource() {
    return "installation.idl";
  }

  @Override
  public void define(Implementations implementations) {
    InstalledGlobalScope.define(implementations);
  }

  /** What only windows have, the embedder's global may have as well. */
  private static final Exposed EXPOSED =
      new Exposed(INTERFACES, Set.of("Window", "Worker", "DedicatedWorker", GLOBAL_NAME));

  @Override
  public @Nullable Exposed exposedIn(Set<String> globalNames) {
    return globalNames.contains(GLOBAL_NAME) ? EXPOSED : null;
  }
}
