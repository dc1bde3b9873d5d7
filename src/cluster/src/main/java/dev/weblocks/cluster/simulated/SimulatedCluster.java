package dev.weblocks.cluster.simulated;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Driver;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.session.ClusterLocks;
import dev.weblocks.cluster.session.ReplicatedLog;
import dev.weblocks.cluster.session.SessionListener;
import dev.weblocks.cluster.session.SessionSettings;
import dev.weblocks.cluster.session.SharedLog;
import dev.weblocks.embed.LockBackend;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.locks.RemoteLocks;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in one deterministic driver. User agents that are built with it, and with that driver,
 * share their locks as if each ran on a machine of its own. The schedule chooses which message
 * arrives next, which member applies an entry, when time passes, and the {@link Faults}. Used on
 * the thread of the driver.
 *
 * <p>Checked after each step: no two user agents hold a valid exclusive lock of one name, no turn
 * begins with a lock beyond its lease, and members that have applied the same entries are equal.
 */
public final class SimulatedCluster implements LockBackend, RemoteLocks {

  private static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /** The steps between two faults of one kind: else all happened before the first lock is held. */
  private static final int REST = 30;

  /** A message to the cluster or back, on its way. */
  private record Message(Runnable arrival, Runnable loss) {}

  private final SimulatedTime time = new SimulatedTime();
  private final SimulatedLog log;
  private final Faults faults;
  private final Defect defect;
  private final Consumer<String> violations;
  private final List<ClusterLocks> services = new ArrayList<>();
  private final List<Deque<Message>> links = new ArrayList<>();
  private final List<Driver.Lane> lanes = new ArrayList<>();

  /** The locks that were stolen: the loser has its lock until the effect arrives. */
  private final Set<String> stolen = new HashSet<>();

  private int userAgents;

  /** The number of steps so far. */
  private long steps;

  private int delaysLeft;
  private long nextDelay;
  private boolean attached;
  private boolean isOneProcess;
  private @Nullable Host onlyHost;
  private boolean endsHolders;

  /**
   * Creates a cluster.
   *
   * @param size the number of members
   * @param violations receives a text for each violation
   */
  public SimulatedCluster(int size, Faults faults, Consumer<String> violations) {
    this(size, faults, Defect.NONE, violations);
  }

  SimulatedCluster(int size, Faults faults, Defect defect, Consumer<String> violations) {
    this.defect = defect;
    this.faults = faults;
    this.violations = violations;
    this.delaysLeft = faults.delays();
    this.log = new SimulatedLog(size, time, defect, violations);
  }

  /** {@inheritDoc} They are {@code 1/}, {@code 2/} and so on. */
  @Override
  public String nextActorPrefix() {
    return ++userAgents + "/";
  }

  /** Makes the loss of a session end the agents that have a lock of it. */
  SimulatedCluster endingHolders() {
    endsHolders = true;
    return this;
  }

  @Override
  public boolean endsHolders() {
    return endsHolders;
  }

  /** Lets all user agents be in one process, with one connection. */
  SimulatedCluster inOneProcess() {
    isOneProcess = true;
    return this;
  }

  @Override
  public LockService serve(Connection connection) {
    if (!attached) {
      attached = true;
      log.members().forEach(member -> attach(connection, memberActor(connection, member), true));
      attach(connection, clock(connection), false);
      attachFaults(connection);
    }
    int number = services.size() + 1;
    Host host = isOneProcess && onlyHost != null ? onlyHost : newHost(connection, number);
    onlyHost = host;
    CheckingConnection guarded =
        new CheckingConnection(connection, defect != Defect.NO_LOOK, violations);
    ClusterLocks service =
        new ClusterLocks(
            guarded,
            host.log(),
            host.process(),
            new SessionSettings(
                "default",
                "user agent " + number,
                SimulatedLog.LEASE_NANOS,
                new Secrets(number)::next,
                new SessionListener() {}));
    guarded.watch(service);
    services.add(service);
    return service;
  }

  /** A process, and the log as it reaches it. */
  private record Host(SimulatedTime.Process process, SharedLog log) {}

