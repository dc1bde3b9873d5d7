package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.cluster.session.OpenRequest.State;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
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
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.locks.RemoteLocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a user agent with their sinks, open requests and locks: enough to begin a new
 * session, and to show and count them without the cluster. Guarded by the monitor of its owner.
 */
final class ClientTable {

  private record Registration(RegisterClient command, Consumer<LockEffect> sink) {}

  /** An effect with the client that gets it. */
  record Delivery(LockEffect effect, Registration client) {

    LockRequester requester() {
      return client.command().requester();
    }

    /** Makes all deliveries, also after one that throws; then throws the first failure again. */
    static void runAll(List<Delivery> all) {
      Throwable first = null;
      for (Delivery each : all) {
        try {
          each.run();
        } catch (RuntimeException | Error failure) {
          first = first == null ? failure : first;
        }
      }
      if (first instanceof RuntimeException failure) {
        throw failure;
      }
      if (first instanceof Error failure) {
        throw failure;
      }
    }

    void run() {
      client.sink().accept(effect);
    }
  }

  private final RemoteLocks.Connection connection;
  private final Map<ClientId, Registration> registrations = new LinkedHashMap<>();
  private final Map<RequestId, OpenRequest> open = new LinkedHashMap<>();

  /** The commands that have opened buckets, by the sequences of their ids; also in {@code open}. */
  private final Map<Long, OpenRequest> openings = new HashMap<>();

  private final long[] transitions = new long[Kind.values().length];
  private int held;
  private int waiting;

  /** The reason why the cluster refuses this user agent; null if it does not. */
  private @Nullable String rejection;

  ClientTable(RemoteLocks.Connection connection) {
    this.connection = connection;
  }

  /**
   * Adds a client.
   *
   * @throws IllegalStateException if it is registered
   */
  void register(RegisterClient command, Consumer<LockEffect> sink) {
    Registration registration = new Registration(command, sink);
    if (registrations.putIfAbsent(command.client(), registration) != null) {
      throw new IllegalStateException(
          command.client() + " is already registered; give every environment its own id");
    }
  }

  void unregister(ClientId client) {
    registrations.remove(client);
  }

  /**
   * Notes a command.
   *
   * @param refuse gets an effect if the command is refused here
   * @return whether to send the command
   */
  boolean take(LockCommand command, Consumer<LockEffect> refuse) {
    Registration registration = registrations.get(command.client());
    if (registration == null) {
      return false; // the client has ended
    }
    String refusal = rejection == null ? Caps.refusal(command) : rejection;
    switch (command) {
      case RegisterClient register ->
          throw new IllegalArgumentException(
              "a registration cannot be enqueued; call register(): " + command);
      case RequestLock request -> {
        OpenRequest made = add(request.id(), request, registration, request.manager().opening());
        waiting++;
        report(made, Kind.REQUESTED, false);
        if (refusal != null) {
          refuse.accept(new Refused(request.id(), refusal));
          return false;
        }
      }
      case TakeSnapshot query -> {
        OpenRequest unused = add(query.id(), query, registration, 0);
        if (refusal != null) {
          refuse.accept(new Refused(query.id(), refusal));
          return false;
        }
      }
      case BucketCommand bucket -> {
        OpenRequest made = add(bucket.id(), bucket, registration, 0);
        if (bucket instanceof OpenBucket) {
          openings.put(bucket.id().sequence(), made);
        }
        if (refusal != null) {
          refuse.accept(new Refused(bucket.id(), refusal));
          return false;
        }
      }
      case ReleaseLock release -> {
        OpenRequest lock = open.get(release.id());
        if (lock != null && lock.state == State.HELD) {
          lock.state = State.RELEASING;
        }
      }
      case AbortRequest abort -> {
        OpenRequest request = open.get(abort.id());
        if (request != null && !request.isLock()) {
          close(request, Kind.ABORTED, false);
        }
      }
      case EndClient end -> {
        registrations.remove(end.client());
        for (OpenRequest each : List.copyOf(open.values())) {
          if (each.command.client().equals(end.client())) {
            close(each, each.isLock() ? Kind.RELEASED : Kind.ABORTED, true);
          }
        }
      }
    }
    return rejection == null;
  }

  /** Returns a function that refuses a command that was sent, but is not accepted. */
  Consumer<LockCommand> refusing(String message, Consumer<LockEffect> receive) {
    return command -> {
      RequestId id =
          switch (command) {
            case RequestLock request -> request.id();
            case TakeSnapshot query -> query.id();
            case BucketCommand bucket -> bucket.id();
            default -> null; // has no answer
          };
      if (id != null) {
        receive.accept(new Refused(id, message));
      }
    };
  }

  private OpenRequest add(
      RequestId id, LockCommand command, Registration registration, long opening) {
    OpenRequest made =
        new OpenRequest(
            id, command, registration.command().requester(), openings.get(opening), now());
    open.put(id, made);
    return made;
  }

  private long now() {
    return connection.clock().nanoTime();
  }

  /** Removes a request, lock, query or command about a bucket. */
  private void close(OpenRequest request, Kind kind, boolean clientEnded) {
    open.remove(request.id);
    openings.remove(request.id.sequence(), request);
    if (!request.isQuery()) {
      if (request.isLock()) {
        held--;
      } else {
        waiting--;
      }
      report(request, kind, clientEnded);
    }
  }

