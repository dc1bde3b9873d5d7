package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RaiseVersion;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.Reply.Diagnosis;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Full;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.cluster.machine.Reply.SessionStatus;
import dev.weblocks.cluster.machine.Reply.Status;
import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.Wire;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.model.Variant;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The replicated state: namespaces with their lock managers, and sessions. Deterministic: only the
 * entries and the times that come with them change it. Not thread-safe.
 */
public final class ClusterMachine {

  private static final String WHAT = "a snapshot of the lock cluster";

  /** The rules of builds that had no others. */
  private static final int FIRST_RULES = 3;

  /** The rules with limits. */
  private static final int LIMITS = 4;

  private final Map<String, Namespace> namespaces = new TreeMap<>();
  private final Map<Long, Session> sessions = new TreeMap<>();
  private final Map<UUID, Session> bySecret = new HashMap<>();
  private final Members members = new Members();
  private long lastSession;
  private long nanoTime;
  private final FencingTokens tokens = new FencingTokens();
  private final Quota quota = new Quota(Quota.Scope.CLUSTER);
  private final LongAdder refused = new LongAdder();

  /** The locks and requests that queries have listed, in the entry with this index. */
  private final AtomicInteger listed = new AtomicInteger();

  private long listedIndex;

  /** The version of the codec whose rules hold; {@link #FIRST_RULES} for all earlier ones. */
  private int rules;

  /** The sessions that got an event or ended, since {@link #takeTouched} was called last. */
  private final List<Long> touched = new ArrayList<>();

  /** Creates a machine for the begin of a log. */
  public ClusterMachine() {
    this(FIRST_RULES);
  }

  /**
   * Creates a machine.
   *
   * @param rules the version of the codec whose rules hold from the first entry on
   */
  public ClusterMachine(int rules) {
    this.rules = rules;
  }

  /**
   * Applies an entry.
   *
   * @param index the index of the entry in the log; for traces only
   * @param time the time at which the entry was written, in nanoseconds of any clock; for diagnoses
   *     only. Earlier times than before count as the one before
   */
  public Reply apply(Entry entry, long index, long time) {
    nanoTime = Math.max(nanoTime, time);
    if (index != listedIndex) {
      listedIndex = index;
      listed.set(0);
    }
    Application at =
        new Application(index, nanoTime, tokens, touched, isLimited(), refused, listed);
    return switch (entry) {
      case OpenSession open -> openSession(open);
      case Batch batch -> batch(batch, at);
      case CloseSession close -> {
        Session session = session(close.session(), close.secret());
        if (session != null) {
          end(session, at);
        }
        yield new SessionOver();
      }
      case ExpireSession expire -> {
        Session session = sessions.get(expire.session());
        if (session != null) {
          touched.add(session.id);
          if (session.batches == expire.batches()) {
            end(session, at);
          }
        }
        yield new Done();
      }
      case RemoveNamespace remove -> {
        Namespace namespace = namespaces.get(remove.namespace());
        if (namespace == null) {
          yield new Rejected("there is no namespace '" + remove.namespace() + "'");
        }
        sessions.values().stream()
            .filter(session -> session.namespace == namespace)
            .toList()
            .forEach(session -> end(session, at));
        yield new Done();
      }
      case JoinMember join -> {
        String refusal = members.join(join);
        yield refusal == null ? new Done() : new Rejected(refusal);
      }
      case RaiseVersion raise -> {
        rules = Math.max(rules, raise.version());
        yield new Done();
      }
      case Several several ->
          new Reply.Several(
              several.entries().stream().map(each -> apply(each, index, time)).toList());
    };
  }

  /**
   * Handles that the log contains another configuration. The ids of members that it lacks cannot
   * join again.
   *
   * @param addresses the address of each member, by its id
   */
  public void configure(Map<String, String> addresses) {
    members.configure(addresses);
  }

  /** Returns the address of a member, as {@code host:port}; null if it is not known. */
  public @Nullable String addressOf(String member) {
    return members.addressOf(member);
  }

  /** Returns whether a member was removed by a configuration. */
  public boolean isRemoved(String member) {
    return members.isRemoved(member);
  }

  private boolean isLimited() {
    return rules >= LIMITS;
  }