  private Host newHost(Connection connection, int number) {
    Deque<Message> out = link(connection, "messages of " + number);
    Deque<Message> in = link(connection, "messages to " + number);
    SimulatedTime.Process process = time.newProcess();
    attach(
        connection,
        new Steps(connection, "timers of " + number, process::hasDueTimer, process::runDueTimer),
        false);
    return new Host(
        process,
        new SharedLog(new Client(out, in, process, number == 1), process, 0, Runnable::run));
  }

  /** Secrets that depend on nothing else. */
  private static final class Secrets {
    private final long owner;
    private long count;

    Secrets(long owner) {
      this.owner = owner;
    }

    UUID next() {
      return new UUID(owner, ++count);
    }
  }

  // ---- actors
  // ------------------------------------------------------------------------------------

  private void attach(Connection connection, Actor actor, boolean counts) {
    Driver.Lane lane = connection.attach(actor, counts);
    lanes.add(lane);
    lane.wake();
  }

  private void wakeAll() {
    lanes.forEach(Driver.Lane::wake);
  }

  /** An actor with one kind of step. */
  private final class Steps implements Actor {
    private final Connection connection;
    private final String name;
    private final BooleanSupplier possible;
    private final Runnable step;

    Steps(Connection connection, String name, BooleanSupplier possible, Runnable step) {
      this.connection = connection;
      this.name = name;
      this.possible = possible;
      this.step = step;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean runTurn() {
      if (!possible.getAsBoolean()) {
        return false;
      }
      connection.reaches("cluster");
      steps++;
      step.run();
      check();
      wakeAll();
      return true;
    }

    @Override
    public boolean hasWork() {
      return possible.getAsBoolean();
    }
  }

  private Actor memberActor(Connection connection, SimulatedMember member) {
    return new Steps(
        connection, "member " + member.name, () -> log.canStep(member), () -> log.step(member));
  }

  private Actor clock(Connection connection) {
    return new Steps(
        connection,
        "time",
        () -> isDelayPossible() || mustPass(),
        () -> {
          if (isDelayPossible()) {
            delaysLeft--;
            nextDelay = steps + REST;
          }
          passTenth();
        });
  }

  /** Lets a tenth of a lease pass. */
  void passTenth() {
    time.pass(SimulatedLog.LEASE_NANOS / 10);
    log.expire();
    wakeAll();
  }

  /** Cuts the leader off from the other members and from all user agents but the first one. */
  void cutOffLeader() {
    log.cutOffLeader();
    wakeAll();
  }

  private boolean isDelayPossible() {
    return delaysLeft > 0 && steps >= nextDelay;
  }

  /** Returns whether a timeout or an expiry is due, and nothing else is left to run. */
  private boolean mustPass() {
    return !time.hasDueTimer()
        && links.stream().allMatch(Deque::isEmpty)
        && log.isSettled()
        && (!services.stream().allMatch(this::isUpToDate) || hasOrphans());
  }

  /** Returns whether there are sessions that their user agents have lost, and that will expire. */
  private boolean hasOrphans() {
    long alive = services.stream().filter(service -> service.session() != 0).count();
    return log.sessionCount() > alive;
  }

  private boolean isUpToDate(ClusterLocks service) {
    return service.isSettled()
        && (service.session() == 0 || log.hasDeliveredAll(service.session(), service.lastEvent()));
  }

  private void attachFaults(Connection connection) {
    attachFault(
        connection,
        "loss",
        faults.losses(),
        () -> linkWith(1) != null,
        () -> first(linkWith(1)).remove().loss().run());
    attachFault(
        connection,
        "repetition",
        faults.repetitions(),
        () -> linkWith(1) != null,
        () -> {
          Deque<Message> link = first(linkWith(1));
          link.addLast(link.element());
        });
    attachFault(
        connection,
        "overtaking",
        faults.overtakings(),
        () -> linkWith(2) != null,
        () -> {
          Deque<Message> link = first(linkWith(2));
          link.addLast(link.remove());
        });
    attachFault(
        connection,
        "pause",
        faults.pauses(),
        () -> services.stream().anyMatch(service -> !service.validLocks().isEmpty()),
        this::pause);
    attachFault(
        connection,
        "new leader",
        faults.leaders(),
        () -> log.members().size() > 1,
        log::changeLeader);
    attachFault(
        connection,
        "restart of a member",
        faults.restarts(),
        () -> log.members().size() > 1,
        log::restartFollower);
  }

