package dev.weblocks.agent;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/**
 * The URIs of modules for the engine, which takes the value of {@code import.meta.url} from them.
 *
 * <p>From 25.1 on, the engine also resolves the specifiers in a module against its URI, without the
 * module loader: import maps and module resolvers would see no bare specifier and no importer. It
 * does not do so for its own scheme "truffle". So modules get URIs of that scheme there, and {@link
 * ImportMetaUrl} gives {@code import.meta.url} its value. If the module path hides the internal
 * classes that this needs, the engine resolves specifiers.
 */
final class ModuleUris {

  private static final String FIRST_THAT_RESOLVES = "25.1";

  private static final String PREFIX = "truffle:weblocks-";

  private ModuleUris() {}

  /** Holds the decision, which is constant in each JVM. */
  private static final class Once {
    static final boolean HIDDEN = engineResolves() && mayUseInternals();

    private static boolean engineResolves() {
      String version = EngineVersions.version();
      return version == null || EngineVersions.compare(version, FIRST_THAT_RESOLVES) >= 0;
    }

    private static boolean mayUseInternals() {
      try {
        ImportMetaUrl.requireUsable(); // no method reference, which would be linked elsewhere
        return true;
      } catch (LinkageError | ReflectiveOperationException hidden) {
        EngineVersions.warn(
            "import maps and module resolvers do not work in windows and workers, as the engine's"
                + " internal classes are hidden ("
                + hidden
                + "); put the library on the class path");
        return false;
      }
    }
  }

  /**
   * Prepares the engine of a new context.
   *
   * @param enter a function of the context that calls the function passed to it
   */
  static void prepare(Value enter) {
    if (Once.HIDDEN) {
      enter.execute(
          (ProxyExecutable)
              none -> {
                ImportMetaUrl.install();
                return null;
              });
    }
  }

  /** Returns the URI of a module for the engine. */
  static URI forEngine(URI uri) {
    return Once.HIDDEN
        ? URI.create(
            PREFIX + HexFormat.of().formatHex(uri.toString().getBytes(StandardCharsets.UTF_16BE)))
        : uri;
  }

  /**
   * Returns the text of a URI before {@link #forEngine}; the engine loads some data URLs itself.
   */
  static String asWritten(URI forEngine) {
    String text = forEngine.toString();
    return text.startsWith(PREFIX)
        ? new String(
            HexFormat.of().parseHex(text.substring(PREFIX.length())), StandardCharsets.UTF_16BE)
        : text;
  }
}
