package dev.weblocks.cluster.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.ClusterMachine;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Full;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockBackend;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.LockClientOptions;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.locks.RemoteLocks;
import dev.weblocks.model.LockLoss;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The session of a user agent, with a log that the test controls. */
class ClusterLocksTest {

  /** A log without delays, whose answers the test can replace. */
  private static final class Log implements ReplicatedLog {
    final ClusterMachine machine = new ClusterMachine(EntryCodec.VERSION);
    final List<Entry> entries = new ArrayList<>();
    final Queue<Runnable> answers = new ArrayDeque<>();
    Rejected rejection;
    boolean isFull;
    Predicate<LockCommand> unacceptable = command -> false;
    Reply peeked;
    int peeks;
    private long index;

    @Override
    public CompletableFuture<Reply> append(Entry entry) {
      entries.add(entry);
      CompletableFuture<Reply> answer = new CompletableFuture<>();
      Rejected rejected = rejection;
      if (entry instanceof Batch batch && batch.commands().stream().anyMatch(unacceptable)) {
        rejected = new Rejected("not accepted");
      }
      Reply reply = rejected == null ? machine.apply(entry, ++index, 0) : rejected;
      if (isFull) {
        reply = new Full("full");
      }
      Reply last = reply;
      answers.add(() -> answer.complete(last));
      return answer;
    }

    @Override
    public CompletableFuture<Reply> read(Query query) {
      return new CompletableFuture<>(); // a poll that waits
    }

    @Override
    public CompletableFuture<Reply> peek(Poll poll) {
      peeks++;
      CompletableFuture<Reply> answer = new CompletableFuture<>();
      if (peeked != null) {
        answers.add(() -> answer.complete(peeked));
      }
      return answer;
    }
  }

  /** Clocks that stand still, and timers that the test runs. */
  private static final class Still implements ClusterTime {
    final Queue<Runnable> due = new ArrayDeque<>();
    final List<Runnable> inASecond = new ArrayList<>();

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long wallMillis() {
      return 0;
    }

    @Override
    public void after(long nanos, Runnable action) {
      if (nanos == 0) {
        due.add(action);
      } else if (nanos == 1_000_000_000L) {
        inASecond.add(action);
      }
    }
  }

  private record Backend(ReplicatedLog log, ClusterTime time, SessionListener listener)
      implements LockBackend, RemoteLocks {
    @Override
    public LockService serve(Connection connection) {
      return new ClusterLocks(
          connection,
          new SharedLog(log, time, 0, Runnable::run),
          time,
          new SessionSettings("shop", "user", 10_000_000_000L, UUID::randomUUID, listener));
    }
  }

  private final List<String> reports = new ArrayList<>();
  private final Log log = new Log();
  private final Still time = new Still();
  private final DeterministicDriver driver = DeterministicDriver.newBuilder().build();
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .lockBackend(
              new Backend(
                  log,
                  time,
                  new SessionListener() {
                    @Override
                    public void lost(long session, String reason) {
                      reports.add("lost: " + reason);
                    }

                    @Override
                    public void rejected(String message) {
                      reports.add(message);
                    }
                  }))
          .build();
  private final LockClient client = userAgent.openLockClient("https://shop.test");

  @AfterEach
  void close() {
    client.close();
    userAgent.close();
    driver.close();
  }

  private void run() {
    driver.runUntilIdle(10_000);
    Runnable answer;
    while ((answer = log.answers.poll()) != null) {
      answer.run();
      driver.runUntilIdle(10_000);
    }
  }

  @Test
  void lock_is_lost_when_the_cluster_rejects_its_session() {
    CompletableFuture<HeldLock> request = client.request("a");
    run();
    HeldLock lock = request.join();
    assertTrue(lock.isHeld());
    log.rejection = new Rejected("another cluster");
    CompletableFuture<HeldLock> next = client.request("b");
    run();
    assertFalse(lock.isHeld());
    assertEquals(LockLoss.SESSION_LOST, lock.lost().join());
    assertTrue(next.isCompletedExceptionally());
    assertEquals(
        List.of("lost: the cluster has rejected a message: another cluster", "another cluster"),
        reports);
  }

  private static boolean isRequestFor(LockCommand command, String name) {
    return command instanceof RequestLock request && request.options().name().equals(name);
  }