  /** Lets a lease pass, in which nothing happens. */
  void pause() {
    time.pass(SimulatedLog.LEASE_NANOS);
    wakeAll();
  }

  private static <T> T first(@Nullable T present) {
    if (present == null) {
      throw new IllegalStateException("no message is on its way");
    }
    return present;
  }

  private @Nullable Deque<Message> linkWith(int messages) {
    return links.stream().filter(link -> link.size() >= messages).findFirst().orElse(null);
  }

  private void attachFault(
      Connection connection, String name, int times, BooleanSupplier possible, Runnable step) {
    int[] left = {times};
    long[] next = {0};
    attach(
        connection,
        new Steps(
            connection,
            name,
            () -> left[0] > 0 && steps >= next[0] && possible.getAsBoolean(),
            () -> {
              left[0]--;
              next[0] = steps + REST;
              step.run();
            }),
        false);
  }

  private Deque<Message> link(Connection connection, String name) {
    Deque<Message> link = new ArrayDeque<>();
    links.add(link);
    attach(
        connection,
        new Steps(connection, name, () -> !link.isEmpty(), () -> link.remove().arrival().run()),
        true);
    return link;
  }

  // ---- the log
  // -----------------------------------------------------------------------------------

  /** The log, as one user agent reaches it. */
  private final class Client implements ReplicatedLog {
    private final Deque<Message> out;
    private final Deque<Message> in;
    private final SimulatedTime.Process process;

    private final boolean isFirst;

    Client(Deque<Message> out, Deque<Message> in, SimulatedTime.Process process, boolean isFirst) {
      this.isFirst = isFirst;
      this.out = out;
      this.in = in;
      this.process = process;
    }

    @Override
    public CompletableFuture<Reply> append(Entry entry) {
      return send(() -> log.append(entry));
    }

    @Override
    public CompletableFuture<Reply> read(Query query) {
      byte[] bytes = EntryCodec.encode(query);
      return send(() -> log.read(bytes, isFirst));
    }

    @Override
    public CompletableFuture<Reply> peek(Poll poll) {
      byte[] bytes = EntryCodec.encode(poll);
      return send(() -> log.peek(bytes, isFirst));
    }

    private CompletableFuture<Reply> send(Supplier<CompletableFuture<Reply>> arrival) {
      CompletableFuture<Reply> answer = new CompletableFuture<>();
      out.add(
          new Message(
              () ->
                  arrival
                      .get()
                      .whenComplete((reply, failure) ->
                          in.add(
                              new Message(
                                  () -> {
                                    if (failure == null) {
                                      answer.complete(
                                          EntryCodec.decodeReply(EntryCodec.encode(reply)));
                                    } else {
                                      answer.completeExceptionally(failure);
                                    }
                                  },
                                  () -> {}))),
              () -> {}));
      process.after(
          TIMEOUT_NANOS, () -> answer.completeExceptionally(new IOException("timed out")));
      wakeAll();
      return answer;
    }
  }

  /**
   * Expires the session of a user agent, although it is not silent.
   *
   * @param userAgent its number in the order of the first uses of locks, from 0
   */
  void expireSession(int userAgent) {
    log.expire(services.get(userAgent).session());
    wakeAll();
  }

  // ---- checks
  // ------------------------------------------------------------------------------------

  private void check() {
    Map<String, String> holders = new HashMap<>();
    for (ClusterLocks service : services) {
      for (LockState state : service.validLocks()) {
        String lock = state.manager().value() + " " + state.name();
        if (state.options().waitMode() == WaitMode.STEAL) {
          stolen.add(lock);
        }
        if (state.mode() == LockMode.EXCLUSIVE && !stolen.contains(lock)) {
          String other = holders.put(lock, service.toString());
          if (other != null) {
            violations.accept(
                "two user agents hold the lock '%s': %s and %s"
                    .formatted(state.name(), other, service));
          }
        }
      }
    }
  }

  /** Returns the state, for the report of a failure. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(log);
    for (ClusterLocks service : services) {
      text.append(service)
          .append(service.isSettled() ? ", answered, event " : ", not answered, event ")
          .append(service.lastEvent())
          .append(", ")
          .append(service.counts())
          .append("; ");
    }
    links.forEach(link -> text.append(link.size()).append(" messages; "));
    return text.toString();
  }
}
