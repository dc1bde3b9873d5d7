package dev.weblocks.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the engine's parts on the class path or module path. The embedder's build chooses
 * them, and a build tool may mix several. Thread-safe.
 */
public final class EngineVersions {

  /** The oldest engine that {@code scripts/test --engines} runs on. */
  static final String OLDEST = "24.2.2";

  /** The newest engine that {@code scripts/test --engines} runs on. */
  static final String NEWEST = "25.5.5.0.3";

  private static final String LANGUAGE = "js-language";

  /** A class of each part that has to have the same version as the others, by artifact. */
  private static final Map<String, String> PARTS =
      Map.of(
          "polyglot",
          "org/graalvm/polyglot/Context.class",
          "truffle-api",
          "com/oracle/truffle/api/TruffleLanguage.class",
          LANGUAGE,
          "com/oracle/truffle/js/lang/JavaScriptLanguage.class",
          "regex",
          "com/oracle/truffle/regex/RegexLanguage.class",
          "truffle-runtime",
          "com/oracle/truffle/runtime/OptimizedTruffleRuntime.class");

  private EngineVersions() {}

  /** Holds the result, which is constant in each JVM. */
  private static final class Once {
    static final @Nullable String PROBLEM = problem();

    private static @Nullable String problem() {
      boolean image = System.getProperty("org.graalvm.nativeimage.imagecode") != null;
      if (image || Boolean.getBoolean("polyglotimpl.DisableVersionChecks")) {
        return null; // an image has no class files; the property is the engine's own
      }
      return EngineVersions.problem(find(), version());
    }
  }

  /**
   * Checks that the language is there, that all parts have one version, and that it is not too old.
   *
   * @throws IllegalStateException otherwise; its message names the versions and a remedy
   */
  public static void require() {
    String problem = Once.PROBLEM;
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  /** Returns the version of the engine; null if it does not state one. */
  public static @Nullable String version() {
    try (InputStream in =
        EngineVersions.class
            .getClassLoader()
            .getResourceAsStream("META-INF/graalvm/org.graalvm.truffle/version")) {
      return in == null
          ? null
          : new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)).readLine();
    } catch (IOException unreadable) {
      return null;
    }
  }

  /** Returns whether the engine is the one that the library was built and tested with. */
  public static boolean isOfBuild() {
    return EngineClasses.versionOfBuild().equals(version());
  }

  /**
   * Returns the version of each part that is there. It is empty if the part states none, as in a
   * jar that a build tool has merged from several, and in an image of jlink.
   */
  static Map<String, String> find() {
    Map<String, String> versions = new TreeMap<>();
    PARTS.forEach((part, file) -> {
      URL url = locate(file);
      if (url != null) {
        versions.put(part, Objects.requireNonNullElse(versionOfJar(url, part), ""));
      }
    });
    return versions;
  }

  /** Looks where the engine looks for languages. */
  private static @Nullable URL locate(String file) {
    return Stream.of(
            EngineVersions.class.getClassLoader(),
            ClassLoader.getSystemClassLoader(),
            Thread.currentThread().getContextClassLoader())
        .filter(Objects::nonNull)
        .map(loader -> loader.getResource(file))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String versionOfJar(URL url, String part) {
    try {
      if (url.openConnection() instanceof JarURLConnection connection) {
        connection.setUseCaches(false); // the jar is closed below
        try (JarFile jar = connection.getJarFile()) {
          Manifest manifest = jar.getManifest();
          Attributes attributes =
              manifest == null ? new Attributes() : manifest.getMainAttributes();
          // a merged jar may have the manifest of any of its parts
          return part.equals(attributes.getValue("Name"))
              ? attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION)
              : null;
        }
      }
    } catch (IOException unreadable) {
      // the engine's own check remains
    }
    return null;
  }

  /**
   * Returns what is wrong with the versions, in one sentence; null if nothing is.
   *
   * @param parts the version of each part that is there; empty for an unknown one
   * @param engine the version of the engine as a whole; null for an unknown one
   */
  static @Nullable String problem(Map<String, String> parts, @Nullable String engine) {
    SortedMap<String, List<String>> byVersion = new TreeMap<>(EngineVersions::compare);
    parts.forEach((part, version) -> {
      if (!version.isEmpty()) {
        byVersion.computeIfAbsent(version, v -> new ArrayList<>()).add(part);
      }
    });
    String newest = byVersion.isEmpty() ? engine : byVersion.lastKey();
    if (!parts.containsKey(LANGUAGE)) {
      return "the JavaScript language of GraalJS is missing: add"
          + " org.graalvm.polyglot:js-community, of type pom and of version "
          + Objects.requireNonNullElse(newest, NEWEST)
          + ", to the dependencies of your build";
    }
    if (byVersion.size() > 1) {
      List<String> found = new ArrayList<>();
      byVersion.forEach((version, names) -> found.add(String.join(", ", names) + " " + version));
      return "the parts of GraalJS have different versions ("
          + String.join("; ", found)
          + "): name org.graalvm.polyglot:polyglot and org.graalvm.polyglot:js-community in one"
          + " version, such as "
          + newest
          + ", in the dependencies of your build";
    }
    if (newest != null && compare(newest, OLDEST) < 0) {
      return "GraalJS "
          + newest
          + " is too old: name org.graalvm.polyglot:polyglot and org.graalvm.polyglot:js-community"
          + " in a version from "
          + OLDEST
          + " to "
          + NEWEST
          + " in the dependencies of your build";
    }
    return null;
  }

  /** Logs a warning about the engine, with its version if that was not tested. */
  public static void warn(String message) {
    try {
      System.getLogger("dev.weblocks").log(System.Logger.Level.WARNING, message + untested());
    } catch (RuntimeException failure) {
      // a logger of the embedder
    }
  }

  /** Returns a clause about an engine outside the tested range; empty for one inside. */
  public static String untested() {
    String version = version();
    return version != null && compare(version, OLDEST) >= 0 && compare(version, NEWEST) <= 0
        ? ""
        : "; GraalJS "
            + (version == null ? "of an unknown version" : version)
            + " was not tested, "
            + OLDEST
            + " to "
            + NEWEST
            + " were";
  }

  /** Compares two versions by their numbers; a suffix such as {@code -dev} does not count. */
  static int compare(String one, String other) {
    return Arrays.compare(numbers(one), numbers(other));
  }

  private static int[] numbers(String version) {
    return Arrays.stream(version.split("[^0-9.]", 2)[0].split("[.]"))
        .filter(number -> !number.isEmpty())
        .mapToInt(Integer::parseInt)
        .toArray();
  }
}
