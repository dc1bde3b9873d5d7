package dev.weblocks.agent;

import org.jspecify.annotations.Nullable;

/**
 * The source of the modules of an agent. Called on the event loop, inside the script call that
 * needs a module.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#hostloadimportedmodule">HostLoadImportedModule</a>
 */
@FunctionalInterface
public interface ModuleLoader {

  /**
   * Returns the module for a specifier. If there is none, the result is a module that throws.
   *
   * @param importer the path of the module that contains the specifier; null if that is a script,
   *     or unknown because the specifier is an absolute URL
   * @param exact whether the engine identifies the module by the specifier as written, not by its
   *     path
   */
  ModuleFile find(@Nullable String importer, String specifier, boolean exact);

  /** A factory for the loaders of agents. */
  @FunctionalInterface
  interface Factory {
    ModuleLoader loaderOf(Agent agent);
  }
}
