package dev.weblocks.harness.run;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.harness.wpt.JsonProblem;
import dev.weblocks.model.ModuleResolver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The resolver of bare specifiers that name packages in directories {@code node_modules}, from the
 * directory of the importing script up to the root of a site. Without {@code exports}, a package is
 * its field {@code module} or {@code main}. Thread-safe.
 *
 * @see <a href="https://nodejs.org/api/esm.html#resolution-algorithm-specification">resolution
 *     algorithm of Node.js</a>
 */
final class NodeModules implements ModuleResolver {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The names at which the lookup of a package without a valid entry point ends. */
  private static final String[] ENDINGS = {"", ".js", ".mjs", "/index.js"};

  private static final Pattern PACKAGE_NAME =
      Pattern.compile("(?<name>(@[^/@.%\\\\][^/%\\\\]*/)?[^/@.%\\\\][^/%\\\\]*)(?<subpath>/.*)?");

  /** A declaration of an ES module, at the start of a line or statement. */
  private static final Pattern ES_MODULE =
      Pattern.compile(
          "(?m)(?:^|[;}/])[ \\t]*(?:import\\s*(?:[\\w$]+\\s*(?:,|\\bfrom\\b)|[{*\"'])"
              + "|export\\s*(?:[{*]|(?:default|const|let|var|function|class|async)\\b))");

  private static final Pattern COMMON_JS =
      Pattern.compile("\\bmodule\\.exports\\b|\\bexports\\.\\w|\\brequire\\s*\\(");

  private final Site site;

  NodeModules(Site site) {
    this.site = site;
  }