  /** Returns whether the rules of a version do not hold yet, and all members can follow them. */
  boolean canRaise(int version) {
    return rules < version && members.allRead(version);
  }

  /**
   * Returns why an entry may not be logged, as a member cannot read it yet; null if it may.
   *
   * @param version of the codec
   */
  public @Nullable String refusal(int version) {
    return members.refusal(version);
  }

  /**
   * Returns why an entry of a client is not to be logged; null if it is. Looks only at what is the
   * same in all later states, since a member that leads no longer may call this.
   */
  public @Nullable String refusal(Entry entry) {
    return switch (entry) {
      case OpenSession open ->
          !isLimited() || bySecret.containsKey(open.secret()) ? null : Caps.refusal(open);
      case Batch batch -> {
        String refusal = refusal(batch.session(), batch.secret());
        for (LockCommand command : batch.commands()) {
          refusal = refusal == null && isLimited() ? Caps.refusal(command) : refusal;
        }
        yield refusal;
      }
      case CloseSession close -> refusal(close.session(), close.secret());
      case Several several ->
          several.entries().stream()
              .map(this::refusal)
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
      default -> null;
    };
  }

  private @Nullable String refusal(long id, UUID secret) {
    Session session = sessions.get(id);
    return session == null || session.secret.equals(secret)
        ? null
        : "the session " + id + " has another secret";
  }

  /** Returns and forgets how many commands were refused because of a limit. */
  public long takeRefused() {
    return refused.sumThenReset();
  }

  private Reply openSession(OpenSession open) {
    Session known = bySecret.get(open.secret());
    if (known != null) {
      return new Opened(known.id);
    }
    Namespace namespace = namespaces.get(open.namespace());
    if (namespace != null && !namespace.variants.equals(open.variants())) {
      return new Rejected(
          ("the namespace '%s' is used with the variants %s, but this user agent has %s; use"
                  + " another namespace")
              .formatted(
                  open.namespace(), Variant.ids(namespace.variants), Variant.ids(open.variants())));
    }
    String refusal = isLimited() ? Caps.refusal(open) : Caps.tooLong(open);
    String full = fullFor(open, namespace);
    if (full != null && (isLimited() || sessions.size() >= Caps.SESSIONS)) {
      return isLimited() && refusal == null ? new Full(full) : new Rejected(full);
    }
    if (refusal != null) {
      return new Rejected(refusal);
    }
    if (namespace == null) {
      namespace =
          new Namespace(
              open.namespace(),
              open.variants(),
              new LockManagers(open.variants()),
              new Buckets(tokens.last()),
              quota);
      add(namespace);
    }
    Session session =
        new Session(++lastSession, open.secret(), namespace, open.name(), open.leaseMillis());
    add(session);
    session.count();
    return new Opened(session.id);
  }

  /** Returns why there is no room for a session; null if there is. */
  private @Nullable String fullFor(OpenSession open, @Nullable Namespace namespace) {
    if (sessions.size() >= Caps.SESSIONS) {
      return "there are " + sessions.size() + " sessions, which is the limit";
    }
    Quota[] quotas = namespace == null ? new Quota[] {quota} : new Quota[] {namespace.quota, quota};
    return Quota.refusal(quotas, null, Quota.bytesOf(open.namespace(), open.name()));
  }

  private void add(Namespace namespace) {
    namespaces.put(namespace.name, namespace);
    Quota.add(new Quota[] {quota}, null, Quota.bytesOf(namespace.name));
  }

  private void add(Session session) {
    sessions.put(session.id, session);
    bySecret.put(session.secret, session);
    session.namespace.sessions++;
  }

  private Reply batch(Batch batch, Application at) {
    Session session = session(batch.session(), batch.secret());
    if (session == null) {
      return new SessionOver();
    }
    session.batches++;
    session.acknowledge(batch.acknowledged());
    long number = batch.first();
    for (var command : batch.commands()) {
      if (number == session.lastCommand + 1) { // a smaller one was applied before
        session.lastCommand = number;
        session.apply(command, at);
      }
      number++;
    }
    if (session.outboxIsFull(isLimited())) {
      end(session, at);
      return new SessionOver();
    }
    return new Events(
        session.lastCommand, session.eventsAfter(batch.acknowledged(), Caps.BATCH_REPLY, 0));
  }

