package dev.weblocks.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes with an initializer that script can reach: those of the engine, of this library and
 * of its libraries, and of the JDK.
 *
 * <p>The build writes the list for the engine that it uses. For any other engine the jars are read
 * at the first start, and the result is kept in the user's cache folder: {@code XDG_CACHE_HOME} or
 * {@code ~/.cache}. The classes of the JDK are those that a training run has initialized ({@code
 * jdk-classes.txt}); reading all of it would give three times as many.
 */
final class EngineClasses {

  static final String LIST = "engine-classes.txt";

  static final String OF_JDK = "jdk-classes.txt";

  /** A class of each jar of the engine. */
  private static final List<String> ENGINE =
      List.of(
          "com/oracle/truffle/js/lang/JavaScriptLanguage.class",
          "com/oracle/truffle/api/TruffleLanguage.class",
          "com/oracle/truffle/regex/RegexLanguage.class",
          "org/graalvm/polyglot/Context.class",
          "org/graalvm/collections/EconomicMap.class",
          "org/graalvm/shadowed/com/ibm/icu/util/VersionInfo.class");

  /** A class of each other jar. */
  private static final List<String> OTHERS =
      List.of("dev/weblocks/agent/EngineClasses.class", "org/jsoup/Jsoup.class");

  private static final Pattern OF_ENGINE = Pattern.compile("(com[.]oracle|org[.]graalvm)[.].*");

  /** A merged jar contains classes of the embedder too. */
  private static final Pattern OURS = Pattern.compile("(dev[.]weblocks|org[.]jsoup)[.].*");

  private static final String ICU = "org[.]graalvm[.]shadowed[.]com[.]ibm[.]icu[.]";

  /** The classes that script cannot reach, with the reasons. */
  static final List<String> UNREACHABLE =
      List.of(
          // debuggers, and interpreters of other languages
          "com[.]oracle[.]truffle[.]api[.](debug|bytecode|staticobject)[.].*",
          // needs an export of the JDK; the engine initializes it at its start where it has it
          "com[.]oracle[.]truffle[.]polyglot[.]JDKSupport.*",
          // regular expressions of other languages
          "com[.]oracle[.]truffle[.]regex[.]flavor[.](python|ruby|java|oracledb)[.].*",
          "com[.]oracle[.]truffle[.]js[.]builtins[.]testing[.].*",
          // another edition; from 25.1 on the jars have them without classes that they need
          "com[.]oracle[.]truffle[.](polyglot[.]isolate|api[.]object[.](Keys|MyDynamicObject)).*",
          // an option is off, and an assertion of the initializer requires it
          "com[.]oracle[.]truffle[.].*[.]DebugCounter[$]DebugCounterImpl",
          // an option is off
          "com[.]oracle[.]truffle[.]js[.]builtins[.]commonjs[.].*",
          // the library does not bring the language
          "com[.]oracle[.]truffle[.]js[.](builtins|nodes)[.]wasm[.].*",
          // Java converts
          ICU + "charset[.].*",
          // not in ECMA-402, and a tenth of the time
          ICU + "(impl[.](data|duration|personname)|message2)[.].*",
          ICU + "text[.](AlphabeticIndex|ArabicShaping|Bidi|Charset|PersonName|SearchIterator).*",
          ICU + "text[.](.*Transliterat|SCSU|SourceTarget|SpoofChecker|StringSearch).*",
          ICU + "util[.](.*Holiday|VTimeZone).*",
          // downloads, which the library does not use; one sets the Authenticator of the JVM
          "org[.]jsoup[.]helper[.](AuthenticationHandler|CookieUtil|HttpConnection).*",
          "org[.]jsoup[.]helper[.](Request|UrlConnection).*",
          // domain names, which this library converts
          ICU + "(text[.](IDNA|StringPrep)|impl[.](IDNA2003|UTS46|StringPrep|CharTrie|IntTrie)).*");

  private static final Pattern EXCLUDED = Pattern.compile(String.join("|", UNREACHABLE));

  /** The constant that each class with a static initializer has: its tag, length and bytes. */
  private static final byte[] INITIALIZER = "\1\0\10<clinit>".getBytes(StandardCharsets.ISO_8859_1);

  /** The last line of a complete file in the cache; an interrupted write has none. */
  private static final String END = "end";

  private EngineClasses() {}

  /**
   * Writes the list for the engine on the class path, as a step of the build.
   *
   * @param arguments the path of the file
   */
  public static void main(String[] arguments) throws IOException {
    Set<String> names = new TreeSet<>(read(ENGINE, OF_ENGINE));
    names.addAll(read(OTHERS, OURS));
    List<String> lines = new ArrayList<>(List.of(String.valueOf(EngineVersions.version())));
    lines.addAll(names);
    Files.write(Path.of(arguments[0]), lines);
  }

  static String versionOfBuild() {
    return EngineWarmUp.resource(LIST).lines().findFirst().orElseThrow();
  }

