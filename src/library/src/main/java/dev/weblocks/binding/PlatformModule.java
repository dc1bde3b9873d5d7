package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The interfaces of one package: their IDL, and the Java code of its members. Stateless. */
public interface PlatformModule {

  /**
   * Returns the name of the IDL file, a resource beside the class of the module. The default
   * follows the class name: {@code ui-events.idl} for {@code UiEventsModule}.
   */
  default String idlResource() {
    String name = getClass().getSimpleName().replaceFirst("Module$", "");
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT) + ".idl";
  }

  /** Registers the code of every member that the IDL file defines. */
  void define(Implementations implementations);

  /**
   * The override of {@code [Exposed]} for a kind of global not named in the IDL of other modules.
   *
   * @param interfaces all interfaces and namespaces that may be exposed there
   * @param globalNames the names that {@code [Exposed]} is matched against in such a global
   */
  record Exposed(Set<String> interfaces, Set<String> globalNames) {}

  /** Returns the override of {@code [Exposed]} for a kind of global; null if there is none. */
  default @Nullable Exposed exposedIn(Set<String> globalNames) {
    return null;
  }

  /** Called for each new realm after its interfaces are installed, before any page script runs. */
  default void onRealmCreated(Realm realm) {}
}
