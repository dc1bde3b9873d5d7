package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Buckets.Opening;
import dev.weblocks.cluster.machine.ClusterMachine.FencingTokens;
import dev.weblocks.cluster.machine.Namespace.Owner;
import dev.weblocks.cluster.machine.Quota.Unit;
import dev.weblocks.lockmanager.LockCodec;
import dev.weblocks.lockmanager.Wire;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.CheckBucket;
import dev.weblocks.lockmanager.message.LockCommand.DeleteBucket;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SessionLost;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The session of a user agent: its clients, the number of its last command, and the events that it
 * has not acknowledged.
 *
 * <p>The ids of clients in the lock managers contain the session. So ids of two user agents never
 * collide, and a user agent cannot name a lock of another one.
 */
final class Session {

  private static final char SEPARATOR = '/';
  private static final String ID_IN_USE = "The id of the request is in use.";
  private static final String UNKNOWN_CLIENT =
      "The lock cluster does not have the client of the request.";

  private static final String TOO_MANY_LISTED =
      "Queries of one message would list more than %s locks and requests.".formatted(Caps.LISTED);

  final long id;
  final UUID secret;
  final Namespace namespace;
  final String name;
  final long leaseMillis;

  /** The number of the last command that was applied. */
  long lastCommand;

  /** The number of batches that were applied, repeated ones included. */
  long batches;

  private long lastEvent;
  private final Deque<Event> outbox = new ArrayDeque<>();
  private long outboxBytes;

  private final Quota quota = new Quota(Quota.Scope.SESSION);
  private final Quota.OfKeys keys = new Quota.OfKeys(Quota.Scope.STORAGE_KEY_OF_SESSION);

  /** The ids of the registered clients for the lock managers, by those of the user agent. */
  private final Map<ClientId, ClientId> clients = new LinkedHashMap<>();

  /** The open buckets, by the sequences of the commands that have opened them. */
  private final Map<Long, Opening> openings = new HashMap<>();

  Session(long id, UUID secret, Namespace namespace, String name, long leaseMillis) {
    this.id = id;
    this.secret = secret;
    this.namespace = namespace;
    this.name = name;
    this.leaseMillis = leaseMillis;
  }

  long lastEvent() {
    return lastEvent;
  }

  int clientCount() {
    return clients.size();
  }

  boolean outboxIsFull(boolean isLimited) {
    return outbox.size() > Caps.OUTBOX || (isLimited && outboxIsFull());
  }

  private boolean outboxIsFull() {
    return outboxBytes > Caps.OUTBOX_BYTES
        || (outboxBytes > Caps.OUTBOX_BYTES_WHEN_FULL
            && Quota.refusal(new Quota[] {namespace.quota, namespace.cluster}, null, 0) != null);
  }

  void acknowledge(long number) {
    long bytes = 0;
    Event first;
    while ((first = outbox.peek()) != null && first.number() <= number) {
      bytes += Quota.bytesOf(outbox.remove().effect());
    }
    countEvents(-bytes);
  }

  private void countEvents(long bytes) {
    outboxBytes += bytes;
    Quota.add(quotas(), null, bytes);
  }

  /** Returns the quotas that everything of this session counts for. */
  private Quota[] quotas() {
    return new Quota[] {quota, namespace.quota, namespace.cluster};
  }

  /** Returns the quotas that something in a bucket counts for. */
  private Quota[] quotas(ManagerId bucket) {
    String key = Quota.storageKey(bucket);
    return new Quota[] {
      keys.of(key), quota, namespace.keys.of(key), namespace.quota, namespace.cluster
    };
  }

  /** Returns the size of the session itself, for its namespace and the cluster. */
  long bytes() {
    return Quota.bytesOf(name);
  }

  /** Counts what this session has, after it was read. Its namespace counts requests and locks. */
  void count() {
    Quota.add(new Quota[] {namespace.quota, namespace.cluster}, null, bytes());
    clients.values().forEach(known -> countClient(known, 1));
    countEvents(outbox.stream().mapToLong(event -> Quota.bytesOf(event.effect())).sum());
  }

  private void countClient(ClientId known, int more) {
    LockRequester requester = namespace.managers.requester(known);
    if (requester != null) {
      count(quotas(), Unit.CLIENTS, more, Quota.bytesOf(known, requester));
    }
  }

