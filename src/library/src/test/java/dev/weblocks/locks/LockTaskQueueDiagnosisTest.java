package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LockTaskQueueDiagnosisTest {

  private static final ManagerId BUCKET = new ManagerId("bucket", "default");
  private static final ClientId ANN = new ClientId("ann");
  private static final ClientId BOB = new ClientId("bob");
  private static final LockRequester WINDOW = new LockRequester("window-1", "u", "o");
  private static final LockRequester UNNAMED = new LockRequester("", "", "");

  private final AtomicLong time = new AtomicLong();
  private final LockTaskQueue queue = TestQueues.queue(time::get);

  LockTaskQueueDiagnosisTest() {
    queue.register(new RegisterClient(ANN, WINDOW), effect -> {});
    queue.register(new RegisterClient(BOB, UNNAMED), effect -> {});
  }

  private static LockOptions options(LockMode mode, String position) {
    return new LockOptions("n", mode, WaitMode.WAIT, /* reentrant= */ false, position);
  }

  private void run() {
    while (queue.runTurn()) {
      // each call is one step
    }
  }

  private RequestId request(ClientId client, LockOptions options) {
    RequestId id = queue.nextId(client);
    queue.enqueue(new RequestLock(id, BUCKET, options));
    run();
    return id;
  }

  @Test
  void diagnosis_lists_held_locks_then_waiting_requests_with_their_times() {
    LockOptions first = options(LockMode.SHARED, "a.js:1:1");
    LockOptions second = options(LockMode.EXCLUSIVE, null);
    LockOptions third = options(LockMode.SHARED, null);
    time.set(5);
    RequestId held = request(ANN, first);
    time.set(6);
    RequestId bobs = request(BOB, second);
    time.set(7);
    RequestId last = request(ANN, third);

    assertEquals(
        List.of(new RequestId(ANN, 1), new RequestId(BOB, 2), new RequestId(ANN, 3)),
        List.of(held, bobs, last));
    assertEquals(
        List.of(
            new LockState(held, BUCKET, first, 0, WINDOW, 5),
            new LockState(bobs, BUCKET, second, 1, UNNAMED, 6),
            new LockState(last, BUCKET, third, 2, WINDOW, 7)),
        queue.diagnose());

    time.set(9);
    queue.enqueue(new ReleaseLock(held));
    run();
    assertEquals(
        List.of(
            new LockState(bobs, BUCKET, second, 0, UNNAMED, 9),
            new LockState(last, BUCKET, third, 1, WINDOW, 7)),
        queue.diagnose());
  }

  @Test
  void diagnosis_does_not_include_steps_that_have_not_run() {
    queue.enqueue(new RequestLock(queue.nextId(ANN), BUCKET, options(LockMode.SHARED, null)));
    assertEquals(List.of(), queue.diagnose());
  }
}
