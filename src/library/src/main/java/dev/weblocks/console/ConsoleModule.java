package dev.weblocks.console;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import org.graalvm.polyglot.Source;

/** The module of the {@code console} namespace. */
public final class ConsoleModule implements PlatformModule {

  private final Source inspect = Resources.script(ConsoleModule.class, "inspect.js");

  @Override
  public void define(Implementations implementations) {
    Console.define(implementations);
  }

  @Override
  public void onRealmCreated(Realm realm) {
    if (!RealmBinding.of(realm).global().exposed().hasMember("console")) {
      return; // the embedder's global has its own console
    }
    Inspector inspector = new Inspector(realm, inspect);
    realm.supplements().put(Inspector.class, inspector);
    realm.supplements().put(Console.class, new Console(realm, inspector));
  }
}
