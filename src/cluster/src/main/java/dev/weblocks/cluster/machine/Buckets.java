package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Quota.Unit;
import dev.weblocks.lockmanager.LockCodec;
import dev.weblocks.lockmanager.Wire;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The named storage buckets of a namespace, each with its current incarnation. A number is never
 * given to two incarnations, and the key of a lock manager contains it. So an incarnation shares no
 * lock with the one before, whose lock manager ends with its last lock or request.
 *
 * <p>A request names its bucket by the command of its session that has opened it. The state maps
 * that opening to an incarnation until it is deleted. So all sessions that have the current
 * incarnation open use one lock manager, and two never hold an exclusive lock of it.
 *
 * <p>Nothing of a deleted incarnation is stored here. A command that refers to it, by an opening
 * that has ended or by a number that is not current, is answered with its deletion. An incarnation
 * that no session has open stays, because its user agent may have lost its session. Only if there
 * are too many, the first such one ends as if it was deleted: it has no locks.
 *
 * <p>If a namespace has lost all its sessions, its buckets are gone without a deletion. So a number
 * of an earlier life of the namespace is ignored: the bucket is opened by its name.
 */
public final class Buckets {

  /** An incarnation. */
  static final class Incarnation {
    private final ManagerId bucket;
    private final long number;
    private final Set<Opening> openings = new LinkedHashSet<>();

    Incarnation(ManagerId bucket, long number) {
      this.bucket = bucket;
      this.number = number;
    }

    /** Returns the key of its lock manager. */
    ManagerId manager() {
      return managerOf(bucket, number);
    }
  }

  /**
   * A bucket that a session has open.
   *
   * @param id of the command, for the session
   */
  record Opening(Session session, RequestId id, Incarnation incarnation) {}

  /** The current incarnations by the keys that all incarnations of a bucket have, oldest first. */
  private final Map<ManagerId, Incarnation> current = new LinkedHashMap<>();

  /** The same by their storage keys. */
  private final Map<String, Set<Incarnation>> byKey = new HashMap<>();

  /** The numbers up to this one are of an earlier life of the namespace. */
  private final long before;

  Buckets(long before) {
    this.before = before;
  }

  /** Returns the key of the lock manager of an incarnation. */
  public static ManagerId managerOf(ManagerId bucket, long incarnation) {
    return new ManagerId(bucket.value() + "#" + incarnation, bucket.bucket());
  }

  /** Opens an incarnation for a session; returns the answer. */
  LockEffect open(Session session, OpenBucket command, Application at) {
    Namespace namespace = session.namespace;
    ManagerId bucket = command.bucket();
    long expected = command.incarnation();
    Incarnation known = current.get(bucket);
    if (expected > before && (known == null || known.number != expected)) {
      return new BucketDeleted(command.id());
    }
    if (known == null) {
      String refusal = Caps.refusal(bucket);
      if (refusal == null && at.isLimited()) {
        refusal = limitRefusal(bucket, namespace);
      } else if (refusal == null && current.size() >= Caps.BUCKETS && !removeUnused(namespace)) {
        refusal = "There are %s storage buckets, which is the limit.".formatted(current.size());
      }
      if (refusal != null) {
        at.refused().increment();
        return new Refused(command.id(), refusal);
      }
      known = new Incarnation(bucket, at.tokens().next());
      add(known, namespace);
    }
    add(new Opening(session, command.id(), known));
    return new BucketOpened(command.id(), known.number);
  }

  private static void add(Opening opening) {
    opening.incarnation().openings.add(opening);
    opening.session().opened(opening);
  }

  private @Nullable String limitRefusal(ManagerId bucket, Namespace namespace) {
    String key = Quota.storageKey(bucket);
    long bytes = Quota.bytesOf(bucket);
    Quota[] ofKey = {namespace.keys.of(key)};
    String refusal = Quota.refusal(ofKey, Unit.BUCKETS, bytes);
    if (refusal != null
        && removeUnused(byKey.getOrDefault(key, new LinkedHashSet<>()), namespace)) {
      refusal = Quota.refusal(ofKey, Unit.BUCKETS, bytes);
    }
    if (refusal != null) {
      return refusal;
    }
    Quota[] ofAll = {namespace.quota, namespace.cluster};
    refusal = Quota.refusal(ofAll, Unit.BUCKETS, bytes);
    return refusal != null && removeUnused(namespace)
        ? Quota.refusal(ofAll, Unit.BUCKETS, bytes)
        : refusal;
  }

