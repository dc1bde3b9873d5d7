package dev.weblocks.model;

import org.jspecify.annotations.Nullable;

/**
 * The resolution of bare module specifiers, such as {@code lodash}: those that are no URL and do
 * not begin with {@code /}, {@code ./} or {@code ../}. Called on the threads of the driver,
 * possibly for several agents at once; the importing agent waits meanwhile.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="moduleResolver"}
 */
@FunctionalInterface
public interface ModuleResolver {

  /**
   * Returns the URL of a module, which is then loaded like each other one. Script chooses both
   * arguments, the importer by an element {@code <base>}: check them before they become part of a
   * path. Each window and worker keeps the URL, and does not call again with the same arguments. An
   * exception other than {@code IllegalArgumentException}, or a result that is no absolute URL, is
   * reported as a defect, and counts as null.
   *
   * @param specifier as script has written it
   * @param importer the base URL of the importing script
   * @return an absolute URL; null if there is none, which is a {@code TypeError} in script
   * @throws IllegalArgumentException if the module cannot be used; script gets a {@code TypeError}
   *     with the same message
   */
  @Nullable String resolve(String specifier, String importer);
}
