package dev.weblocks.harness.wpt;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The kinds of tests, by their source and the scope that they run in. They follow WPT's manifest
 * and server at the pinned revision.
 */
public enum TestKind {
  ANY_WINDOW("window", ".any.html"),
  ANY_WINDOW_MODULE("window-module", ".any.window-module.html"),
  ANY_WORKER("dedicatedworker", ".any.worker.html"),
  ANY_WORKER_MODULE("dedicatedworker-module", ".any.worker-module.html"),
  ANY_SHARED_WORKER("sharedworker", ".any.sharedworker.html"),
  ANY_SHARED_WORKER_MODULE("sharedworker-module", ".any.sharedworker-module.html"),
  ANY_SERVICE_WORKER("serviceworker", ".any.serviceworker.html"),
  ANY_SERVICE_WORKER_MODULE("serviceworker-module", ".any.serviceworker-module.html"),
  ANY_SHADOW_REALM_IN_WINDOW("shadowrealm-in-window", ".any.shadowrealm-in-window.html"),
  ANY_SHADOW_REALM_IN_SHADOW_REALM(
      "shadowrealm-in-shadowrealm", ".any.shadowrealm-in-shadowrealm.html"),
  ANY_SHADOW_REALM_IN_WORKER(
      "shadowrealm-in-dedicatedworker", ".any.shadowrealm-in-dedicatedworker.html"),
  ANY_SHADOW_REALM_IN_SHARED_WORKER(
      "shadowrealm-in-sharedworker", ".any.shadowrealm-in-sharedworker.html"),
  ANY_SHADOW_REALM_IN_SERVICE_WORKER(
      "shadowrealm-in-serviceworker", ".https.any.shadowrealm-in-serviceworker.html"),
  ANY_SHADOW_REALM_IN_AUDIO_WORKLET(
      "shadowrealm-in-audioworklet", ".https.any.shadowrealm-in-audioworklet.html"),
  /** A {@code .window.js} file. */
  WINDOW_SCRIPT("window script", ".window.html"),
  /** A {@code .worker.js} file. */
  WORKER_SCRIPT("worker script", ".worker.html"),
  /** A page that loads {@code testharness.js} itself. */
  PAGE("page", ""),
  /** A page that passes by not crashing. */
  CRASHTEST("crashtest", ""),
  REFTEST("reftest", ""),
  PRINT_REFTEST("print reftest", ""),
  MANUAL("manual test", ""),
  VISUAL("visual test", ""),
  /** A file or directory that cannot be read, whatever tests it contains. */
  UNREADABLE("unreadable file", "");

  /** The kinds that this version runs. Tests of other kinds are listed with a reason. */
  private static final Set<TestKind> SUPPORTED =
      EnumSet.of(
          ANY_WINDOW,
          ANY_WINDOW_MODULE,
          ANY_WORKER,
          ANY_WORKER_MODULE,
          ANY_SHARED_WORKER,
          ANY_SHARED_WORKER_MODULE,
          ANY_SERVICE_WORKER,
          ANY_SERVICE_WORKER_MODULE,
          WINDOW_SCRIPT,
          WORKER_SCRIPT,
          PAGE,
          CRASHTEST);

  /** The scopes of a {@code .any.js} file without {@code META: global=}. */
  private static final Set<TestKind> DEFAULT_GLOBALS = EnumSet.of(ANY_WINDOW, ANY_WORKER);

  /** Keywords of {@code META: global=} that stand for other keywords. */
  private static final Map<String, List<String>> GLOBAL_GROUPS =
      Map.of(
          "worker",
          List.of("dedicatedworker", "sharedworker", "serviceworker"),
          "worker-module",
          List.of("dedicatedworker-module"),
          "shadowrealm",
          List.of(
              "shadowrealm-in-window",
              "shadowrealm-in-shadowrealm",
              "shadowrealm-in-dedicatedworker",
              "shadowrealm-in-sharedworker",
              "shadowrealm-in-serviceworker",
              "shadowrealm-in-audioworklet"));

  private final String label;
  private final String suffix;

  TestKind(String label, String suffix) {
    this.label = label;
    this.suffix = suffix;
  }

  /** Returns the display name; for a scope of {@code .any.js} files, the keyword of META lines. */
  public String label() {
    return label;
  }

  /** Returns the suffix that the test's URL has instead of the source's; empty for pages. */
  String suffix() {
    return suffix;
  }

  boolean isAny() {
    return suffix.contains(".any.");
  }

  /** Returns the status that a successful test of this kind has as a whole. */
  public HarnessStatus success() {
    return this == CRASHTEST ? HarnessStatus.PASS : HarnessStatus.OK;
  }

  /** Returns the reason why tests of this kind cannot run; empty if they can. */
  public Optional<String> notSupportedReason() {
    if (SUPPORTED.contains(this)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (this) {
          case REFTEST, PRINT_REFTEST, VISUAL -> label + "s need rendering";
          case MANUAL -> label + "s need a person";
          default ->
              label.startsWith("shadowrealm")
                  ? "there are no shadow realms"
                  : "tests of kind '" + label + "' are not run yet";
        });
  }

  /**
   * Returns the scopes of a {@code META: global=} value; an empty value means the default. {@code
   * jsshell} and unknown keywords add nothing, as in WPT's manifest for browsers.
   */
  static Set<TestKind> parseGlobals(String value) {
    if (value.isEmpty()) {
      return EnumSet.copyOf(DEFAULT_GLOBALS);
    }
    Set<TestKind> kinds = EnumSet.noneOf(TestKind.class);
    for (String item : value.split(",", -1)) {
      String keyword = item.strip();
      List<String> labels = GLOBAL_GROUPS.getOrDefault(keyword, List.of(keyword));
      for (TestKind kind : values()) {
        if (kind.isAny() && labels.contains(kind.label)) {
          kinds.add(kind);
        }
      }
    }
    return kinds;
  }
}
