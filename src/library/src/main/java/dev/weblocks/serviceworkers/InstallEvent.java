package dev.weblocks.serviceworkers;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;

/**
 * The {@code InstallEvent} interface.
 *
 * @see <a href="https://w3c.github.io/ServiceWorker/#installevent-interface">Service Workers</a>
 */
final class InstallEvent extends ExtendableEvent {

  InstallEvent(Realm realm, String type) {
    super(realm, type);
  }

  private InstallEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("InstallEvent", InstallEvent.class)
        .constructor((realm, args) -> new InstallEvent(realm, args.string(0), args.dictionary(1)));
  }
}