  /** Counts a request or lock that was made, or has ended. */
  void countRequest(ManagerId manager, LockOptions options, int more) {
    count(quotas(manager), Unit.REQUESTS, more, Quota.bytesOf(manager, options));
  }

  long storedBytes() {
    return quota.bytes();
  }

  /** Returns the sizes of what is stored, for checks. */
  String sizes() {
    return quota + " (" + outboxBytes + ") " + keys;
  }

  private static void count(Quota[] quotas, @Nullable Unit unit, int more, long bytes) {
    if (more > 0) {
      Quota.add(quotas, unit, bytes);
    } else {
      Quota.remove(quotas, unit, bytes);
    }
  }

  /**
   * Returns the first events after one.
   *
   * @param least the number of events that are returned whatever their size
   */
  List<Event> eventsAfter(long number, long mostBytes, int least) {
    List<Event> events = new ArrayList<>();
    long bytes = 0;
    for (Event event : outbox) {
      if (event.number() > number) {
        bytes += Quota.bytesOf(event.effect());
        if (bytes > mostBytes && events.size() >= least) {
          break;
        }
        events.add(event);
      }
    }
    return events;
  }

  /** Applies a command of the user agent. */
  void apply(LockCommand whole, Application at) {
    LockCommand command = at.isLimited() ? Caps.cut(whole) : whole;
    String refusal = at.isLimited() ? refusal(command, at) : null;
    if (refusal != null) {
      refuse(command, refusal, at);
      return;
    }
    switch (command) {
      case RegisterClient register -> {
        if (!clients.containsKey(register.client())) {
          ClientId known = register(register.client());
          run(new RegisterClient(known, register.requester()), at);
          countClient(known, 1);
        }
      }
      case EndClient end -> {
        ClientId known = clients.get(end.client());
        if (known != null) {
          endClient(known, at);
          clients.remove(end.client());
          openings
              .values()
              .removeIf(opening -> {
                boolean ends = opening.id().client().equals(end.client());
                if (ends) {
                  close(opening);
                }
                return ends;
              });
        }
      }
      case RequestLock request -> {
        refusal = Caps.nameRefusal(request);
        RequestId known = known(request.id());
        if (known == null) {
          return; // the client has ended
        }
        if (refusal == null) {
          ManagerId manager = managerOf(request.manager());
          if (manager == null) {
            post(new BucketDeleted(request.id()), at);
            return;
          }
          try {
            run(new RequestLock(known, manager, request.options()), at);
            return;
          } catch (IllegalArgumentException idInUse) {
            refusal = ID_IN_USE;
          }
        }
        post(new Refused(request.id(), refusal), at);
      }
      case ReleaseLock release -> {
        RequestId known = known(release.id());
        if (known != null) {
          run(new ReleaseLock(known), at);
        }
      }
      case AbortRequest abort -> {
        RequestId known = known(abort.id());
        if (known != null) {
          run(new AbortRequest(known), at);
        }
      }
      case TakeSnapshot query -> {
        RequestId known = known(query.id());
        ManagerId manager = managerOf(query.manager());
        if (known != null && manager != null) {
          run(new TakeSnapshot(known, manager), at);
        } else if (known != null) {
          post(new BucketDeleted(query.id()), at);
        }
      }
      case BucketCommand bucket -> {
        if (clients.containsKey(bucket.client())) {
          post(apply(bucket, at), at);
        }
      }
    }
  }

  /** Returns why a command is refused; null if it is not. */
  private @Nullable String refusal(LockCommand command, Application at) {
    String refusal = Caps.refusal(command);
    if (refusal != null) {
      return refusal;
    }
    return switch (command) {
      case RegisterClient register ->
          clients.containsKey(register.client())
              ? null
              : Quota.refusal(
                  quotas(), Unit.CLIENTS, Quota.bytesOf(register.client(), register.requester()));
      case RequestLock request -> {
        ManagerId manager = managerOf(request.manager());
        yield !clients.containsKey(request.client())
            ? UNKNOWN_CLIENT
            : manager == null
                ? null
                : Quota.refusal(
                    quotas(manager), Unit.REQUESTS, Quota.bytesOf(manager, request.options()));
      }
      case TakeSnapshot query -> {
        ManagerId manager = managerOf(query.manager());
        int infos = manager == null ? 0 : namespace.keys.of(Quota.storageKey(manager)).requests();
        yield !clients.containsKey(query.client())
            ? UNKNOWN_CLIENT
            : at.list(infos)
                ? Quota.refusal(quotas(), null, Quota.bytesOfAnswer(infos))
                : TOO_MANY_LISTED;
      }
      case BucketCommand bucket ->
          !clients.containsKey(bucket.client())
              ? UNKNOWN_CLIENT
              : bucket instanceof OpenBucket open ? openingRefusal(open.bucket()) : null;
      default -> null;
    };
  }

