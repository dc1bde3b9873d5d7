package dev.weblocks.binding;

import dev.weblocks.agent.Realm;

/**
 * The interfaces of one package: their IDL and the code behind it. Stateless; one instance may
 * serve many user agents.
 */
public interface PlatformModule {

  /** The IDL file, a resource beside the class of the module. */
  String idlResource();

  /** Registers the code of every member that the IDL file defines. */
  void define(Implementations implementations);

  /** Called for each new realm after its interfaces are there and before any page script runs. */
  default void onRealmCreated(Realm realm) {}
}
