package dev.weblocks.locks.earlydraft;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.lockmanager.earlydraft.RequestSource;
import dev.weblocks.lockmanager.earlydraft.Scope;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.locks.LockSettings;
import dev.weblocks.model.LockMode;
import dev.weblocks.storage.Bucket;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The {@code LockManager} interface: one object per environment. */
// Early draft, "API"
final class LockManager extends PlatformObject {

  private static final String ACQUIRE = "Failed to execute 'acquire' on 'LockManager': ";
  private static final String QUERY_STATE = "Failed to execute 'queryState' on 'LockManager': ";
  private static final String FORCE_RELEASE = "Failed to execute 'forceRelease' on 'LockManager': ";

  /** The default storage bucket; null if the environment's origin is opaque. */
  private final @Nullable Bucket bucket;

  private final LockRequester requester;
  private final boolean withPositions;

  private LockManager(Realm realm) {
    super(realm);
    this.bucket = Bucket.defaultOf(realm);
    this.requester =
        new LockRequester(
            realm.agent().name(),
            realm.settings().creationUrl(),
            realm.settings().origin().serialize());
    this.withPositions = LockSettings.of(realm.agent().userAgent()).positions();
  }

  private static LockManager of(Realm realm) {
    return realm.supplements().get(LockManager.class, () -> new LockManager(realm));
  }

  /**
   * Runs the first steps of all operations; returns the origin, or throws if it is opaque. Also
   * throws if the document is not fully active, which the draft does not check.
   */
  private ManagerId usableOrigin(String failed) {
    if (!GlobalScope.of(realm()).isFullyActive()) {
      throw ScriptException.dom("InvalidStateError", failed + "The document is not fully active.");
    }
    if (bucket == null) {
      throw ScriptException.dom(
          "SecurityError", failed + "Locks are not available to an opaque origin.");
    }
    return new ManagerId(bucket.bottleName("web-locks"), bucket.name());
  }

  /** Returns the scope that an argument denotes; throws if it is empty. */
  private static Scope usableScope(Arguments args, String failed) {
    Value given = args.any(0);
    Scope scope =
        given.isString()
            ? Scope.of(given.asString())
            : Scope.of(args.list(0).stream().map(Value::asString).toList());
    if (scope.isEmpty()) {
      throw ScriptException.typeError(failed + "parameter 1 ('scope'): The sequence is empty");
    }
    return scope;
  }

  private RequestSource source(@Nullable Value callback) {
    return new RequestSource(
        requester, withPositions ? binding().callPositions().of(callback) : null);
  }

  // Early draft, "LockManager.prototype.acquire(scope, options, callback)"
  private IdlPromise acquire(Arguments args) {
    // 1.
    LockMode mode = LockMode.EXCLUSIVE;
    boolean ifAvailable = false;
    AbortSignal signal = null;
    Value callback;
    if (args.overload() == 0) {
      callback = args.function(1);
    } else {
      DictionaryView options = args.dictionary(1);
      mode = LockMode.fromIdl(options.string("mode"));
      ifAvailable = options.bool("ifAvailable");
      signal = options.objectOrNull("signal", AbortSignal.class);
      callback = args.function(2);
    }
    // 2. and 3.
    ManagerId origin = usableOrigin(ACQUIRE);
    // 4. and 5.
    Scope scope = usableScope(args, ACQUIRE);
    LockClient client = LockClient.of(realm());
    scope.names().forEach(name -> client.requests().requireLength(name, ACQUIRE));
    client.requests().requireRoom(ACQUIRE);
    // 6.
    return client.requestLock(
        args.promise(), origin, callback, scope, mode, ifAvailable, signal, source(callback));
  }

  // Early draft, "LockManager.prototype.queryState()"
  private IdlPromise queryState(Arguments args) {
    // 1. and 2.
    ManagerId origin = usableOrigin(QUERY_STATE);
    // 3.
    IdlPromise promise = args.promise();
    // 4.
    LockClient.of(realm()).queryState(origin, promise);
    // 5.
    return promise;
  }

  // Early draft, "LockManager.prototype.forceRelease(scope)"
  private IdlPromise forceRelease(Arguments args) {
    // 1. and 2.
    ManagerId origin = usableOrigin(FORCE_RELEASE);
    // 3. and 4.
    Scope scope = usableScope(args, FORCE_RELEASE);
    // 5.
    IdlPromise promise = args.promise();
    LockClient.of(realm()).forceRelease(origin, scope, promise, source(null));
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("LockManager", LockManager.class)
        .promiseOperation("acquire", LockManager::acquire)
        .promiseOperation("queryState", LockManager::queryState)
        .promiseOperation("forceRelease", LockManager::forceRelease);
    implementations
        .mixin("NavigatorLocks", PlatformObject.class)
        .getter("locks", navigator -> LockManager.of(navigator.realm()));
  }
}
