package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.TestCommands;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Transitions of requests, as the watcher of a lock task queue receives them. */
class LockWatcherTest {

  private static final ClientId ANN = new ClientId("ann");
  private static final ClientId BOB = new ClientId("bob");
  private static final ManagerId MANAGER = new ManagerId("m", "default");

  private final AtomicLong time = new AtomicLong();
  private final List<String> log = new ArrayList<>();
  private boolean watching = true;

  private final LockTaskQueue queue =
      TestQueues.watchedQueue(
          time::get,
          new LockWatcher() {
            @Override
            public boolean isWatching() {
              return watching;
            }

            @Override
            public void on(LockTransition each) {
              log.add(
                  each.kind().name().toLowerCase(Locale.ROOT)
                      + " "
                      + each.id().sequence()
                      + " after "
                      + each.nanos()
                      + (each.clientEnded() ? " with its client" : "")
                      + (each.thief() == null ? "" : " by " + each.thief().value()));
            }
          });

  LockWatcherTest() {
    queue.register(
        TestCommands.registered(ANN), effect -> log.add("  " + effect.getClass().getSimpleName()));
    queue.register(
        TestCommands.registered(BOB), effect -> log.add("  " + effect.getClass().getSimpleName()));
  }

  private RequestId request(ClientId client, WaitMode waitMode) {
    RequestId id = queue.nextId(client);
    queue.enqueue(TestCommands.request(id, MANAGER, "n", LockMode.EXCLUSIVE, waitMode));
    run();
    return id;
  }

  private void run() {
    time.addAndGet(10);
    while (queue.runTurn()) {
      // runs all steps
    }
  }

  @Test
  void each_transition_is_reported_with_its_duration_before_its_effect() {
    request(ANN, WaitMode.WAIT);
    request(BOB, WaitMode.IF_AVAILABLE);
    RequestId waiting = request(BOB, WaitMode.WAIT);
    queue.enqueue(new AbortRequest(waiting));
    run();
    RequestId stolen = request(BOB, WaitMode.STEAL);
    queue.enqueue(new ReleaseLock(stolen));
    run();
    assertEquals(
        List.of(
            "requested 1 after 0",
            "granted 1 after 0",
            "  Granted",
            "requested 2 after 0",
            "missed 2 after 0",
            "  Unavailable",
            "requested 3 after 0",
            "aborted 3 after 10",
            "requested 4 after 0",
            "stolen 1 after 40 by bob",
            "granted 4 after 0",
            "  Stolen",
            "  Granted",
            "released 4 after 10",
            "  Released"),
        log);
    assertEquals(new LockCounts(4, 2, 1, 1, 1, 1, 0, 0), queue.counts());
  }

  @Test
  void locks_that_end_with_their_client_are_reported_without_effects() {
    request(ANN, WaitMode.WAIT);
    request(ANN, WaitMode.WAIT);
    log.clear();
    queue.enqueue(new EndClient(ANN));
    run();
    assertEquals(
        List.of("aborted 2 after 10 with its client", "released 1 after 20 with its client"), log);
    assertEquals(new LockCounts(2, 1, 0, 0, 1, 1, 0, 0), queue.counts());
  }

  @Test
  void transitions_are_counted_but_not_reported_without_a_watcher() {
    watching = false;
    RequestId id = request(ANN, WaitMode.WAIT);
    watching = true;
    queue.enqueue(new ReleaseLock(id));
    run();
    assertEquals(List.of("  Granted", "released 1 after 10", "  Released"), log);
    assertEquals(new LockCounts(1, 1, 0, 0, 0, 1, 0, 0), queue.counts());
  }

  @Test
  void request_of_an_unknown_client_is_neither_counted_nor_reported() {
    request(new ClientId("unknown"), WaitMode.WAIT);
    assertEquals(List.of(), log);
    assertEquals(new LockCounts(0, 0, 0, 0, 0, 0, 0, 0), queue.counts());
  }
}