  private void end(Session session, Application at) {
    sessions.remove(session.id);
    bySecret.remove(session.secret);
    touched.add(session.id);
    session.endClients(at);
    Namespace namespace = session.namespace;
    if (--namespace.sessions == 0) {
      namespace.buckets.clear(namespace);
      namespaces.remove(namespace.name);
      Quota.remove(new Quota[] {quota}, null, Quota.bytesOf(namespace.name));
    }
  }

  private @Nullable Session session(long id, UUID secret) {
    Session session = sessions.get(id);
    return session == null || !session.secret.equals(secret) ? null : session;
  }

  /** Returns the first events of a session after the acknowledged one, or {@link SessionOver}. */
  Reply events(long id, UUID secret, long acknowledged) {
    Session session = session(id, secret);
    return session == null
        ? new SessionOver()
        : new Events(session.lastCommand, session.eventsAfter(acknowledged, Caps.POLL_REPLY, 1));
  }

  /** Returns whether a session has events after the given one. */
  boolean hasEventsAfter(long id, long acknowledged) {
    Session session = sessions.get(id);
    return session != null && session.lastEvent() > acknowledged;
  }

  /** Returns a batch as if none of its commands had been sent before; for tests of the numbers. */
  public Batch renumbered(Batch batch) {
    Session session = sessions.get(batch.session());
    return session == null
        ? batch
        : new Batch(
            batch.session(),
            batch.secret(),
            batch.acknowledged(),
            session.lastCommand + 1,
            batch.commands());
  }

  /** Returns whether a session is open and has no event after the given one. */
  public boolean hasDeliveredAll(long id, long lastEvent) {
    Session session = sessions.get(id);
    return session != null && session.lastEvent() == lastEvent;
  }

  /** Returns the lease of each session, in milliseconds, by its id; in the order of the ids. */
  Map<Long, Long> leases() {
    Map<Long, Long> leases = new TreeMap<>();
    sessions.values().forEach(session -> leases.put(session.id, session.leaseMillis));
    return leases;
  }

