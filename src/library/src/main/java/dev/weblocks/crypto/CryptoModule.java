package dev.weblocks.crypto;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.binding.Resources;
import org.graalvm.polyglot.Source;

/** The module of the interfaces of this package. */
public final class CryptoModule implements PlatformModule {

  private final Source viewType = Resources.script(CryptoModule.class, "view-type.js");

  @Override
  public void define(Implementations implementations) {
    Crypto.define(implementations);
  }

  @Override
  public void onRealmCreated(Realm realm) {
    realm.supplements().put(Crypto.class, new Crypto(realm, viewType));
  }
}
