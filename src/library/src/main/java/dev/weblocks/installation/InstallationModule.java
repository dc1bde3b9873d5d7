package dev.weblocks.installation;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The module of this package's interface; also selects the interfaces an installation exposes. */
public final class InstallationModule implements PlatformModule {

  static final String GLOBAL_NAME = "Installation";

  /** The prefix of a global name, as in {@code [Exposed]}, that stands for one requested member. */
  private static final String WANTED = "+";

  /** The interfaces that are always exposed: those of events, errors and the global itself. */
  private static final Set<String> ALWAYS =
      Set.of(
          """
          AbortController AbortSignal DOMException ErrorEvent Event EventTarget
          InstalledGlobalScope PromiseRejectionEvent
          """
              .split("\\s+"));

  private static final List<String> MESSAGES =
      List.of("MessageEvent", "MessagePort", "MessageChannel");
  private static final List<String> STORAGE = List.of("Storage", "StorageEvent");
  private static final List<String> NAVIGATOR =
      List.of(
          "WorkerNavigator",
          "LockManager",
          "Lock",
          "ReleasableLock",
          "StorageManager",
          "StorageBucket",
          "StorageBucketManager");
  private static final List<String> FILES =
      List.of("Blob", "File", "FileReader", "ProgressEvent", "Event");
  private static final List<String> FETCH =
      List.of("Request", "Response", "Headers", "FormData", "Blob", "File", "URLSearchParams");

  private static final Map<String, List<String>> COMES_WITH =
      Map.ofEntries(
          Map.entry("structuredClone", MESSAGES),
          Map.entry("MessageChannel", MESSAGES),
          Map.entry("MessagePort", MESSAGES),
          Map.entry("MessageEvent", MESSAGES),
          Map.entry("BroadcastChannel", MESSAGES),
          Map.entry("Worker", MESSAGES),
          Map.entry("localStorage", STORAGE),
          Map.entry("sessionStorage", STORAGE),
          Map.entry("StorageEvent", STORAGE),
          Map.entry("navigator", NAVIGATOR),
          Map.entry("navigator.locks", NAVIGATOR),
          Map.entry("navigator.storage", NAVIGATOR),
          Map.entry("navigator.storageBuckets", NAVIGATOR),
          Map.entry("StorageBucket", NAVIGATOR),
          Map.entry("StorageBucketManager", NAVIGATOR),
          Map.entry("LockManager", NAVIGATOR),
          Map.entry("crypto", List.of("Crypto")),
          Map.entry("performance", List.of("Performance")),
          Map.entry("URL", List.of("URLSearchParams")),
          Map.entry("File", FILES),
          Map.entry("FileReader", FILES),
          Map.entry("fetch", FETCH),
          Map.entry("Request", FETCH),
          Map.entry("Response", FETCH),
          Map.entry("FormData", FETCH));

  /** Returns the global names of an installation with the requested members. */
  static Set<String> globalNames(Collection<String> wanted) {
    Set<String> names = new HashSet<>(Set.of("Worker", GLOBAL_NAME));
    wanted.forEach(name -> names.add(WANTED + name));
    return names;
  }

  @Override
  public void define(Implementations implementations) {
    InstalledGlobalScope.define(implementations);
  }

  /**
   * The global names that {@code [Exposed]} is matched against in an installation; with {@code
   * Window} among them, members that only windows have are exposed too.
   */
  private static final Set<String> EXPOSED_AS =
      Set.of("Window", "Worker", "DedicatedWorker", GLOBAL_NAME);

  @Override
  public @Nullable Exposed exposedIn(Set<String> globalNames) {
    if (!globalNames.contains(GLOBAL_NAME)) {
      return null;
    }
    Set<String> interfaces = new HashSet<>(ALWAYS);
    for (String each : globalNames) {
      if (each.startsWith(WANTED)) {
        String wanted = each.substring(WANTED.length());
        interfaces.add(wanted);
        interfaces.addAll(COMES_WITH.getOrDefault(wanted, List.of()));
      }
    }
    return new Exposed(interfaces, EXPOSED_AS);
  }
}