  private static Quota[] quotas(String key, Namespace namespace) {
    return new Quota[] {namespace.keys.of(key), namespace.quota, namespace.cluster};
  }

  private void add(Incarnation incarnation, Namespace namespace) {
    ManagerId bucket = incarnation.bucket;
    String key = Quota.storageKey(bucket);
    current.put(bucket, incarnation);
    byKey.computeIfAbsent(key, unknown -> new LinkedHashSet<>()).add(incarnation);
    Quota.add(quotas(key, namespace), Unit.BUCKETS, Quota.bytesOf(bucket));
  }

  private void remove(Incarnation incarnation, Namespace namespace) {
    ManagerId bucket = incarnation.bucket;
    if (!current.remove(bucket, incarnation)) {
      return;
    }
    String key = Quota.storageKey(bucket);
    Set<Incarnation> others = byKey.get(key);
    if (others != null && others.remove(incarnation) && others.isEmpty()) {
      byKey.remove(key);
    }
    Quota.remove(quotas(key, namespace), Unit.BUCKETS, Quota.bytesOf(bucket));
  }

  private boolean removeUnused(Namespace namespace) {
    return removeUnused(current.values(), namespace);
  }

  /** Removes the first of some incarnations that no session has open. */
  private boolean removeUnused(Collection<Incarnation> some, Namespace namespace) {
    for (Incarnation each : some) {
      if (each.openings.isEmpty()) {
        remove(each, namespace);
        return true;
      }
    }
    return false;
  }

  /** Removes all incarnations, with their namespace. */
  void clear(Namespace namespace) {
    List.copyOf(current.values()).forEach(each -> remove(each, namespace));
  }

  @Nullable Incarnation current(ManagerId bucket) {
    return current.get(bucket);
  }

  /** Deletes an incarnation; returns what was opened, by each session. */
  Set<Opening> delete(Incarnation incarnation, Namespace namespace) {
    remove(incarnation, namespace);
    return incarnation.openings;
  }

  /** Handles that a session has an incarnation open no more. */
  static void close(Opening opening) {
    opening.incarnation().openings.remove(opening);
  }

  static ManagerId bucket(Opening opening) {
    return opening.incarnation().bucket;
  }

  static long number(Opening opening) {
    return opening.incarnation().number;
  }

  static void write(DataOutputStream out, Buckets buckets) throws IOException {
    out.writeLong(buckets.before);
    Wire.list(
        out,
        buckets.current.values(),
        (to, incarnation) -> {
          LockCodec.write(to, incarnation.bucket);
          to.writeLong(incarnation.number);
          Wire.list(
              to,
              incarnation.openings,
              (each, opening) -> {
                each.writeLong(opening.session().id);
                LockCodec.write(each, opening.id());
              });
        });
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IllegalArgumentException if a session does not exist, or has opened two by one command
   */
  static Buckets read(DataInputStream in, Namespace namespace, Map<Long, Session> sessions)
      throws IOException {
    Buckets buckets = new Buckets(in.readLong());
    for (Incarnation each : Wire.list(in, from -> incarnation(from, namespace, sessions))) {
      buckets.add(each, namespace);
    }
    return buckets;
  }

  private static Incarnation incarnation(
      DataInputStream in, Namespace namespace, Map<Long, Session> sessions) throws IOException {
    Incarnation incarnation = new Incarnation(LockCodec.manager(in), in.readLong());
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      long id = in.readLong();
      RequestId command = LockCodec.requestId(in);
      Session session = sessions.get(id);
      if (session == null || session.namespace != namespace || session.hasOpened(command)) {
        throw new IllegalArgumentException("the session " + id + " cannot have opened a bucket");
      }
      add(new Opening(session, command, incarnation));
    }
    return incarnation;
  }
}
