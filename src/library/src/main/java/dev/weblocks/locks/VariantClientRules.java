package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The rules of a lock client under a set of {@link Variant}s; a supplement of the realm. */
final class VariantClientRules implements ClientRules {

  private static final Source SOURCE =
      Resources.script(VariantClientRules.class, "callback-rules.js");
  private static final String LOCK_STOLEN = "LOCK_STOLEN";

  private final Realm realm;
  private final Set<Variant> variants;

  /** The functions of {@code callback-rules.js}; null if no variant needs them. */
  private final @Nullable Value scriptRules;

  /** Locks that were stolen, until the tasks that handle the steals run. */
  private final Set<RequestId> stolenLocks = ConcurrentHashMap.newKeySet();

  /** Answers to requests whose {@code request()} is on the stack; empty until an answer arrives. */
  private final Map<RequestId, Optional<LockEffect>> answersInside = new ConcurrentHashMap<>();

  private VariantClientRules(Realm realm, Set<Variant> variants) {
    this.realm = realm;
    this.variants = variants;
    this.scriptRules =
        variants.contains(Variant.THROW_KEEPS_LOCK)
                || variants.contains(Variant.THENABLE_RELEASES)
                || variants.contains(Variant.LOCK_STOLEN_MESSAGE)
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
    boolean throwKeepsLock = variants.contains(Variant.THROW_KEEPS_LOCK);
    boolean thenableReleases = variants.contains(Variant.THENABLE_RELEASES);
    if (!throwKeepsLock && !thenableReleases) {
      return ClientRules.super.callbackOf(request, callback);
    }
    // variant thenable-releases: the returned object, which does not hold the lock
    AtomicReference<@Nullable Value> returned = new AtomicReference<>();
    Value around =
        realm
            .agent()
            .ask(
                scriptRules().getMember("around"),
                callback,
                throwKeepsLock ? function(error -> request.promise.reject(error)) : null,
                thenableReleases ? function(returned::set) : null);
    return new ScriptCallback(request, callback, around) {
      @Override
      public void settle(boolean fulfilled, Value outcome) {
        Value known = returned.get();
        super.settle(fulfilled, known == null ? outcome : known);
      }
    };
  }

  private Value scriptRules() {
    Value known = scriptRules;
    if (known == null) {
      throw new IllegalStateException("no selected variant observes callbacks");
    }
    return known;
  }

  private Value function(Consumer<Value> steps) {
    return RealmBinding.of(realm)
        .values()
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
    if (!variants.contains(Variant.CALLBACK_INSIDE_REQUEST) || callback == null) {
      service.enqueue(command);
      return;
    }
    answersInside.put(command.id(), Optional.empty());
    runNow(command);
    Optional<LockEffect> answer = answersInside.remove(command.id()); // later effects become tasks
    if (answer != null && answer.isPresent()) {
      client.handle(answer.get());
    }
  }

  /** Returns when the command has run, or the user agent is closed. */
  private void runNow(RequestLock command) {
    UserAgent userAgent = realm.agent().userAgent();
    LockTaskQueue queue = LockTaskQueue.of(userAgent);
    LockTaskQueue.Step step = queue.enqueueStep(command); // other drivers may run it here
    boolean byHand = userAgent.driver().isDeterministic();
    while (!step.isOver() && !userAgent.isClosed()) {
      if (byHand) {
        queue.runStepInside();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public boolean takes(LockEffect effect) {
    return (effect instanceof Granted || effect instanceof Unavailable)
        && answersInside.replace(effect.id(), Optional.of(effect)) != null;
  }

  @Override
  public boolean settlesBeforeRelease() {
    return variants.contains(Variant.SETTLE_AT_ONCE);
  }

  @Override
  public void wasStolen(RequestId id) {
    if (variants.contains(Variant.SKIP_STOLEN_CALLBACK)) {
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