  @Override
  public @Nullable String resolve(String specifier, String importer) {
    Path directory = site.directoryOf(importer);
    Path root = site.servedDirectory(importer);
    if (directory == null || root == null) {
      return null; // a script from another server
    }
    try {
      Path file =
          specifier.startsWith("#")
              ? importsResolve(specifier, directory, root)
              : packageResolve(specifier, directory, root);
      String url = urlOf(specifier, file, root);
      if (!Files.isRegularFile(file)) {
        throw new IllegalArgumentException(
            "'" + specifier + "' is " + site.shown(file) + ", a directory: name a file in it");
      }
      Path served = Objects.requireNonNull(site.servedDirectory(url)); // may be another one
      requireModule(specifier, file.toRealPath(), served.toRealPath());
      return url;
    } catch (NoSuchFileException missing) {
      throw new IllegalArgumentException(
          "'" + specifier + "' is " + site.shown(Path.of(missing.getFile())) + ", which is missing",
          missing);
    } catch (IOException | InvalidPathException unreadable) {
      throw new IllegalArgumentException(
          "'" + specifier + "' cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }

  /**
   * Returns the URL of a file or directory, by its real path.
   *
   * @param name of the file in the message
   * @throws IllegalArgumentException if no served directory contains it
   */
  private String urlOf(String name, Path file, Path root) throws IOException {
    Path real = file.toRealPath(); // fails for a missing file
    String url = site.urlOf(real);
    if (url == null) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' leads out of "
              + site.shown(root)
              + ": name a directory that contains it with --root");
    }
    return url;
  }

  // ---- CommonJS --------------------------------------------------------------------------------

  /** Throws an exception if a file is a CommonJS module; the engine would only find no exports. */
  private void requireModule(String specifier, Path file, Path root) throws IOException {
    String name = file.getFileName().toString();
    boolean commonJs =
        name.endsWith(".cjs")
            || (name.endsWith(".js")
                && !isOfModules(file, root)
                && isCommonJs(new String(site.read(file), StandardCharsets.UTF_8)));
    if (commonJs) {
      throw new IllegalArgumentException(
          "package '"
              + specifier
              + "' is CommonJS ("
              + site.shown(file)
              + "), and only ES modules can be imported: use a version or a build of it with them");
    }
  }

  private boolean isOfModules(Path file, Path root) throws IOException {
    Path scope = scopeOf(file.getParent(), root);
    return scope != null && packageJson(scope, root).path("type").asText().equals("module");
  }

  private static boolean isCommonJs(String text) {
    return !ES_MODULE.matcher(text).find() && COMMON_JS.matcher(text).find();
  }

  // ---- packages --------------------------------------------------------------------------------

  /** PACKAGE_IMPORTS_RESOLVE */
  private Path importsResolve(String specifier, Path from, Path root) throws IOException {
    Path scope = scopeOf(from, root);
    Path found =
        scope == null
            ? null
            : matchResolve(specifier, packageJson(scope, root).path("imports"), scope, true, root);
    if (found == null) {
      throw new IllegalArgumentException(
          "'"
              + specifier
              + "' is not in the \"imports\" of "
              + manifest(scope == null ? from : scope));
    }
    return found;
  }

  /** PACKAGE_RESOLVE */
  private Path packageResolve(String specifier, Path from, Path root) throws IOException {
    Matcher name = PACKAGE_NAME.matcher(specifier);
    if (!name.matches()) {
      throw new IllegalArgumentException("'" + specifier + "' is not the name of a package");
    }
    String subpath = name.group("subpath") == null ? "." : "." + name.group("subpath");
    Path own = scopeOf(from, root);
    if (own != null) {
      JsonNode json = packageJson(own, root);
      if (json.path("name").asText().equals(name.group("name")) && json.hasNonNull("exports")) {
        return exportsResolve(own, subpath, json.get("exports"), specifier, root);
      }
    }
    for (Path at = from; at != null && at.startsWith(root); at = at.getParent()) {
      Path found = at.resolve("node_modules").resolve(name.group("name"));
      if (Files.isDirectory(found)) {
        String unused = urlOf(specifier, found, root); // before anything in it is read
        JsonNode json = packageJson(found, root);
        return json.hasNonNull("exports")
            ? exportsResolve(found, subpath, json.get("exports"), specifier, root)
            : legacyResolve(found, subpath, json, specifier);
      }
    }
    throw new IllegalArgumentException(
        "package '"
            + name.group("name")
            + "' is in no node_modules from "
            + site.shown(from)
            + " up to "
            + site.shown(root)
            + ": install it there, or name a directory above with --root");
  }

  private Path legacyResolve(Path found, String subpath, JsonNode json, String specifier) {
    if (!subpath.equals(".")) {
      return inside(found, subpath);
    }
    for (String entry :
        new String[] {json.path("module").asText(), json.path("main").asText(), "index.js"}) {
      for (String ending : ENDINGS) {
        Path file = found.resolve(entry + ending).normalize();
        if (!entry.isEmpty() && site.isFile(file)) {
          return file;
        }
      }
    }
    throw new IllegalArgumentException(
        "package '" + specifier + "' has no \"exports\", \"module\" or \"main\" that exists");
  }

  /** LOOKUP_PACKAGE_SCOPE: the closest directory with a package.json; null if there is none. */
  private static @Nullable Path scopeOf(@Nullable Path from, Path root) {
    for (Path at = from;
        at != null && at.startsWith(root) && !at.endsWith("node_modules");
        at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("package.json"))) {
        return at;
      }
    }
    return null;
  }

  /** READ_PACKAGE_JSON; an empty object if the file does not exist. */
  private JsonNode packageJson(Path directory, Path root) throws IOException {
    Path file = directory.resolve("package.json");
    if (!Files.isRegularFile(file)) {
      return JSON.createObjectNode();
    }
    String unused = urlOf(site.shown(file), file, root);
    try {
      return JSON.readTree(new String(site.read(file), StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation(); // null if a limit of the parser is exceeded
      throw new IllegalArgumentException(
          site.shown(file)
              + (at == null ? "" : ":" + at.getLineNr() + ":" + at.getColumnNr())
              + " is not JSON: "
              + JsonProblem.text(e),
          e);
    }
  }

  // ---- exports and imports ---------------------------------------------------------------------

  /** PACKAGE_EXPORTS_RESOLVE */
  private Path exportsResolve(
      Path directory, String subpath, JsonNode exports, String specifier, Path root)
      throws IOException {
    boolean bySubpath =
        exports.isObject()
            && exports.properties().stream().anyMatch(entry -> entry.getKey().startsWith("."));
    Path found =
        bySubpath
            ? matchResolve(subpath, exports, directory, false, root)
            : subpath.equals(".") ? targetResolve(directory, exports, null, false, root) : null;
    if (found == null) {
      throw new IllegalArgumentException(
          "package '"
              + specifier
              + "' does not export '"
              + subpath
              + "' for browsers: see the \"exports\" of "
              + manifest(directory));
    }
    return found;
  }

  private String manifest(Path directory) {
    return site.shown(directory.resolve("package.json"));
  }

  /** PACKAGE_IMPORTS_EXPORTS_RESOLVE; null if no key matches. */
  private @Nullable Path matchResolve(
      String key, JsonNode targets, Path directory, boolean internal, Path root)
      throws IOException {
    if (key.indexOf('*') < 0 && targets.has(key)) {
      return targetResolve(directory, targets.get(key), null, internal, root);
    }
    String best = null;
    for (Map.Entry<String, JsonNode> entry : targets.properties()) {
      String pattern = entry.getKey();
      int star = pattern.indexOf('*');
      if (star >= 0
          && star == pattern.lastIndexOf('*')
          && key.length() >= pattern.length()
          && key.startsWith(pattern.substring(0, star))
          && key.endsWith(pattern.substring(star + 1))
          && (best == null || isMoreSpecific(pattern, best))) {
        best = pattern;
      }
    }
    if (best == null) {
      return null;
    }
    int star = best.indexOf('*');
    String match = key.substring(star, key.length() - (best.length() - star - 1));
    return targetResolve(directory, targets.get(best), match, internal, root);
  }

  /** PATTERN_KEY_COMPARE */
  private static boolean isMoreSpecific(String one, String other) {
    int difference = one.indexOf('*') - other.indexOf('*');
    return difference > 0 || (difference == 0 && one.length() > other.length());
  }

  /** PACKAGE_TARGET_RESOLVE; null if no condition applies, or the target is null. */
  private @Nullable Path targetResolve(
      Path directory, JsonNode target, @Nullable String match, boolean internal, Path root)
      throws IOException {
    if (target.isTextual()) {
      String path = match == null ? target.asText() : target.asText().replace("*", match);
      if (internal && !path.startsWith(".") && !path.startsWith("/")) {
        return packageResolve(path, directory, root);
      }
      return inside(directory, path);
    }
    if (target.isObject()) {
      for (Map.Entry<String, JsonNode> entry : target.properties()) {
        if (isCondition(entry.getKey())) {
          Path found = targetResolve(directory, entry.getValue(), match, internal, root);
          if (found != null) {
            return found;
          }
        }
      }
    }
    if (target.isArray()) {
      for (JsonNode each : target) {
        Path found = targetResolve(directory, each, match, internal, root);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private Path inside(Path directory, String path) {
    Path file = directory.resolve(path).normalize();
    if (!path.startsWith("./") || !file.startsWith(directory)) {
      throw new IllegalArgumentException(
          "'" + path + "' is no path in the package " + site.shown(directory));
    }
    return file;
  }

  private static boolean isCondition(String key) {
    return key.equals("browser") || key.equals("import") || key.equals("default");
  }
}