  private void report(OpenRequest request, Kind kind, boolean clientEnded) {
    transitions[kind.ordinal()]++;
    LockWatcher watcher = connection.watcher();
    if (watcher != null && watcher.isWatching()) {
      LockTransition transition = request.transition(kind, now(), clientEnded);
      connection.queueSteps("report", () -> watcher.on(transition));
    }
  }

  /**
   * Notes an effect that has arrived; it is delivered later.
   *
   * @return the request of the effect; null if it was aborted, or its client has ended
   */
  @Nullable OpenRequest received(LockEffect effect) {
    OpenRequest request = open.get(effect.id());
    if (request == null) {
      return null;
    }
    switch (effect) {
      case Granted granted -> {
        waiting--;
        held++;
        report(request, Kind.GRANTED, false);
        request.state = State.GRANTED;
        request.since = now();
      }
      case Unavailable unavailable -> close(request, Kind.MISSED, false);
      case Stolen stolen -> close(request, Kind.STOLEN, false);
      case SessionLost lost -> close(request, Kind.STOLEN, false);
      case Released released -> close(request, Kind.RELEASED, false);
      case SnapshotTaken taken -> close(request, Kind.RELEASED, false);
      case Refused refused -> close(request, Kind.ABORTED, false);
      case BucketDeleted deleted -> close(request, Kind.ABORTED, false);
      case BucketOpened opened -> {
        if (request.command instanceof OpenBucket) {
          request.incarnation = opened.incarnation();
        } else {
          close(request, Kind.RELEASED, false);
        }
      }
    }
    return request;
  }

  /** Notes that an effect is about to be delivered; returns null if its client has ended. */
  @Nullable Delivery delivery(LockEffect effect) {
    OpenRequest request = open.get(effect.id());
    if (effect instanceof Granted && request != null && request.state == State.GRANTED) {
      request.state = State.HELD;
    }
    Registration registration = registrations.get(effect.client());
    return registration == null ? null : new Delivery(effect, registration);
  }

  /**
   * Ends the session: held locks are lost, and locks in release are released.
   *
   * @param losses gets the losses, which must be delivered at once
   * @param settled gets other effects
   * @return the commands with which the next session begins
   */
  List<LockCommand> endSession(Consumer<Delivery> losses, Consumer<LockEffect> settled) {
    List<LockCommand> again = new ArrayList<>();
    registrations.values().forEach(registration -> again.add(registration.command()));
    for (OpenRequest each : List.copyOf(open.values())) {
      switch (each.state) {
        case WAITING -> again.add(each.again());
        case GRANTED -> { // not delivered yet
          report(each, Kind.RELEASED, false);
          held--;
          waiting++;
          each.state = State.WAITING;
          each.since = now();
          report(each, Kind.REQUESTED, false);
          again.add(each.command);
        }
        case HELD -> {
          close(each, Kind.STOLEN, false);
          Delivery loss = delivery(new SessionLost(each.id));
          if (loss != null) {
            losses.accept(loss);
          }
        }
        case RELEASING -> settled.accept(new Released(each.id, SpecStep.RELEASED_RESOLVES));
      }
    }
    return again;
  }

  /** Refuses all open and all later requests and queries. */
  void reject(String message, Consumer<LockEffect> refuse) {
    rejection = message;
    for (RequestId id : List.copyOf(open.keySet())) {
      refuse.accept(new Refused(id, message));
    }
  }

  boolean isRejected() {
    return rejection != null;
  }

  LockCounts counts() {
    return new LockCounts(
        transitions[Kind.REQUESTED.ordinal()],
        transitions[Kind.GRANTED.ordinal()],
        transitions[Kind.MISSED.ordinal()],
        transitions[Kind.STOLEN.ordinal()],
        transitions[Kind.ABORTED.ordinal()],
        transitions[Kind.RELEASED.ordinal()],
        held,
        waiting);
  }

  /**
   * Returns the locks and requests, name by name. The place of a request is the one among the
   * requests of this user agent.
   */
  List<LockState> diagnose() {
    Map<List<Object>, List<LockState>> byName = new LinkedHashMap<>();
    Map<List<Object>, Integer> places = new HashMap<>();
    for (boolean locks : new boolean[] {true, false}) {
      for (OpenRequest each : open.values()) {
        if (!each.isQuery() && each.isLock() == locks) {
          LockState state = each.describe(0);
          List<Object> name = List.of(state.manager(), state.name());
          int place = locks ? 0 : places.merge(name, 1, Integer::sum);
          byName.computeIfAbsent(name, unused -> new ArrayList<>()).add(each.describe(place));
        }
      }
    }
    return byName.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the locks that clients have and did not give back. */
  Stream<LockState> heldLocks() {
    return open.values().stream()
        .filter(each -> each.state == State.HELD || each.state == State.GRANTED)
        .map(OpenRequest::describeInCluster);
  }

  /** Returns whether a client has a lock. */
  boolean hasDeliveredLock() {
    return open.values().stream().anyMatch(each -> each.state == State.HELD);
  }
}
