package dev.weblocks.fetch;

import dev.weblocks.agent.Configuration;
import org.jspecify.annotations.Nullable;

/** The embedder's resolution of bare specifiers. Called on event loops. */
@FunctionalInterface
public interface BareSpecifierResolver extends Configuration.Part {

  BareSpecifierResolver NONE = (specifier, baseUrl) -> null;

  /**
   * Returns an absolute URL; null if there is none.
   *
   * @param baseUrl that of the importing script
   * @throws IllegalArgumentException if the module cannot be used; its message is for script
   */
  @Nullable String resolve(String specifier, String baseUrl);
}
