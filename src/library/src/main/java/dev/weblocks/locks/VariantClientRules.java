package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.Variant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The rules of some variants in one realm, a supplement of it; {@link Variant} describes each. */
final class VariantClientRules implements ClientRules {

  private static final Source SOURCE =
      Resources.script(VariantClientRules.class, "callback-rules.js");
  private static final String LOCK_STOLEN = "LOCK_STOLEN";

  private final Realm realm;
  private final Set<Variant> variants;
  private final boolean settleAtOnce;
  private final boolean skipStolenCallback;
  private final boolean callbackInsideRequest;
  private final boolean throwKeepsLock;
  private final boolean thenableReleases;

  /** The functions of {@code callback-rules.js}; null if no variant needs them. */
  private final @Nullable Value scriptRules;

  /** Locks that were stolen, until the tasks of the steals have run. */
  private final Set<RequestId> stolenLocks = ConcurrentHashMap.newKeySet();

  /**
   * The answers to requests whose {@code request()} is on the stack; empty until the answer
   * arrives.
   */
  private final Map<RequestId, Optional<LockEffect>> answersInside = new ConcurrentHashMap<>();

  private VariantClientRules(Realm realm, Set<Variant> variants) {
    this.realm = realm;
    this.variants = variants;
    this.settleAtOnce = variants.contains(Variant.SETTLE_AT_ONCE);
    this.skipStolenCallback = variants.contains(Variant.SKIP_STOLEN_CALLBACK);
    this.callbackInsideRequest = variants.contains(Variant.CALLBACK_INSIDE_REQUEST);
    this.throwKeepsLock = variants.contains(Variant.THROW_KEEPS_LOCK);
    this.thenableReleases = variants.contains(Variant.THENABLE_RELEASES);
    this.scriptRules =
        throwKeepsLock || thenableReleases || variants.contains(Variant.LOCK_STOLEN_MESSAGE)
            ? realm.agent().ask(realm.read(SOURCE))
            : null;
  }

  /** Adds the rules to a new realm, before page script runs. */
  static void install(Realm realm) {
    Set<Variant> variants = LockSettings.of(realm.agent().userAgent()).variants();
    if (!variants.isEmpty()) {
      realm.supplements().put(ClientRules.class, new VariantClientRules(realm, variants));
    }
  }

  @Override
  public String newClientId(Realm ofRealm) {
    return variants.contains(Variant.OWN_CLIENT_IDS)
        ? ofRealm.agent().userAgent().ids().nextUuid()
        : ClientRules.super.newClientId(ofRealm);
  }

  @Override
  public boolean checksSignalFirst() {
    return variants.contains(Variant.SIGNAL_BEFORE_OPTIONS);
  }

  @Override
  public boolean hasReentrantOption() {
    return variants.contains(Variant.REENTRANT);
  }

  @Override
  public LockCallback callbackOf(ClientRequest request, @Nullable Value callback) {
    if (callback == null) {
      return new ScriptRelease(request); // variant callback-less
    }
    return scriptRules != null && (throwKeepsLock || thenableReleases)
        ? new RuledCallback(request, callback)
        : ClientRules.super.callbackOf(request, callback);
  }

  /** Variants throw-keeps-lock and thenable-releases: a callback whose outcome is observed. */
  private final class RuledCallback implements LockCallback {
    private final ScriptCallback called;

    /** Variant thenable-releases: the returned object, which does not hold the lock. */
    private @Nullable Value returned;

    RuledCallback(ClientRequest request, Value callback) {
      Value around =
          realm
              .agent()
              .ask(
                  scriptRules().getMember("around"),
                  callback,
                  throwKeepsLock ? function(error -> request.promise.reject(error)) : null,
                  thenableReleases
                      ? function(value -> {
                        returned = value;
                      })
                      : null);
      called = new ScriptCallback(request, callback, around);
    }

    @Override
    public boolean isGone() {
      return called.isGone();
    }

    @Override
    public void granted() {
      called.granted();
    }

    @Override
    public void missed() {
      called.missed();
    }

    @Override
    public void settle(boolean fulfilled, Value outcome) {
      called.settle(fulfilled, returned == null ? outcome : returned);
    }

    @Override
    public void lost(ScriptException why) {
      called.lost(why);
    }
  }

  private Value scriptRules() {
    Value known = scriptRules;
    if (known == null) {
      throw new IllegalStateException("no variant that observes callbacks");
    }
    return known;
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

  @Override
  public void send(
      LockClient client, LockService service, RequestLock command, @Nullable Value callback) {
    if (!callbackInsideRequest || callback == null) {
      service.enqueue(command);
      return;
    }
    answersInside.put(command.id(), Optional.empty());
    LockTaskQueueActor.runNow(realm.agent().userAgent(), command);
    Optional<LockEffect> answer = answersInside.remove(command.id()); // later effects become tasks
    if (answer != null && answer.isPresent()) {
      client.handle(answer.get());
    }
  }

  @Override
  public boolean takes(LockEffect effect) {
    return (effect instanceof Granted || effect instanceof Unavailable)
        && answersInside.replace(effect.id(), Optional.of(effect)) != null;
  }

  @Override
  public boolean settlesBeforeRelease() {
    return settleAtOnce;
  }

  @Override
  public void wasStolen(RequestId id) {
    if (skipStolenCallback) {
      stolenLocks.add(id);
    }
  }

  @Override
  public void stealIsHandled(RequestId id) {
    stolenLocks.remove(id);
  }

  @Override
  public boolean skipsCallback(RequestId id) {
    return stolenLocks.contains(id);
  }

  @Override
  public ScriptException stolenError() {
    return variants.contains(Variant.STOLEN_ERROR)
        ? ScriptException.dom("LockStolenError", "The lock was stolen by another request.")
        : ClientRules.super.stolenError();
  }

  @Override
  public boolean meansStolen(Value reason) {
    return variants.contains(Variant.LOCK_STOLEN_MESSAGE)
        && realm
            .agent()
            .call(scriptRules().getMember("hasMessage"), reason, LOCK_STOLEN)
            .asBoolean();
  }
}