  @Test
  void only_the_command_that_the_cluster_does_not_accept_is_refused() {
    CompletableFuture<HeldLock> held = client.request("held");
    run();
    log.unacceptable = command -> isRequestFor(command, "bad");
    List<CompletableFuture<HeldLock>> good = new ArrayList<>();
    good.add(client.request("a"));
    CompletableFuture<HeldLock> bad = client.request("bad");
    good.add(client.request("b"));
    CompletableFuture<HeldLock> alsoBad = client.request("bad");
    good.add(client.request("c"));
    run();
    assertTrue(held.join().isHeld());
    good.forEach(each -> assertTrue(each.join().isHeld()));
    for (CompletableFuture<HeldLock> each : List.of(bad, alsoBad)) {
      Throwable failure = assertThrows(CompletionException.class, each::join).getCause();
      assertEquals("not accepted", failure.getMessage());
    }
    assertEquals(List.of(), reports);
    log.unacceptable = command -> false;
    CompletableFuture<HeldLock> next = client.request("bad");
    run();
    assertTrue(next.join().isHeld());
  }

  @Test
  void client_that_the_cluster_does_not_accept_does_not_concern_others() {
    CompletableFuture<HeldLock> held = client.request("held");
    run();
    log.unacceptable = command -> command instanceof RegisterClient;
    LockClient other = userAgent.openLockClient("https://other.test");
    CompletableFuture<HeldLock> refused = other.request("a");
    run();
    assertTrue(held.join().isHeld());
    assertTrue(refused.isCompletedExceptionally());
    assertEquals(List.of(), reports);
  }

  @Test
  void user_agent_waits_for_room_for_its_session() {
    log.isFull = true;
    CompletableFuture<HeldLock> request = client.request("a");
    run();
    assertFalse(request.isDone());
    log.isFull = false;
    List.copyOf(time.inASecond).forEach(Runnable::run);
    run();
    assertTrue(request.join().isHeld());
    assertEquals(List.of(), reports);
  }

  @Test
  void texts_about_a_client_are_cut() {
    LockClient other =
        userAgent.openLockClient(
            LockClientOptions.newBuilder("https://other.test").name("x".repeat(600_000)).build());
    CompletableFuture<HeldLock> request = other.request("a");
    run();
    assertTrue(request.join().isHeld());
    for (Entry each : log.entries) {
      assertTrue(EntryCodec.encode(each).length < 10_000);
    }
  }

  @Test
  void session_survives_a_member_that_led_before_it_was_opened() {
    log.peeked = new SessionOver();
    CompletableFuture<HeldLock> request = client.request("a");
    run();
    assertTrue(request.join().isHeld());
    assertEquals(1, log.peeks);
    assertEquals(List.of(), reports);
  }

  /** Returns the number of commands in each batch since the last call. */
  private List<Integer> batches() {
    List<Integer> sizes =
        log.entries.stream()
            .filter(Batch.class::isInstance)
            .map(entry -> ((Batch) entry).commands().size())
            .toList();
    log.entries.clear();
    return sizes;
  }

  @Test
  void request_travels_with_the_release_before_it() {
    CompletableFuture<HeldLock> request = client.request("a");
    run();
    batches();
    request.join().close();
    CompletableFuture<HeldLock> again = client.request("a");
    driver.runUntilIdle(10_000);
    assertEquals(List.of(2), batches());
    time.due.remove().run();
    run();
    assertEquals(List.of(), batches());
    assertTrue(again.join().isHeld());
  }

  @Test
  void release_without_a_request_after_it_is_sent_soon() {
    CompletableFuture<HeldLock> request = client.request("a");
    CompletableFuture<HeldLock> other = client.request("b");
    run();
    batches();
    request.join().close();
    other.join().close();
    driver.runUntilIdle(10_000);
    assertEquals(List.of(), batches());
    assertEquals(1, time.due.size());
    time.due.remove().run();
    assertEquals(List.of(2), batches());
  }

  @Test
  void release_that_is_awaited_is_sent_at_once() {
    CompletableFuture<HeldLock> request = client.request("a");
    run();
    batches();
    CompletableFuture<Void> released = request.join().release();
    driver.runUntilIdle(10_000);
    assertEquals(List.of(1), batches());
    assertFalse(released.isDone());
    run();
    assertTrue(released.isDone());
  }

  @Test
  void request_does_not_wait_for_the_answer_to_a_release() {
    CompletableFuture<HeldLock> request = client.request("a");
    run();
    batches();
    CompletableFuture<Void> released = request.join().release();
    CompletableFuture<HeldLock> again = client.request("a");
    driver.runUntilIdle(10_000);
    assertEquals(List.of(1, 1), batches());
    run();
    assertTrue(released.isDone());
    assertTrue(again.join().isHeld());
  }
}