  /** Returns the names for this JVM; some may be missing in this JDK. */
  static Collection<String> list() {
    List<String> ofBuild = EngineWarmUp.resource(LIST).lines().toList();
    Set<String> names = new TreeSet<>(ofBuild.subList(1, ofBuild.size()));
    String version = EngineVersions.version();
    if (!ofBuild.getFirst().equals(version)) {
      try {
        Collection<String> ofEngine = ofOtherEngine(version, cacheFolder());
        names.removeIf(name -> OF_ENGINE.matcher(name).matches());
        names.addAll(ofEngine);
      } catch (IOException | RuntimeException unreadable) {
        EngineVersions.warn(
            "the classes of the engine cannot be listed ("
                + unreadable
                + "), so a stack overflow of one script may break features for others; put the"
                + " engine's jars on the class path");
      }
    }
    EngineWarmUp.resource(OF_JDK).lines().forEach(names::add);
    return names;
  }

  private static @Nullable Path cacheFolder() {
    String cache = System.getenv("XDG_CACHE_HOME");
    String home = System.getProperty("user.home");
    try {
      return cache != null && cache.startsWith("/")
          ? Path.of(cache, "weblocks")
          : home == null || home.equals("?") ? null : Path.of(home, ".cache", "weblocks");
    } catch (InvalidPathException notInThisLocale) {
      return null;
    }
  }

  /**
   * Returns the names of an engine other than that of the build.
   *
   * @param version null for an unknown one, whose names are not kept
   * @param cache the folder for the names; null for none
   */
  static Collection<String> ofOtherEngine(@Nullable String version, @Nullable Path cache)
      throws IOException {
    // a development build has the same version for different classes, and a merged jar may lack
    // some
    if (version == null
        || cache == null
        || !version.matches("[0-9.]+")
        || places(ENGINE).size() < ENGINE.size()) {
      return read(ENGINE, OF_ENGINE);
    }
    int exclusions = EXCLUDED.pattern().hashCode();
    Path file = cache.resolve("engine-classes-%s-%08x.txt".formatted(version, exclusions));
    try {
      List<String> kept = Files.readAllLines(file);
      if (kept.size() > 1 && kept.getLast().equals(END)) {
        return kept.stream().filter(name -> OF_ENGINE.matcher(name).matches()).toList();
      }
    } catch (IOException absent) {
      // written below
    }
    Collection<String> names = read(ENGINE, OF_ENGINE);
    keep(names, file);
    return names;
  }

  private static void keep(Collection<String> names, Path file) {
    List<String> lines = new ArrayList<>(names);
    lines.add(END);
    try {
      Files.createDirectories(file.getParent());
      Path part = Files.createTempFile(file.getParent(), "engine-classes", ".part");
      try {
        Files.write(part, lines);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException readOnly) {
      // the next start reads the jars again
    }
  }

  /** Returns the jars or folders that contain the given classes, with a class of each. */
  private static Map<String, URL> places(List<String> files) {
    Map<String, URL> places = new LinkedHashMap<>();
    for (String file : files) {
      URL url = EngineClasses.class.getClassLoader().getResource(file);
      if (url != null) {
        String text = url.toString();
        places.putIfAbsent(text.substring(0, text.length() - file.length()), url);
      }
    }
    return places;
  }

  /** Returns the matching classes with an initializer, where the given classes are. */
  private static Collection<String> read(List<String> files, Pattern matching) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Map.Entry<String, URL> place : places(files).entrySet()) {
      if (place.getValue().openConnection() instanceof JarURLConnection connection) {
        connection.setUseCaches(false); // this jar is closed below
        try (JarFile jar = connection.getJarFile()) {
          for (JarEntry entry : Collections.list(jar.entries())) {
            String name = nameOf(entry.getName(), matching);
            if (name != null) {
              try (InputStream in = jar.getInputStream(entry)) {
                addIfInitialized(name, in.readAllBytes(), names);
              }
            }
          }
        }
      } else {
        readFolder(Path.of(URI.create(place.getKey())), matching, names);
      }
    }
    return names;
  }

  private static void readFolder(Path root, Pattern matching, Set<String> names)
      throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        String name = nameOf(root.relativize(path).toString().replace('\\', '/'), matching);
        if (name != null) {
          addIfInitialized(name, Files.readAllBytes(path), names);
        }
      }
    }
  }

  /** Returns the name of the class in a file; null for another file, or a class not to list. */
  private static @Nullable String nameOf(String file, Pattern matching) {
    if (!file.endsWith(".class") || file.startsWith("META-INF/")) {
      return null;
    }
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    return matching.matcher(name).matches() && !EXCLUDED.matcher(name).matches() ? name : null;
  }

  private static void addIfInitialized(String name, byte[] bytes, Set<String> names) {
    int last = bytes.length - INITIALIZER.length;
    for (int at = 0; at <= last; at++) {
      int equal = 0;
      while (equal < INITIALIZER.length && bytes[at + equal] == INITIALIZER[equal]) {
        equal++;
      }
      if (equal == INITIALIZER.length) {
        names.add(name);
        return;
      }
    }
  }
}