  private @Nullable String openingRefusal(ManagerId bucket) {
    Quota[] own = {keys.of(Quota.storageKey(bucket)), quota};
    String refusal = Quota.refusal(own, Unit.BUCKETS, Quota.OPENING);
    return refusal == null ? Quota.refusal(quotas(bucket), null, Quota.OPENING) : refusal;
  }

  private void refuse(LockCommand command, String refusal, Application at) {
    at.refused().increment();
    RequestId request =
        switch (command) {
          case RequestLock lock -> lock.id();
          case TakeSnapshot query -> query.id();
          case BucketCommand bucket -> bucket.id();
          default -> null;
        };
    if (request != null) {
      post(new Refused(request, refusal), at);
    }
  }

  /** Applies a command about a bucket; returns the answer. */
  private LockEffect apply(BucketCommand command, Application at) {
    return switch (command) {
      case OpenBucket open ->
          hasOpened(open.id())
              ? new Refused(open.id(), ID_IN_USE)
              : namespace.buckets.open(this, open, at);
      case CheckBucket check -> {
        Opening opening = openings.get(check.opening());
        yield opening == null
            ? new BucketDeleted(check.id())
            : new BucketOpened(check.id(), Buckets.number(opening));
      }
      case DeleteBucket delete -> {
        Opening opening = openings.get(delete.opening());
        Buckets.Incarnation deleted =
            opening != null
                ? opening.incarnation()
                : delete.opening() == 0 ? namespace.buckets.current(delete.bucket()) : null;
        if (deleted != null) {
          for (Opening each : namespace.buckets.delete(deleted, namespace)) {
            each.session().deleted(each.id(), at);
          }
        }
        yield new BucketDeleted(delete.id());
      }
    };
  }

  boolean hasOpened(RequestId command) {
    return openings.containsKey(command.sequence());
  }

  void opened(Opening opening) {
    openings.put(opening.id().sequence(), opening);
    countOpening(opening, 1);
  }

  private void close(Opening opening) {
    Buckets.close(opening);
    countOpening(opening, -1);
  }

  private void deleted(RequestId id, Application at) {
    Opening opening = openings.remove(id.sequence());
    if (opening != null) {
      countOpening(opening, -1);
    }
    post(new BucketDeleted(id), at);
  }

  private void countOpening(Opening opening, int more) {
    String key = Quota.storageKey(Buckets.bucket(opening));
    count(new Quota[] {keys.of(key), quota}, Unit.BUCKETS, more, Quota.OPENING);
    Quota[] shared = {namespace.keys.of(key), namespace.quota, namespace.cluster};
    count(shared, null, more, Quota.OPENING);
  }

  /** Returns the key of a lock manager in the namespace; null if its bucket was deleted. */
  private @Nullable ManagerId managerOf(ManagerId manager) {
    if (manager.opening() == 0) {
      return manager;
    }
    Opening opening = openings.get(manager.opening());
    return opening == null ? null : opening.incarnation().manager();
  }

  /** Returns the id of a request for the lock managers; null if its client is not registered. */
  private @Nullable RequestId known(RequestId request) {
    ClientId client = clients.get(request.client());
    return client == null ? null : new RequestId(client, request.sequence());
  }

  private ClientId register(ClientId client) {
    ClientId known = clients.get(client);
    if (known == null) {
      known = new ClientId(Long.toString(id) + SEPARATOR + client.value());
      clients.put(client, known);
      namespace.add(known, new Owner(this, client));
    }
    return known;
  }

  /** Ends all clients, in the order in which they were registered. */
  void endClients(Application at) {
    for (ClientId client : clients.values()) {
      endClient(client, at);
    }
    clients.clear();
    openings.values().forEach(this::close);
    openings.clear();
    Quota.remove(quotas(), null, outboxBytes);
    Quota.remove(new Quota[] {namespace.quota, namespace.cluster}, null, bytes());
  }

