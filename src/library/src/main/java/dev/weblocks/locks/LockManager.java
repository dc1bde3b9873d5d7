package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.StackReserve;
import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.AbortSignal;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import dev.weblocks.storage.Bucket;
import dev.weblocks.storage.StorageBucket;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code LockManager} interface: one object per environment and storage bucket. The lock
 * manager of a bucket is a different concept, see {@code dev.weblocks.lockmanager}.
 *
 * <p>Web Locks does not cover the removal of a bucket, and Storage Buckets does not cover locks.
 * Here a lock is an agreement between scripts, so the removal of a bucket does not end it: held
 * locks stay held, and waiting requests are granted in turn. New requests and queries of the bucket
 * are refused. A new bucket of the same name has a lock manager of its own. With remote lock
 * managers, this holds for the deletion of a bucket by any user agent.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#api-lock-manager">3.2.
 *     LockManager class</a>
 */
final class LockManager extends PlatformObject {

  private static final String REQUEST = "Failed to execute 'request' on 'LockManager': ";
  private static final String QUERY = "Failed to execute 'query' on 'LockManager': ";

  /** The storage bucket; null, meaning failure, if the environment's origin is opaque. */
  private final @Nullable Bucket bucket;

  // set by the first request, and unchanged afterwards
  private @Nullable ManagerId manager;
  private @Nullable LockClient client;
  private final boolean withPositions;
  private final ClientRules rules;

  private LockManager(Realm realm, @Nullable Bucket bucket) {
    super(realm);
    this.bucket = bucket;
    this.rules = ClientRules.of(realm);
    this.withPositions = LockSettings.of(realm.agent().userAgent()).positions();
  }

  /** An environment's LockManager objects; those of named buckets are kept while reachable. */
  private static final class OfRealm {
    private final LockManager ofDefaultBucket;
    private final Map<Bucket, WeakReference<LockManager>> ofNamedBuckets = new WeakHashMap<>();

    OfRealm(Realm realm) {
      ofDefaultBucket = new LockManager(realm, Bucket.defaultOf(realm));
    }

    static OfRealm of(Realm realm) {
      return realm.supplements().get(OfRealm.class, () -> new OfRealm(realm));
    }
  }

  /**
   * Returns the LockManager object of an environment settings object.
   *
   * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dom-navigatorlocks-locks">3.1.
   *     locks</a>
   */
  private static LockManager of(Realm realm) {
    return OfRealm.of(realm).ofDefaultBucket;
  }

  /** Returns the LockManager object of an environment settings object and a storage bucket. */
  private static LockManager of(Realm realm, Bucket bucket) {
    Map<Bucket, WeakReference<LockManager>> known = OfRealm.of(realm).ofNamedBuckets;
    WeakReference<LockManager> reference = known.get(bucket);
    LockManager manager = reference == null ? null : reference.get();
    if (manager == null) {
      manager = new LockManager(realm, bucket);
      known.put(bucket, new WeakReference<>(manager));
      VirtualWorld.keep(realm, manager);
    }
    return manager;
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#obtain-a-lock-manager">2.2. obtain a
   * lock manager</a>; null means failure
   */
  private @Nullable ManagerId obtainLockManager() {
    // 1. to 4.
    if (manager == null && bucket != null) {
      manager = LockServices.managerOf(bucket);
    }
    return manager;
  }

  /** Runs the steps that request() and query() share; the numbers are those of request(). */
  private ManagerId usableLockManager(String failed) {
    StackReserve.requireForStep(); // before the first change
    // 3.
    if (!GlobalScope.of(realm()).isFullyActive()) {
      throw ScriptException.dom("InvalidStateError", failed + "The document is not fully active.");
    }
    if (bucket != null && bucket.isRemoved()) {
      throw ScriptException.dom("InvalidStateError", failed + "The storage bucket was deleted.");
    }
    // 4.
    ManagerId manager = obtainLockManager();
    if (manager == null) {
      throw ScriptException.dom(
          "SecurityError", failed + "Locks are not available to an opaque origin.");
    }
    return manager;
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dom-lockmanager-request">3.2.1. The
   * request() method</a>
   */
  private IdlPromise request(Arguments args) {
    String name = args.string(0);
    // 1.
    LockMode mode = LockMode.EXCLUSIVE;
    boolean ifAvailable = false;
    boolean steal = false;
    AbortSignal signal = null;
    boolean reentrant = false;
    Value callback;
    if (args.overload() == 0) {
      callback = args.function(1);
    } else {
      DictionaryView options = args.dictionary(1);
      mode = LockMode.fromIdl(options.string("mode"));
      ifAvailable = options.bool("ifAvailable");
      steal = options.bool("steal");
      signal = options.objectOrNull("signal", AbortSignal.class);
      reentrant = rules.hasReentrantOption() && options.bool("reentrant");
      callback = args.overload() == 1 ? args.function(2) : null;
    }
    // 2. to 4.
    ManagerId manager = usableLockManager(REQUEST);
    if (rules.checksSignalFirst() && signal != null && signal.isAborted()) {
      throw ScriptException.of(signal.reason());
    }
    // 5.
    if (name.startsWith("-")) {
      throw notSupported("Names that start with '-' are reserved.");
    }
    // 6.
    if (steal && ifAvailable) {
      throw notSupported("The 'steal' and 'ifAvailable' options cannot be used together.");
    }
    // 7.
    if (steal && mode != LockMode.EXCLUSIVE) {
      throw notSupported("The 'steal' option may only be used with 'exclusive' locks.");
    }
    // 8.
    if (signal != null && (steal || ifAvailable)) {
      throw notSupported(
          "The 'signal' and '"
              + (steal ? "steal" : "ifAvailable")
              + "' options cannot be used together.");
    }
    // 9.
    if (signal != null && signal.isAborted()) {
      throw ScriptException.of(signal.reason());
    }
    requireWithinLimits(name);
    // 10.
    IdlPromise promise = args.promise();
    // 11.
    WaitMode waitMode =
        steal ? WaitMode.STEAL : ifAvailable ? WaitMode.IF_AVAILABLE : WaitMode.WAIT;
    String position = withPositions ? binding().callPositions().of(callback) : null;
    LockOptions options = new LockOptions(name, mode, waitMode, reentrant, position);
    client().requestLock(promise, manager, callback, options, signal);
    // 12.
    return promise;
  }

  private void requireWithinLimits(String name) {
    OpenRequests<?, ?> requests = client().requests();
    requests.requireLength(name, REQUEST);
    requests.requireRoom(REQUEST);
  }

  private LockClient client() {
    LockClient known = client;
    if (known == null) {
      known = LockClient.of(realm());
      client = known;
    }
    return known;
  }

  private static ScriptException notSupported(String why) {
    return ScriptException.dom("NotSupportedError", REQUEST + why);
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dom-lockmanager-query">3.2.2. The
   * query() method</a>
   */
  private IdlPromise query(Arguments args) {
    // 1. to 3.
    ManagerId manager = usableLockManager(QUERY);
    // 4.
    IdlPromise promise = args.promise();
    // 5.
    client().snapshotLockState(manager, promise);
    // 6.
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("LockManager", LockManager.class)
        .promiseOperation("request", LockManager::request)
        .promiseOperation("query", LockManager::query);
    implementations
        .mixin("NavigatorLocks", PlatformObject.class)
        .getter("locks", navigator -> LockManager.of(navigator.realm()));
    implementations
        .mixin("StorageBucketLocks", StorageBucket.class)
        .getter("locks", bucket -> LockManager.of(bucket.realm(), bucket.bucket()));
  }
}
