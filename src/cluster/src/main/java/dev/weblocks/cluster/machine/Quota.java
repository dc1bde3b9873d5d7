package dev.weblocks.cluster.machine;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The amount of data that a member stores in one scope, such as a session, with its limits. It is a
 * function of the replicated state, so that all members agree. Sizes are rounded estimates of the
 * heap. Not thread-safe.
 */
final class Quota {

  /** The units of data, apart from bytes. */
  enum Unit {
    CLIENTS("clients"),
    /** Requests that wait, and locks. */
    REQUESTS("requests and locks"),
    BUCKETS("storage buckets");

    private final String plural;

    Unit(String plural) {
      this.plural = plural;
    }
  }

  /** The scopes, with their limits. */
  enum Scope {
    /** Half of a session, so that one origin leaves room for the others of its user agent. */
    STORAGE_KEY_OF_SESSION("The storage key in this user agent", Caps.NONE, 25_000, 1_000, 16),
    SESSION("The user agent", 10_000, 50_000, Caps.BUCKETS, 32),
    STORAGE_KEY("The storage key", Caps.NONE, 150_000, 1_000, 128),
    NAMESPACE("The namespace", 200_000, 200_000, Caps.BUCKETS, 192),
    CLUSTER("The lock cluster", 250_000, 250_000, 40_000, 256);

    private final String text;
    private final long[] limits;
    private final long bytes;

    Scope(String text, int clients, int requests, int buckets, long mebibytes) {
      this.text = text;
      this.limits = new long[] {clients, requests, buckets};
      this.bytes = mebibytes << 20;
    }
  }

  /** The quotas of the storage keys that have data. */
  static final class OfKeys {
    private final Scope scope;
    private final Map<String, Quota> quotas = new HashMap<>();

    OfKeys(Scope scope) {
      this.scope = scope;
    }

    /** Returns the sizes, for checks. */
    @Override
    public String toString() {
      return new TreeMap<>(quotas).values().toString();
    }

    /** Returns the quota of a key, which is kept from its first {@link #add} on. */
    Quota of(String key) {
      Quota known = quotas.get(key);
      return known == null ? new Quota(scope, this, key) : known;
    }
  }

  /** The size of an opening of a bucket. */
  static final long OPENING = 256;

  private static final long OBJECT = 512;

  /** The size of a request; one that is alone in its lock manager has twice as much. */
  private static final long REQUEST = 640;

  private static final long EVENT = 160;

  private final Scope scope;
  private final @Nullable OfKeys all;
  private final String key;
  private final long[] counts = new long[Unit.values().length];
  private long bytes;

  Quota(Scope scope) {
    this(scope, null, "");
  }

  private Quota(Scope scope, @Nullable OfKeys all, String key) {
    this.scope = scope;
    this.all = all;
    this.key = key;
  }

  /** Returns the storage key of a bucket, as the library writes it. */
  static String storageKey(ManagerId bucket) {
    int name = bucket.value().lastIndexOf("/" + bucket.bucket());
    return name < 0 ? bucket.value() : bucket.value().substring(0, name);
  }

  static long bytesOf(ClientId client, LockRequester requester) {
    return OBJECT
        + units(client.value())
        + units(requester.agent())
        + units(requester.url())
        + units(requester.origin());
  }

  /** Returns the size of a request or lock; a snapshot has its name twice. */
  static long bytesOf(ManagerId manager, LockOptions options) {
    String position = options.position();
    return REQUEST
        + 2 * units(options.name())
        + units(manager.value())
        + (position == null ? 0 : 2 * units(position));
  }

  static long bytesOf(ManagerId bucket) {
    return OBJECT + units(bucket.value()) + units(bucket.bucket());
  }

  static long bytesOf(LockEffect effect) {
    long bytes = EVENT + units(effect.client().value());
    return switch (effect) {
      case SnapshotTaken taken ->
          bytes + bytesOf(taken.snapshot().held()) + bytesOf(taken.snapshot().pending());
      case Refused refused -> bytes + units(refused.message());
      default -> bytes;
    };
  }

  /** Returns the least size of the answer to a query. */
  static long bytesOfAnswer(int infos) {
    return EVENT * (1L + infos);
  }

  private static long bytesOf(List<LockInfo> infos) {
    long bytes = 0;
    for (LockInfo info : infos) {
      bytes += EVENT + units(info.name()) + units(info.clientId());
    }
    return bytes;
  }

  /** Returns the size of a session or a namespace without what is in it. */
  static long bytesOf(String... texts) {
    long bytes = OBJECT;
    for (String text : texts) {
      bytes += units(text);
    }
    return bytes;
  }

  private static long units(String text) {
    return 2L * text.length();
  }

  /** Returns why nothing more may be stored; null if it may. */
  static @Nullable String refusal(Quota[] quotas, @Nullable Unit unit, long bytes) {
    for (Quota each : quotas) {
      String refusal = each.refusal(unit, bytes);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private @Nullable String refusal(@Nullable Unit unit, long more) {
    if (unit != null && counts[unit.ordinal()] >= scope.limits[unit.ordinal()]) {
      return refusal(scope.limits[unit.ordinal()] + " " + unit.plural);
    }
    return bytes + more > scope.bytes ? refusal((scope.bytes >> 20) + " MiB") : null;
  }

  private String refusal(String limit) {
    String whose = scope == Scope.CLUSTER ? "" : " in the lock cluster";
    return "%s has reached the limit of %s%s.".formatted(scope.text, limit, whose);
  }

  static void add(Quota[] quotas, @Nullable Unit unit, long bytes) {
    for (Quota each : quotas) {
      each.change(unit, 1, bytes);
    }
  }

  static void remove(Quota[] quotas, @Nullable Unit unit, long bytes) {
    for (Quota each : quotas) {
      each.change(unit, -1, -bytes);
    }
  }

  private void change(@Nullable Unit unit, int more, long moreBytes) {
    if (all != null && bytes == 0) {
      all.quotas.put(key, this);
    }
    if (unit != null) {
      counts[unit.ordinal()] += more;
    }
    bytes += moreBytes;
    if (all != null && bytes == 0) {
      all.quotas.remove(key);
    }
  }

  long bytes() {
    return bytes;
  }

  int requests() {
    return Math.toIntExact(counts[Unit.REQUESTS.ordinal()]);
  }

  /** Returns the sizes, for checks. */
  @Override
  public String toString() {
    return "%s: %s clients, %s requests, %s buckets, %s bytes"
        .formatted(
            scope,
            counts[Unit.CLIENTS.ordinal()],
            counts[Unit.REQUESTS.ordinal()],
            counts[Unit.BUCKETS.ordinal()],
            bytes);
  }
}
