package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.TestCommands;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Agents that enqueue on threads of their own, while any of the threads may run the steps. Each
 * agent waits for its answer before it continues, so that one lost grant hangs the test.
 */
class LockTaskQueueStressTest {
  private static final int AGENTS = 8;
  private static final int CYCLES = 4_000;
  private static final ManagerId BUCKET = new ManagerId("bucket", "default");

  /** Names that are never stolen, so that holders can check their exclusiveness. */
  private static final List<String> SAFE_NAMES = List.of("a", "b", "c");

  private static final String STOLEN_NAME = "stolen";

  private final AtomicInteger wakes = new AtomicInteger();
  private final LockTaskQueue queue = TestQueues.queue(this::drive);

  /** For each safe name: -1 held exclusively, otherwise the number of shared holders. */
  private final List<AtomicInteger> holders =
      List.of(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());

  private final CountDownLatch finished = new CountDownLatch(AGENTS);
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @Test
  void no_grant_is_lost_and_holders_exclude_each_other() throws InterruptedException {
    List<Agent> agents = new ArrayList<>();
    for (int i = 0; i < AGENTS; i++) {
      agents.add(new Agent(i));
    }
    try {
      agents.forEach(Agent::start);
      // The timeout only turns a hang into a failure.
      boolean done = finished.await(2, TimeUnit.MINUTES);
      assertEquals(List.of(), List.copyOf(failures));
      assertTrue(done, () -> finished.getCount() + " agents wait for ever; " + queue.counts());
      for (Agent agent : agents) {
        agent.loop.shutdown();
        assertTrue(agent.loop.awaitTermination(1, TimeUnit.MINUTES), agent.name);
      }
    } finally {
      agents.forEach(agent -> agent.loop.shutdownNow());
    }
    assertEquals(List.of(), List.copyOf(failures));
    assertTrue(!queue.hasWork());
    assertFalse(queue.runTurn());
    assertEquals(List.of(0, 0), TestQueues.heldAndPending(queue));
    holders.forEach(holder -> assertEquals(0, holder.get()));
    int grants = agents.stream().mapToInt(agent -> agent.grants).sum();
    int aborts = agents.stream().mapToInt(agent -> agent.aborts).sum();
    int steals = agents.stream().mapToInt(agent -> agent.steals).sum();
    assertTrue(grants > CYCLES && aborts > 0 && steals > 0, grants + " " + aborts + " " + steals);
  }

  /** Runs one step per wake-up; the first thread also runs the steps of later ones. */
  private void drive() {
    if (wakes.getAndIncrement() == 0) {
      do {
        if (!queue.runTurn()) {
          failures.add(new AssertionError("woken for nothing"));
        }
      } while (wakes.decrementAndGet() != 0);
    }
  }

  /** A sequence of clients on one thread, to which all fields are confined. */
  private final class Agent {
    final String name;
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    int grants;
    int aborts;
    int steals;

    private final SplittableRandom random;
    private int cycle;
    private int life;
    private ClientId client;
    private RequestId request;
    private RequestId fence;
    private RequestId lastGranted;
    private String lockName = "";
    private LockMode mode = LockMode.SHARED;
    private boolean holding;

    Agent(int number) {
      name = "agent " + number;
      random = new SplittableRandom(number);
      client = new ClientId(name + " life 0");
    }

    void start() {
      post(() -> {
        beBorn();
        ask();
      });
    }

    private void beBorn() {
      int born = ++life;
      client = new ClientId(name + " life " + born);
      queue.register(
          TestCommands.registered(client),
          effect ->
              post(() -> {
                if (life == born) {
                  answer(effect);
                }
              }));
    }

