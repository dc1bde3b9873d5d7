package dev.weblocks.cluster.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.Clock;
import dev.weblocks.cluster.machine.ClusterMachine;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.SessionLost;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.locks.RemoteLocks;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The moment between the loss of a session and the delivery of the losses of its locks. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class SessionLossTest {

  private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final ClientId CLIENT = new ClientId("client");

  private final ClusterMachine machine = new ClusterMachine();
  private final Queue<Runnable> answers = new ArrayDeque<>();
  private final Queue<Runnable> steps = new ArrayDeque<>();
  private final List<LockEffect> effects = new ArrayList<>();
  private long now;

  /** The answer of the cluster to each entry, at once; null for those of the machine. */
  private volatile Reply answer;

  private record Timer(long due, Runnable action) {}

  private final Queue<Timer> timers = new ConcurrentLinkedQueue<>();

  /** Each runs inside one of the next looks at the clock. */
  private final Queue<Runnable> onNanoTime = new ConcurrentLinkedQueue<>();

  /** Runs inside the loss of a session, when the secret of the next one is made. */
  private Runnable whileLosing = () -> {};

  private final ReplicatedLog log =
      new ReplicatedLog() {
        @Override
        public CompletableFuture<Reply> append(Entry entry) {
          if (answer != null) {
            return CompletableFuture.completedFuture(answer);
          }
          CompletableFuture<Reply> later = new CompletableFuture<>();
          answers.add(() -> later.complete(machine.apply(entry, 1, 0)));
          return later;
        }

        @Override
        public CompletableFuture<Reply> read(Query query) {
          return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Reply> peek(Poll poll) {
          return read(poll);
        }
      };

  private final ClusterTime time =
      new ClusterTime() {
        @Override
        public long nanoTime() {
          Runnable next = onNanoTime.poll();
          if (next != null) {
            next.run();
          }
          return now;
        }

        @Override
        public long wallMillis() {
          return TimeUnit.NANOSECONDS.toMillis(now);
        }

        @Override
        public void after(long nanos, Runnable action) {
          timers.add(new Timer(now + nanos, action));
        }
      };

  private final Clock clock = proxy(Clock.class);

  private final ClusterLocks service = newService();

  private ClusterLocks newService() {
    return new ClusterLocks(
        proxy(RemoteLocks.Connection.class),
        new SharedLog(log, time, 0, Runnable::run),
        time,
        new SessionSettings(
            "shop",
            "user",
            LEASE_NANOS,
            () -> {
              whileLosing.run();
              return UUID.randomUUID();
            },
            new SessionListener() {}));
  }

  /** Returns an object that queues and runs steps, and otherwise does nothing. */
  private <T> T proxy(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "queueSteps" -> {
                    steps.add((Runnable) arguments[1]);
                    yield null;
                  }
                  case "runSteps" -> {
                    for (Runnable each = steps.poll(); each != null; each = steps.poll()) {
                      each.run();
                    }
                    yield null;
                  }
                  case "variants" -> Set.of();
                  case "clock" -> clock;
                  case "nanoTime" -> 0L;
                  default -> null;
                }));
  }

  private void takeLock() {
    takeLock(CLIENT, "cart", effects::add);
  }

  private void takeLock(ClientId client, String name, Consumer<LockEffect> sink) {
    service.register(
        new RegisterClient(client, new LockRequester("agent", "", "https://one.test")), sink);
    service.enqueue(
        new RequestLock(
            service.nextId(client),
            new ManagerId("https://one.test/default", "default"),
            LockOptions.of(name, LockMode.EXCLUSIVE, WaitMode.WAIT)));
    answerAll();
    assertTrue(service.isCurrent());
  }

  private void runTimers(long time) {
    for (Timer each : List.copyOf(timers)) {
      if (each.due() <= time) {
        timers.remove(each);
        each.action().run();
      }
    }
  }

  private void answerAll() {
    while (!answers.isEmpty()) {
      answers.remove().run();
    }
  }

  @Test
  void loss_reaches_all_clients_although_one_throws() {
    takeLock(
        new ClientId("broken"),
        "list",
        effect -> {
          if (effect instanceof SessionLost) {
            throw new OutOfMemoryError("for this test");
          }
        });
    takeLock();
    assertInstanceOf(Granted.class, effects.getLast());
    now += LEASE_NANOS;
    assertThrows(OutOfMemoryError.class, service::beforeTurn);
    assertInstanceOf(SessionLost.class, effects.getLast());
    assertTrue(service.isCurrent());
  }

  @Test
  void lock_is_not_current_before_its_loss_is_delivered() {
    takeLock();
    assertInstanceOf(Granted.class, effects.getLast());
    now += LEASE_NANOS;
    assertFalse(service.isCurrent());
    List<Boolean> seen = new ArrayList<>();
    whileLosing = () -> seen.add(service.isCurrent());
    service.beforeTurn();
    assertEquals(List.of(false), seen);
    assertInstanceOf(SessionLost.class, effects.getLast());
    assertTrue(service.isCurrent());
  }

  @Test
  void turn_waits_until_the_losses_of_its_session_are_delivered() throws InterruptedException {
    takeLock();
    assertInstanceOf(Granted.class, effects.getLast());
    now += LEASE_NANOS;
    List<LockEffect> seenByTurn = new ArrayList<>();
    Thread turn =
        Thread.ofPlatform()
            .daemon()
            .unstarted(() -> {
              service.beforeTurn();
              seenByTurn.add(effects.getLast());
            });
    whileLosing =
        () -> {
          turn.start();
          while (turn.getState() != Thread.State.BLOCKED && turn.isAlive()) {
            Thread.onSpinWait();
          }
        };
    service.beforeTurn();
    turn.join();
    assertInstanceOf(SessionLost.class, seenByTurn.getFirst());
  }

  @Test
  void session_that_is_renewed_while_a_turn_begins_is_kept() {
    takeLock();
    now += LEASE_NANOS / 2;
    service.register(
        new RegisterClient(
            new ClientId("other"), new LockRequester("agent", "", "https://one.test")),
        effects::add);
    now += LEASE_NANOS / 2;
    onNanoTime.addAll(List.of(() -> {}, answers.remove())); // as the turn has seen that it is over
    service.beforeTurn();
    assertInstanceOf(Granted.class, effects.getLast());
    assertTrue(service.isCurrent());
  }

  @Test
  void turns_do_not_lose_a_session_that_opens_meanwhile() throws InterruptedException {
    AtomicReference<ClusterLocks> current = new AtomicReference<>(service);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicLong count = new AtomicLong();
    Thread turns =
        Thread.ofPlatform()
            .daemon()
            .uncaughtExceptionHandler((thread, thrown) -> failure.set(thrown))
            .start(() -> {
              for (ClusterLocks each = service; each != null; each = current.get()) {
                each.beforeTurn();
                count.incrementAndGet();
              }
            });
    answers.clear();
    try {
      for (int i = 0; i < 20_000; i++) {
        ClusterLocks opening = newService();
        current.set(opening);
        answers.remove().run();
        assertNotEquals(0, opening.session());
        answers.clear();
      }
    } finally {
      current.set(null);
      turns.join();
    }
    assertNull(failure.get());
    assertTrue(count.get() > 1);
  }

  @Test
  void answer_that_comes_at_once_does_not_wait_for_a_delivery() throws InterruptedException {
    Thread sends =
        Thread.ofPlatform()
            .daemon()
            .unstarted(() ->
                service.register(
                    new RegisterClient(
                        new ClientId("other"), new LockRequester("agent", "", "https://one.test")),
                    effects::add));
    Thread delivers =
        Thread.ofPlatform()
            .daemon()
            .start(() ->
                takeLock(
                    CLIENT,
                    "cart",
                    effect -> {
                      answer = new SessionOver();
                      sends.start();
                      while (sends.isAlive() && sends.getState() != Thread.State.BLOCKED) {
                        Thread.onSpinWait();
                      }
                      effects.add(effect);
                      assertEquals(1, service.diagnose().size());
                    }));
    delivers.join(TimeUnit.SECONDS.toMillis(20));
    assertFalse(delivers.isAlive());
    assertInstanceOf(Granted.class, effects.getLast());
  }

  @Test
  void timer_does_not_wait_for_a_delivery() {
    List<Boolean> blocked = new ArrayList<>();
    takeLock(
        CLIENT,
        "cart",
        effect -> {
          Thread timer = Thread.ofPlatform().daemon().start(() -> runTimers(now + LEASE_NANOS));
          try { // it may be blocked for a moment, for example by the loading of a class
            blocked.add(!timer.join(Duration.ofSeconds(20)));
          } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
          }
        });
    assertEquals(List.of(false), blocked);
  }

  @Test
  void lost_session_is_closed_while_the_next_one_is_open() {
    takeLock();
    now += LEASE_NANOS;
    service.beforeTurn();
    answerAll();
    runTimers(now);
    answerAll();
    assertNotEquals(0, service.session());
    assertEquals(2, machine.sessionCount()); // a turn may still be under way
    now += LEASE_NANOS / 10;
    runTimers(now);
    answerAll();
    assertEquals(1, machine.sessionCount());
    assertTrue(service.isCurrent());
  }

  @Test
  void lost_session_is_closed_at_once_after_a_long_outage() {
    takeLock();
    now += LEASE_NANOS;
    service.beforeTurn();
    now += LEASE_NANOS;
    answerAll();
    runTimers(now);
    answerAll();
    assertEquals(1, machine.sessionCount());
  }

  @Test
  void session_whose_message_is_rejected_is_left_to_its_lease() {
    takeLock();
    answer = new Rejected("for this test");
    service.register(
        new RegisterClient(
            new ClientId("other"), new LockRequester("agent", "", "https://one.test")),
        effects::add);
    answer = null;
    runTimers(now);
    answerAll();
    now += LEASE_NANOS / 2;
    runTimers(now);
    answerAll();
    assertNotEquals(0, service.session());
    assertEquals(2, machine.sessionCount());
  }

  @Test
  void service_whose_session_is_lost_while_it_closes_is_closed() {
    takeLock();
    service.enqueue(new EndClient(CLIENT));
    service.close();
    assertFalse(service.isClosed());
    now += LEASE_NANOS;
    service.beforeTurn();
    assertTrue(service.isClosed());
  }

  @Test
  void service_that_is_closed_while_its_next_session_opens_closes_both() {
    takeLock();
    now += LEASE_NANOS;
    service.beforeTurn();
    service.close();
    assertFalse(service.isClosed());
    answerAll();
    assertTrue(service.isClosed());
    now += LEASE_NANOS / 10;
    runTimers(now);
    answerAll();
    assertEquals(0, machine.sessionCount());
  }
}
