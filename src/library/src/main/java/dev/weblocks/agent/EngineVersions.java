package dev.weblocks.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.graalvm.polyglot.Engine;
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

  private static final String LANGUAGES =
      "META-INF/services/com.oracle.truffle.api.provider.TruffleLanguageProvider";

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
      Map<String, String> parts = find();
      String problem = EngineVersions.problem(parts, version());
      // an own jar of the language, which states its version, is not worth a look at the services
      return problem == null && "".equals(parts.get(LANGUAGE)) ? problemOfMergedJar() : problem;
    }
  }

  /**
   * Checks that the language is there, that all parts have one version, that it is not too old, and
   * that a jar which was merged from several is complete.
   *
   * @throws IllegalStateException otherwise; its message names the versions and a remedy
   */
  public static void require() {
    requireOneLoader();
    String problem = Once.PROBLEM;
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  /** Checks that the engine finds the language that this library sees. */
  private static void requireOneLoader() {
    ClassLoader own = EngineVersions.class.getClassLoader();
    String file = Objects.requireNonNull(PARTS.get(LANGUAGE));
    if (own != Engine.class.getClassLoader()
        && locate(file) == null
        && own.getResource(file) != null) {
      throw new IllegalStateException(
          "the engine, which was loaded apart from its JavaScript language, does not find it: set"
              + " the context class loader of this thread to one that has both, or put them into"
              + " one class loader");
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
    return loaders()
        .map(loader -> loader.getResource(file))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Stream<ClassLoader> loaders() {
    return Stream.of(
            Engine.class.getClassLoader(),
            ClassLoader.getSystemClassLoader(),
            Thread.currentThread().getContextClassLoader())
        .filter(Objects::nonNull)
        .distinct();
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

  /** Returns what is wrong with a jar that a build tool has merged; null if there is none. */
  private static @Nullable String problemOfMergedJar() {
    URL url = locate(Objects.requireNonNull(PARTS.get(LANGUAGE)));
    try {
      if (url != null && url.openConnection() instanceof JarURLConnection connection) {
        connection.setUseCaches(false); // the jar is closed below
        try (JarFile jar = connection.getJarFile()) {
          return problem(jar, languages());
        }
      }
    } catch (IOException unreadable) {
      // the engine's own check remains
    }
    return null;
  }

  /** Returns the classes of languages that the engine finds, as service files list them. */
  private static String languages() throws IOException {
    StringBuilder all = new StringBuilder();
    for (ClassLoader loader : loaders().toList()) {
      for (URL file : Collections.list(loader.getResources(LANGUAGES))) {
        try (InputStream in = file.openStream()) {
          all.append(new String(in.readAllBytes(), StandardCharsets.US_ASCII)).append('\n');
        }
      }
    }
    return all.toString();
  }

  /**
   * Returns what a build tool left out when it merged jars, in one sentence; null for nothing.
   *
   * @param jar contains the language
   * @param languages the classes of languages that the engine finds
   */
  static @Nullable String problem(JarFile jar, String languages) {
    String name = Path.of(jar.getName()).getFileName().toString();
    if (!languages.contains("JavaScriptLanguageProvider")
        || !languages.contains("RegexLanguageProvider")) {
      return name
          + " was merged from jars without their files in META-INF/services, so GraalJS does not"
          + " find "
          + (languages.contains("JavaScriptLanguageProvider") ? "its part regex" : "JavaScript")
          + ": let the build merge them, with the ServicesResourceTransformer of maven-shade or"
          + " mergeServiceFiles() of Gradle Shadow";
    }
    boolean needsRelease =
        !jar.isMultiRelease()
            && jar.stream()
                .anyMatch(entry ->
                    entry.getName().matches("META-INF/versions/\\d+/com/oracle/truffle/.+"));
    return needsRelease
        ? name
            + " was merged from jars without 'Multi-Release: true' in its manifest, so GraalJS does"
            + " not start: let the build add that line, with the ManifestResourceTransformer of"
            + " maven-shade or the manifest of Gradle Shadow"
        : null;
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
