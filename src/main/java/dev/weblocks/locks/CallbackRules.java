package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import dev.weblocks.lockmanager.Variant;
import java.util.function.Consumer;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of what callbacks return and throw, under the variants throw-keeps-lock,
 * thenable-releases and lock-stolen-message: a supplement of the realm, there under these alone.
 */
final class CallbackRules {

  private static final Source SOURCE = Resources.script(CallbackRules.class, "callback-rules.js");
  private static final String LOCK_STOLEN = "LOCK_STOLEN";

  private final Realm realm;
  private final Value rules;
  private final boolean throwKeepsLock;
  private final boolean thenableReleases;
  private final boolean lockStolenMessage;

  private CallbackRules(Realm realm, LockVariants variants) {
    this.realm = realm;
    this.throwKeepsLock = variants.has(Variant.THROW_KEEPS_LOCK);
    this.thenableReleases = variants.has(Variant.THENABLE_RELEASES);
    this.lockStolenMessage = variants.has(Variant.LOCK_STOLEN_MESSAGE);
    this.rules = realm.agent().ask(realm.read(SOURCE));
  }

  /** Makes the rules of a new realm, before page script runs, if there are any. */
  static void install(Realm realm, LockVariants variants) {
    CallbackRules rules =
        variants.has(Variant.THROW_KEEPS_LOCK)
                || variants.has(Variant.THENABLE_RELEASES)
                || variants.has(Variant.LOCK_STOLEN_MESSAGE)
            ? new CallbackRules(realm, variants)
            : null;
    if (rules != null) {
      realm.supplements().put(CallbackRules.class, rules);
    }
  }

  /** The rules of a realm; null where callbacks are as the draft has them. */
  static @Nullable CallbackRules of(Realm realm) {
    return realm.supplements().find(CallbackRules.class);
  }

  /**
   * The function to call in place of a callback.
   *
   * @param threw gets what it throws, if that is to release no lock
   * @param returned gets what it returns, if that is an object which is to hold no lock
   */
  Value around(Value callback, Consumer<Value> threw, Consumer<Value> returned) {
    return realm
        .agent()
        .ask(
            rules.getMember("around"),
            callback,
            throwKeepsLock ? function(threw) : null,
            thenableReleases ? function(returned) : null);
  }

  private Value function(Consumer<Value> steps) {
    return RealmBinding.of(realm)
        .function(
            "lock callback",
            values -> {
              steps.accept(values[0]);
              return null;
            });
  }

  /** Whether what a callback has failed with means that its lock was stolen. */
  boolean meansStolen(Value reason) {
    return lockStolenMessage
        && realm.agent().call(rules.getMember("hasMessage"), reason, LOCK_STOLEN).asBoolean();
  }
}
