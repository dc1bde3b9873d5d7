package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces of one package: their IDL and the code behind it. Stateless; one instance may
 * serve many user agents.
 */
public interface PlatformModule {

  /** The IDL file, a resource beside the class of the module. */
  String idlResource();

  /** Registers the code of every member that the IDL file defines. */
  void define(Implementations implementations);

  /**
   * What there is in a kind of global that the IDL of others does not know.
   *
   * @param interfaces all of them, namespaces too, whatever they are exposed in
   * @param globalNames by which their members are exposed
   */
  record Exposed(Set<String> interfaces, Set<String> globalNames) {}

  /** What there is in a kind of global; null if this module has nothing to say of that kind. */
  default @Nullable Exposed exposedIn(Set<String> globalNames) {
    return null;
  }

  /** Called for each new realm after its interfaces are there and before any page script runs. */
  default void onRealmCreated(Realm realm) {}
}