    private void ask() {
      cycle++;
      boolean steals = random.nextInt(10) == 0;
      int safe = random.nextInt(SAFE_NAMES.size());
      lockName = steals || random.nextInt(10) == 0 ? STOLEN_NAME : SAFE_NAMES.get(safe);
      mode = !steals && random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE;
      WaitMode wait =
          steals ? WaitMode.STEAL : random.nextInt(5) == 0 ? WaitMode.IF_AVAILABLE : WaitMode.WAIT;
      request = queue.nextId(client);
      fence = null;
      queue.enqueue(TestCommands.request(request, BUCKET, lockName, mode, wait));
      if (wait == WaitMode.WAIT && cycle < CYCLES && random.nextInt(5) == 0) {
        // An abort has no effect for its client, but a query does. If the answer to a query behind
        // the abort comes before a grant, the request was aborted.
        queue.enqueue(new AbortRequest(request));
        fence = queue.nextId(client);
        queue.enqueue(new TakeSnapshot(fence, BUCKET));
      }
    }

    private void answer(LockEffect effect) {
      switch (effect) {
        case LockEffect.Granted grant -> {
          check(grant.id().equals(request) && !holding, "unexpected " + grant);
          grants++;
          enter();
          // The last client ends with a safe name, so that no effect follows its end.
          boolean dies = cycle < CYCLES ? cycle % 50 == 0 : !lockName.equals(STOLEN_NAME);
          if (dies) {
            die();
          } else {
            leave();
            queue.enqueue(new ReleaseLock(request));
          }
        }
        case LockEffect.Unavailable miss -> {
          check(miss.id().equals(request) && !holding, "unexpected " + miss);
          ask();
        }
        case LockEffect.Released release -> {
          check(release.id().equals(request), "unexpected " + release);
          ask();
        }
        case LockEffect.SessionLost lost -> check(false, "unexpected " + lost);
        case LockEffect.Refused refused -> check(false, "unexpected " + refused);
        case LockEffect.BucketOpened opened -> check(false, "unexpected " + opened);
        case LockEffect.BucketDeleted deleted -> check(false, "unexpected " + deleted);
        case LockEffect.Stolen steal -> {
          check(steal.id().equals(request), "unexpected " + steal);
          check(lockName.equals(STOLEN_NAME), "stolen from a safe name: " + steal);
          steals++;
          ask();
        }
        case LockEffect.SnapshotTaken snapshot -> {
          // Stale when the request was granted before the abort.
          if (snapshot.id().equals(fence) && !request.equals(lastGranted)) {
            aborts++;
            ask();
          }
        }
      }
    }

    private void enter() {
      lastGranted = request;
      holding = true;
      int slot = SAFE_NAMES.indexOf(lockName);
      if (slot >= 0) {
        AtomicInteger holder = holders.get(slot);
        boolean alone =
            mode == LockMode.EXCLUSIVE ? holder.compareAndSet(0, -1) : holder.incrementAndGet() > 0;
        check(alone, "not alone in " + lockName + ", " + mode);
      }
    }

    private void leave() {
      holding = false;
      int slot = SAFE_NAMES.indexOf(lockName);
      if (slot >= 0) {
        AtomicInteger holder = holders.get(slot);
        if (mode == LockMode.EXCLUSIVE) {
          holder.set(0);
        } else {
          holder.decrementAndGet();
        }
      }
    }

    /** Ends the client while it holds a lock and, except for the last client, waits for others. */
    private void die() {
      leave();
      if (cycle >= CYCLES) {
        queue.enqueue(new EndClient(client));
        life++;
        finished.countDown();
        return;
      }
      for (String waited : SAFE_NAMES) {
        RequestId id = queue.nextId(client);
        queue.enqueue(TestCommands.request(id, BUCKET, waited, LockMode.EXCLUSIVE, WaitMode.WAIT));
      }
      queue.enqueue(new EndClient(client));
      beBorn();
      ask();
    }

    private void post(Runnable task) {
      loop.execute(() -> {
        try {
          task.run();
        } catch (RuntimeException | Error e) {
          failures.add(e);
          while (finished.getCount() > 0) {
            finished.countDown();
          }
        }
      });
    }

    private void check(boolean condition, String message) {
      if (!condition) {
        throw new AssertionError(name + ": " + message);
      }
    }
  }
}
