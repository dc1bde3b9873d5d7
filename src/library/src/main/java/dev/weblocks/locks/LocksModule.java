package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The module of the interfaces of this package. */
public final class LocksModule implements PlatformModule {

  private final boolean callbackLess;

  /** Creates the module of the Working Draft, without variants. */
  public LocksModule() {
    this(false);
  }

  private LocksModule(boolean callbackLess) {
    this.callbackLess = callbackLess;
  }

  /** Returns the modules of this package for the given variants. */
  public static List<PlatformModule> modules(Set<Variant> variants) {
    List<PlatformModule> modules = new ArrayList<>();
    modules.add(new LocksModule(variants.contains(Variant.CALLBACK_LESS)));
    if (variants.contains(Variant.REENTRANT)) {
      modules.add(new ReentrantModule());
    }
    return modules;
  }

  /** Returns the given variants that change interfaces; only these determine the modules. */
  public static Set<Variant> changingInterfaces(Set<Variant> variants) {
    EnumSet<Variant> changing = EnumSet.of(Variant.CALLBACK_LESS, Variant.REENTRANT);
    changing.retainAll(variants);
    return Collections.unmodifiableSet(changing);
  }

  @Override
  public String idlResource() {
    return callbackLess ? "callback-less.idl" : "web-locks.idl";
  }

  @Override
  public void define(Implementations implementations) {
    LockManager.define(implementations);
    Lock.define(implementations);
    if (callbackLess) { // variant callback-less
      ReleasableLock.define(implementations);
    }
  }

  @Override
  public void onRealmCreated(Realm realm) {
    if (LockSettings.of(realm.agent().userAgent()).variants().contains(Variant.CALLBACK_LESS)) {
      AsyncDispose.define(realm);
    }
    VariantClientRules.install(realm);
  }

  /** The module that adds the {@code reentrant} option to the IDL; {@link LockManager} reads it. */
  private static final class ReentrantModule implements PlatformModule {
    @Override
    public String idlResource() {
      return "reentrant.idl";
    }

    @Override
    public void define(Implementations implementations) {
      // a dictionary has no code
    }
  }
}
