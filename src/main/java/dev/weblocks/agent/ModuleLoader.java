package dev.weblocks.agent;

import org.jspecify.annotations.Nullable;

/**
 * Where the modules of an agent come from. On the event loop, inside the call of script that wants
 * a module.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#hostloadimportedmodule">HostLoadImportedModule</a>
 */
@FunctionalInterface
public interface ModuleLoader {

  /**
   * The module that a specifier means. A specifier that means none gets a module that throws.
   *
   * @param importer the path of the module that has the specifier; null if it was not given: for a
   *     script, and for an absolute URL
   * @param exact whether the engine tells modules apart by the specifier as it is written, and not
   *     by their paths
   */
  ModuleFile find(@Nullable String importer, String specifier, boolean exact);

  /** Makes the loader of an agent: a supplement of the user agent. */
  @FunctionalInterface
  interface Factory {
    ModuleLoader loaderOf(Agent agent);
  }
}