  private void endClient(ClientId client, Application at) {
    countClient(client, -1);
    run(new EndClient(client), at);
    namespace.remove(client);
  }

  private void run(LockCommand command, Application at) {
    for (LockOutcome outcome : namespace.managers.apply(command, at.nanoTime())) {
      if (outcome instanceof LockTransition transition) {
        count(transition);
      }
      LockEffect effect = outcome.effect();
      if (effect == null) {
        continue;
      }
      Owner owner = namespace.owner(effect.client());
      if (owner != null) {
        owner.session().post(ownerView(effect, owner.client(), at.tokens()), at);
      }
    }
  }

  /** Counts a request that is made here, or one of any session that ends. */
  private void count(LockTransition transition) {
    Owner owner = namespace.owner(transition.client());
    if (owner == null || transition.kind() == Kind.GRANTED) {
      return;
    }
    owner
        .session()
        .countRequest(
            transition.manager(),
            transition.options(),
            transition.kind() == Kind.REQUESTED ? 1 : -1);
  }

  private void post(LockEffect effect, Application at) {
    LockEffect posted = effect;
    if (at.isLimited() && effect instanceof SnapshotTaken) {
      String refusal = Quota.refusal(quotas(), null, Quota.bytesOf(effect));
      if (refusal != null) {
        at.refused().increment();
        posted = new Refused(effect.id(), refusal);
      }
    }
    Event event = new Event(++lastEvent, at.index(), posted);
    outbox.add(event);
    countEvents(Quota.bytesOf(posted));
    at.touched().add(id);
  }

  /** Returns an effect with the ids of the user agent. */
  private static LockEffect ownerView(LockEffect effect, ClientId client, FencingTokens tokens) {
    RequestId request = new RequestId(client, effect.id().sequence());
    return switch (effect) {
      case Granted granted -> new Granted(request, granted.step(), tokens.next());
      case Unavailable unavailable -> new Unavailable(request, unavailable.step());
      case Stolen stolen -> new Stolen(request, stolen.step());
      case Released released -> new Released(request, released.step());
      case SnapshotTaken taken ->
          new SnapshotTaken(
              request,
              new LockManagerSnapshot(
                  ownerView(taken.snapshot().held()), ownerView(taken.snapshot().pending())),
              taken.step());
      case SessionLost lost -> new SessionLost(request);
      case Refused refused -> new Refused(request, refused.message());
      case BucketOpened opened -> new BucketOpened(request, opened.incarnation());
      case BucketDeleted deleted -> new BucketDeleted(request);
    };
  }

  private static List<LockInfo> ownerView(List<LockInfo> infos) {
    return infos.stream()
        .map(info ->
            new LockInfo(
                info.name(),
                info.mode(),
                info.clientId().substring(info.clientId().indexOf(SEPARATOR) + 1)))
        .toList();
  }

  static void write(DataOutputStream out, Session session) throws IOException {
    out.writeLong(session.id);
    EntryCodec.uuid(out, session.secret);
    Wire.string(out, session.namespace.name);
    Wire.string(out, session.name);
    out.writeLong(session.leaseMillis);
    out.writeLong(session.lastCommand);
    out.writeLong(session.batches);
    out.writeLong(session.lastEvent);
    Wire.list(out, session.clients.keySet(), LockCodec::write);
    Wire.list(out, session.outbox, EntryCodec::write);
  }

  static Session read(DataInputStream in, int version, Map<String, Namespace> namespaces)
      throws IOException {
    long id = in.readLong();
    UUID secret = EntryCodec.uuid(in);
    String namespaceName = Wire.string(in);
    Namespace namespace = namespaces.get(namespaceName);
    if (namespace == null) {
      throw new IllegalArgumentException(
          "session " + id + " is of the namespace '" + namespaceName + "', which does not exist");
    }
    Session session = new Session(id, secret, namespace, Wire.string(in), in.readLong());
    session.lastCommand = in.readLong();
    session.batches = in.readLong();
    session.lastEvent = in.readLong();
    Wire.list(in, LockCodec::client).forEach(session::register);
    session.outbox.addAll(Wire.list(in, from -> EntryCodec.event(from, version)));
    return session;
  }
}
