package dev.weblocks.cluster.session;

import dev.weblocks.agent.TurnGuard;
import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Event;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Full;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.locks.RemoteLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lock service of a user agent whose lock managers are in a cluster. Thread-safe.
 *
 * <p><b>Exactly once.</b> Commands are numbered, sent in batches, and sent again until they are
 * answered. The cluster applies them in the order of their numbers. Events are numbered, too, and
 * each is delivered once, in order.
 *
 * <p><b>Lease.</b> {@link #beforeTurn} checks the lease before each turn of an event loop. If it is
 * over, the locks are lost before the turn begins. A turn in progress continues: only a fencing
 * token protects from it.
 *
 * <p><b>Loss.</b> When the session is lost, held locks are lost like stolen ones. Waiting requests
 * and queries are made again in the next session, in their order. Buckets are opened again before.
 */
public final class ClusterLocks implements LockService, TurnGuard {

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long FULL_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A message to the cluster, for the checks of its answer. */
  private record Sent(int epoch, long nanos, long wall, boolean renews) {}

  private final RemoteLocks.Connection connection;
  private final SharedLog log;
  private final ClusterTime time;
  private final SessionSettings settings;
  private final Lease lease;
  private final Activity activity;
  private final AtomicLong lastId = new AtomicLong();

  // guarded by this
  private final ClientTable clients;
  private final OutgoingCommands outgoing = new OutgoingCommands();
  private boolean isPumpDue;
  private UUID secret;
  private long lastEvent;
  private boolean isConnected;
  private boolean closing;

  /** The end of the session; null before. */
  private @Nullable Leave leave;

  /** Ends the session that was lost, and that the cluster may still have; null for none. */
  private @Nullable Runnable endOfLost;

  /** The number of sessions so far. Answers to messages of earlier ones are ignored. */
  private int epoch;

  /** The current session; 0 for none. Written under the monitor. */
  private volatile long session;

  /** Whether a session has ended, and the losses of its locks are not delivered yet. */
  private volatile boolean isLosing;

  /** The monitor of all deliveries, so that a grant and a loss reach a client in order. */
  private final Object deliveries = new Object();

  /** Creates a service, and begins to open a session. */
  public ClusterLocks(
      RemoteLocks.Connection connection,
      SharedLog log,
      ClusterTime time,
      SessionSettings settings) {
    this.connection = connection;
    this.log = log;
    this.time = time;
    this.settings = settings;
    this.lease = new Lease(time, settings.leaseNanos());
    this.activity = new Activity(connection);
    this.clients = new ClientTable(connection);
    this.secret = settings.secrets().get();
    connection.guardTurns(this);
    connection.onClosed(this::close);
    synchronized (this) {
      openSession();
    }
  }

  @Override
  public RequestId nextId(ClientId client) {
    return new RequestId(client, lastId.incrementAndGet());
  }

  @Override
  public void register(RegisterClient whole, Consumer<LockEffect> sink) {
    RegisterClient client = Caps.cut(whole);
    synchronized (this) {
      clients.register(client, sink);
      try {
        add(client);
        pump();
      } catch (Error exhausted) {
        clients.unregister(client.client());
        throw exhausted;
      }
    }
    afterwards();
  }

  @Override
  public void enqueue(LockCommand command) {
    enqueue(Caps.cut(command), this::pump);
  }

  /** {@inheritDoc} A request that follows a release at once is the next command. */
  @Override
  public void enqueueUnhurried(LockCommand command) {
    enqueue(Caps.cut(command), this::pumpSoon);
  }

  private void enqueue(LockCommand command, Runnable pump) {
    try {
      synchronized (this) {
        if (clients.take(command, this::receive)) {
          add(command);
          pump.run();
        }
      }
    } catch (Error exhausted) {
      if (!(command instanceof EndClient end)) {
        throw exhausted;
      }
      synchronized (this) { // without memory for the command, the whole session ends instead
        clients.unregister(end.client());
        lease.cut("memory was exhausted");
      }
    }
    afterwards();
  }

  /**
   * Runs what must not run under the monitor: queued steps, which may run on this thread, and
   * dependents of the end of all activity. Called at the end of each entry point.
   */
  private void afterwards() {
    if (Thread.holdsLock(this) || Thread.holdsLock(deliveries)) {
      return; // inside another entry point, which calls this at its end
    }
    connection.runSteps();
    activity.reportEnds();
  }

  @Override
  public boolean isCurrent() {
    return (session == 0 || !lease.isOver()) && !isLosing; // read last, as it is written first
  }

  @Override
  public synchronized LockCounts counts() {
    return clients.counts();
  }

  /** {@inheritDoc} Contains only the locks and requests of this user agent. */
  @Override
  public synchronized List<LockState> diagnose() {
    return clients.diagnose();
  }

  /**
   * Returns the locks that clients may use now: neither given back nor beyond the lease. The keys
   * of their lock managers are those of the cluster.
   */
  public synchronized List<LockState> validLocks() {
    return leaseLeftNanos() <= 0 ? List.of() : clients.heldLocks().toList();
  }

  /** Returns whether a client still has a lock although the lease is over. */
  public synchronized boolean hasLockBeyondLease() {
    return session != 0 && lease.isOver() && clients.hasDeliveredLock();
  }

  /** Returns the current session; 0 for none. */
  public long session() {
    return session;
  }

  /** Returns for how long the locks are still valid; 0 or less without a session. */
  public long leaseLeftNanos() {
    return session == 0 ? 0 : lease.leftNanos();
  }

  /** Returns the number of commands that the cluster has not answered. */
  public synchronized int commandsInFlight() {
    return outgoing.size();
  }

  private void add(LockCommand command) {
    outgoing.add(command);
    activity.begin();
  }

  /** Sends the next batches on another thread, which takes a moment. */
  private void pumpSoon() {
    if (outgoing.isBatchPossible() && !isPumpDue) {
      time.after(0, this::pumpNow);
      isPumpDue = true;
    }
  }

  private void pumpNow() {
    synchronized (this) {
      isPumpDue = false;
      pump();
    }
    afterwards();
  }

  private void endActivityIfAnswered() {
    if (outgoing.isEmpty()) {
      activity.end();
    }
  }

  /** Sends the next batches, unless enough are in flight. */
  private void pump() {
    if (session == 0) {
      return;
    }
    while (outgoing.hasUnsent() && outgoing.isBatchPossible()) {
      sendBatch();
    }
    if (closing && !outgoing.hasBatchInFlight() && outgoing.isEmpty()) {
      closeSession();
    }
  }

  private void sendBatch() {
    Sent sent = sentNow(true);
    OutgoingCommands.Batch batch = outgoing.next();
    whenAnswered(
        sent,
        log.append(new Batch(session, secret, lastEvent, batch.first(), batch.commands())),
        Events.class,
        events -> {
          received(events, sent);
          outgoing.answered(batch, events.lastCommand());
          pump();
          endActivityIfAnswered();
        },
        () -> {
          outgoing.failed();
          pump();
        },
        message -> outgoing.rejected(batch, clients.refusing(message, this::receive)));
  }

  private Sent sentNow(boolean renews) {
    return new Sent(epoch, time.nanoTime(), time.wallMillis(), renews);
  }

  /**
   * Handles the answer to a message, under the monitor, unless the session has changed since.
   *
   * @param goesOn handles a rejection; returns whether the session goes on
   */
  private <T extends Reply> void whenAnswered(
      Sent sent,
      CompletableFuture<Reply> answer,
      Class<T> expected,
      Consumer<T> then,
      Runnable again,
      Predicate<String> goesOn) {
    var unused =
        answer.whenComplete((reply, failure) -> {
          if (failure == null && expected.isInstance(reply)) {
            ifCurrent(sent.epoch(), () -> then.accept(expected.cast(reply)));
          } else if (reply instanceof SessionOver && sent.renews()) { // a peek may see the past
            lose(() -> sent.epoch() == epoch, "the cluster has ended the session");
          } else if (reply instanceof Rejected rejected) {
            rejected(sent.epoch(), rejected.message(), goesOn);
          } else {
            long pause = reply instanceof Full ? FULL_RETRY_NANOS : RETRY_NANOS;
            time.after(pause, () -> ifCurrent(sent.epoch(), again));
          }
        });
  }

  private void rejected(int current, String message, Predicate<String> goesOn) {
    boolean isLost = false; // the next session is rejected, too, if the reason remains
    synchronized (this) {
      if (current == epoch && session == 0) {
        reject(message);
      } else if (current == epoch && goesOn.test(message)) {
        pump();
      } else {
        isLost = current == epoch;
      }
    }
    if (isLost) {
      lose(() -> current == epoch, "the cluster has rejected a message: " + message);
    }
    afterwards();
  }

  private void ifCurrent(int expected, Runnable steps) {
    synchronized (this) {
      if (expected == epoch) {
        steps.run();
      }
    }
    afterwards();
  }

  /** Waits for events; an idle session does so together with others. */
  private void poll(boolean isIdle) {
    Sent sent = sentNow(isIdle || !lease.isFresh());
    Poll poll = new Poll(session, secret, lastEvent);
    whenAnswered(
        sent,
        isIdle ? log.share(poll) : sent.renews() ? log.read(poll) : log.peek(poll),
        Events.class,
        events -> {
          received(events, sent);
          poll(events.events().isEmpty());
        },
        () -> poll(false),
        message -> false);
  }

  private void received(Events answer, Sent sent) {
    for (Event event : answer.events()) {
      if (event.number() == lastEvent + 1) { // a smaller one came with another answer
        lastEvent++;
        receive(event.effect(), event.index());
      }
    }
    if (sent.renews() && lease.renew(sent.nanos(), sent.wall())) {
      notifyAll();
    }
    if (!isConnected) {
      connected();
    }
  }

  private void connected() {
    isConnected = true;
    long id = session;
    connection.queueSteps("connected", () -> settings.listener().connected(id));
  }

  /** Notes an effect without an entry, and queues its delivery. */
  private void receive(LockEffect effect) {
    receive(effect, Event.NO_INDEX);
  }

  /** Notes an effect, and queues its delivery. */
  private void receive(LockEffect effect, long index) {
    OpenRequest request = clients.received(effect);
    int current = epoch;
    connection.queueSteps(effect.label(), () -> deliver(effect, request, index, current));
  }

  private void deliver(LockEffect effect, @Nullable OpenRequest request, long index, int from) {
    if (effect instanceof Granted) {
      loseIfOver(); // a grant that is late is none
    }
    synchronized (deliveries) {
      ClientTable.Delivery delivery;
      synchronized (this) {
        if (effect instanceof Granted && from != epoch) {
          return; // the request was made again in the next session
        }
        delivery = clients.delivery(effect);
      }
      if (delivery != null) {
        connection.delivers(
            effect,
            request != null && request.command instanceof RequestLock lock ? lock : null,
            delivery.requester(),
            index);
        delivery.run();
      }
    }
    afterwards();
  }

  private void openSession() {
    Sent sent = sentNow(true);
    whenAnswered(
        sent,
        log.append(settings.open(secret, connection.variants())),
        Opened.class,
        opened -> {
          lease.begin(sent.nanos(), sent.wall()); // first: turns look at it if there is a session
          session = opened.session();
          connected();
          poll(false);
          pump();
          watch();
          if (endOfLost != null) {
            endOfLost.run();
            endOfLost = null;
          }
        },
        this::openSession,
        message -> false);
  }

  /** Checks the lease from time to time, for user agents without turns. */
  private void watch() {
    int current = epoch;
    time.after(
        settings.leaseNanos() / 10,
        () -> {
          loseIfOver();
          ifCurrent(
              current,
              () -> {
                if (isConnected && lease.isSilent()) {
                  isConnected = false;
                  long id = session;
                  connection.queueSteps("disconnected", () -> settings.listener().disconnected(id));
                }
                watch();
              });
        });
  }

  /** {@inheritDoc} Loses the session if its lease is over, and renews it first if in doubt. */
  @Override
  public void beforeTurn() {
    if (session != 0 && !lease.isOver() && lease.isInDoubt()) {
      renewFirst();
    }
    loseIfOver();
    if (isLosing) {
      synchronized (deliveries) {
        // another thread has delivered the losses
      }
    }
  }

  /** Waits until the lease is renewed by a message that is sent now or later, or is over. */
  private synchronized void renewFirst() {
    int current = epoch;
    long now = time.nanoTime();
    boolean interrupted = false;
    while (session != 0 && current == epoch && !lease.isRenewedSince(now) && !lease.isOver()) {
      if (!outgoing.hasBatchInFlight()) {
        sendBatch(); // may be empty
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, RETRY_NANOS);
      } catch (InterruptedException end) {
        interrupted = true;
        if (current == epoch) {
          lease.cut("a turn was interrupted while the time of day had jumped");
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the session if its lease is over; an answer may have renewed it meanwhile. */
  private void loseIfOver() {
    BooleanSupplier isOver = () -> session != 0 && lease.isOver();
    if (isOver.getAsBoolean()) { // otherwise the timer and turns would wait for deliveries
      lose(isOver, lease.whyOver());
    }
  }

  /** Ends the session if a condition holds under the monitor, and begins to open the next one. */
  private void lose(BooleanSupplier condition, String reason) {
    if (Thread.holdsLock(this)) { // an answer came at once; others hold the deliveries first
      time.after(0, () -> lose(condition, reason));
      return;
    }
    synchronized (deliveries) {
      List<ClientTable.Delivery> losses = new ArrayList<>();
      synchronized (this) {
        if (!condition.getAsBoolean()) {
          return;
        }
        long ended = session;
        endOfLost =
            lease.isOver()
                ? Leave.afterLoss(
                    log, time, new CloseSession(session, secret), settings.leaseNanos())
                : null;
        epoch++;
        lease.reset();
        isLosing = true;
        session = 0;
        secret = settings.secrets().get();
        lastEvent = 0;
        isConnected = false;
        List<LockCommand> again = clients.endSession(losses::add, this::receive);
        notifyAll();
        if (closing) {
          outgoing.restart(List.of());
        } else {
          outgoing.restart(again);
          if (!again.isEmpty()) {
            activity.begin();
          }
          openSession();
        }
        endActivityIfAnswered();
        connection.queueSteps("session lost", () -> settings.listener().lost(ended, reason));
      }
      try {
        ClientTable.Delivery.runAll(losses);
      } finally {
        isLosing = false;
      }
    }
    afterwards();
  }

  private void reject(String message) {
    epoch++;
    outgoing.restart(List.of());
    clients.reject(message, this::receive);
    connection.queueSteps("rejected", () -> settings.listener().rejected(message));
    endActivityIfAnswered();
  }

  /** Begins to end the session: it ends when all commands were answered. Returns at once. */
  public void close() {
    synchronized (this) {
      closing = true;
      pump();
    }
    afterwards();
  }

  private void closeSession() {
    CloseSession close = new CloseSession(session, secret);
    epoch++;
    session = 0;
    leave = Leave.send(log, time, close);
  }

  /** Returns whether the end of the session was answered, or there is no session. */
  public synchronized boolean isClosed() {
    return leave == null ? closing && session == 0 && outgoing.isEmpty() : leave.isOver();
  }

  /** Returns whether the cluster has answered everything, and no message is due. */
  public synchronized boolean isSettled() {
    return outgoing.isEmpty() && (session != 0 || closing || clients.isRejected());
  }

  /** Returns the number of the last event of the session that has arrived; 0 for none. */
  public synchronized long lastEvent() {
    return lastEvent;
  }

  /** Returns the name of the user agent. */
  public String name() {
    return settings.name();
  }
}
