package dev.weblocks.messaging;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import dev.weblocks.dom.Event;
import org.graalvm.polyglot.Source;

/** The module of the interfaces of this package. */
public final class MessagingModule implements PlatformModule {

  private final Source structuredClone =
      Resources.script(MessagingModule.class, "structured-clone.js");

  @Override
  public void define(Implementations implementations) {
    Event.implement(implementations, "MessageEvent");
    MessageChannel.define(implementations);
    MessagePort.define(implementations);
    BroadcastChannel.define(implementations);
    StructuredClone.define(implementations);
  }

  @Override
  public void onRealmCreated(Realm realm) {
    if (!RealmBinding.of(realm).platform().isExposed("MessageEvent", realm.settings())) {
      return; // such a realm has no interface that clones values
    }
    StructuredClone.install(realm, structuredClone);
  }
}