  /** Returns the lease of a session in milliseconds; 0 for an unknown one. */
  long leaseMillis(long id) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.leaseMillis;
  }

  /** Returns the entry that ends a session, unless it sends a batch before. */
  public ExpireSession expiryOf(long id) {
    Session session = sessions.get(id);
    return new ExpireSession(id, session == null ? 0 : session.batches);
  }

  /** Returns and forgets the sessions that got an event, ended or were about to expire. */
  List<Long> takeTouched() {
    List<Long> taken = List.copyOf(touched);
    touched.clear();
    return taken;
  }

  /** Returns the locks and requests of a namespace, as its lock managers list them. */
  Diagnosis diagnose(String name) {
    Namespace namespace = namespaces.get(name);
    List<LockState> states = new ArrayList<>();
    if (namespace != null) {
      for (LockState state : namespace.managers.diagnose()) {
        states.add(named(namespace, state));
      }
    }
    return new Diagnosis(states, nanoTime);
  }

  private static LockState named(Namespace namespace, LockState state) {
    Namespace.Owner owner = namespace.owner(state.client());
    if (owner == null) {
      return state;
    }
    LockRequester requester = state.requester();
    return new LockState(
        state.id(),
        state.manager(),
        state.options(),
        state.place(),
        new LockRequester(
            owner.session().name + "/" + requester.agent(), requester.url(), requester.origin()),
        state.sinceNanos());
  }

  /**
   * Returns the sessions and members.
   *
   * @param silentMillis the time since the last sign of life of a session, by its id
   */
  Status status(Map<Long, Long> silentMillis) {
    Map<Long, int[]> counts = new HashMap<>();
    for (Namespace namespace : namespaces.values()) {
      for (LockState state : namespace.managers.diagnose()) {
        Namespace.Owner owner = namespace.owner(state.client());
        if (owner != null) {
          counts.computeIfAbsent(owner.session().id, id -> new int[2])[state.isHeld() ? 0 : 1]++;
        }
      }
    }
    List<SessionStatus> all = new ArrayList<>();
    for (Session session : sessions.values()) {
      int[] count = counts.getOrDefault(session.id, new int[2]);
      all.add(
          new SessionStatus(
              session.id,
              session.namespace.name,
              session.name,
              session.leaseMillis,
              silentMillis.getOrDefault(session.id, -1L),
              session.clientCount(),
              count[0],
              count[1]));
    }
    return new Status(all, members.status(), members.removed());
  }

  /** Returns how many sessions are open. */
  public int sessionCount() {
    return sessions.size();
  }

  /** Returns the lock managers of the namespaces, for checks. */
  Collection<LockManagers> managers() {
    return namespaces.values().stream().map(namespace -> namespace.managers).toList();
  }

  /** Returns the state as bytes. Equal states have equal bytes. */
  public byte[] snapshot() {
    int version = rules > FIRST_RULES ? rules : EntryCodec.SNAPSHOT_VERSION;
    return Wire.write(version, this, ClusterMachine::write);
  }

  private static void write(DataOutputStream out, ClusterMachine machine) throws IOException {
    out.writeLong(machine.lastSession);
    out.writeLong(machine.nanoTime);
    out.writeLong(machine.tokens.last());
    Members.write(out, machine.members);
    Wire.list(
        out,
        machine.namespaces.values(),
        (to, namespace) -> {
          Wire.string(to, namespace.name);
          EntryCodec.variants(to, namespace.variants);
          byte[] state = namespace.managers.snapshot();
          to.writeInt(state.length);
          to.write(state);
        });
    Wire.list(out, machine.sessions.values(), Session::write);
    for (Namespace namespace : machine.namespaces.values()) {
      Buckets.write(out, namespace.buckets);
    }
  }

  /**
   * Returns the machine that a {@link #snapshot} was taken of, also by a build of an earlier
   * version of the codec.
   *
   * @throws IllegalArgumentException if the bytes are malformed or of a later version
   */
  public static ClusterMachine restore(byte[] snapshot) {
    return Wire.read(snapshot, WHAT, EntryCodec.VERSION, ClusterMachine::read);
  }

  private static ClusterMachine read(DataInputStream in, int version) throws IOException {
    ClusterMachine machine = new ClusterMachine(Math.max(version, FIRST_RULES));
    machine.lastSession = in.readLong();
    machine.nanoTime = in.readLong();
    machine.tokens.continueAfter(in.readLong());
    machine.members.read(in, version);
    for (Namespace namespace : Wire.list(in, from -> namespace(from, machine.quota))) {
      machine.add(namespace);
    }
    for (Session session : Wire.list(in, from -> Session.read(from, version, machine.namespaces))) {
      machine.add(session);
    }
    if (version >= 2) { // a build of version 1 has no shared buckets
      for (Namespace namespace : machine.namespaces.values()) {
        namespace.buckets = Buckets.read(in, namespace, machine.sessions);
      }
    }
    machine.sessions.values().forEach(Session::count);
    machine.namespaces.values().forEach(Namespace::countRequests);
    return machine;
  }

  private static Namespace namespace(DataInputStream in, Quota cluster) throws IOException {
    String name = Wire.string(in);
    var variants = EntryCodec.variants(in);
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IllegalArgumentException(WHAT + " has a namespace of " + length + " bytes");
    }
    return new Namespace(
        name,
        variants,
        LockManagers.restore(in.readNBytes(length), variants),
        new Buckets(0),
        cluster);
  }

  /** Returns the sizes of what is stored, for checks. */
  String sizes() {
    return quota
        + namespaces.values().stream()
            .map(each -> "; " + each.quota + " " + each.keys)
            .collect(Collectors.joining())
        + sessions.values().stream().map(each -> "; " + each.sizes()).collect(Collectors.joining());
  }

  /** Returns the size of what a session stores, for checks; 0 without the session. */
  long bytesOf(long session) {
    Session known = sessions.get(session);
    return known == null ? 0 : known.storedBytes();
  }

  /** The counter of grants and of incarnations of buckets, in all namespaces together. */
  static final class FencingTokens {
    private long last;

    long next() {
      return ++last;
    }

    long last() {
      return last;
    }

    void continueAfter(long token) {
      last = token;
    }
  }
}
