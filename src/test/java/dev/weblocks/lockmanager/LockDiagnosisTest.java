package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockAsker;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.WaitMode;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LockDiagnosisTest {

  private static final ManagerId BUCKET = new ManagerId("bucket");
  private static final ClientId ANN = new ClientId("ann");
  private static final ClientId BOB = new ClientId("bob");

  private final AtomicLong time = new AtomicLong();
  private final LockTaskQueue queue = TestQueues.watchedQueue(time::get, null);

  LockDiagnosisTest() {
    queue.register(ANN, effect -> {});
    queue.register(BOB, effect -> {});
  }

  private void run() {
    while (queue.runStep()) {
      // each call is one step
    }
  }

  private long request(ClientId client, String name, LockMode mode, LockAsker asker) {
    long id = queue.nextId();
    queue.enqueue(new RequestLock(id, client, BUCKET, name, mode, WaitMode.WAIT, asker));
    run();
    return id;
  }

  @Test
  void diagnosis_lists_held_locks_then_waiting_requests_with_their_times() {
    LockAsker asker = new LockAsker("window-1", "u", "o", "b", "a.js:1:1");
    time.set(5);
    long held = request(ANN, "n", LockMode.SHARED, asker);
    time.set(6);
    request(BOB, "n", LockMode.EXCLUSIVE, null);
    time.set(7);
    request(ANN, "n", LockMode.SHARED, asker.at(null));

    assertEquals(
        List.of(
            new LockState(BUCKET, "n", LockMode.SHARED, 0, ANN, asker, 5, 1, false),
            new LockState(BUCKET, "n", LockMode.EXCLUSIVE, 1, BOB, null, 6, 2, false),
            new LockState(BUCKET, "n", LockMode.SHARED, 2, ANN, asker.at(null), 7, 3, false)),
        queue.diagnose());

    time.set(9);
    queue.enqueue(new ReleaseLock(held));
    run();
    assertEquals(
        List.of(
            new LockState(BUCKET, "n", LockMode.EXCLUSIVE, 0, BOB, null, 9, 2, false),
            new LockState(BUCKET, "n", LockMode.SHARED, 1, ANN, asker.at(null), 7, 3, false)),
        queue.diagnose());
  }

  @Test
  void enqueued_step_is_not_part_of_the_diagnosis() {
    queue.enqueue(
        new RequestLock(queue.nextId(), ANN, BUCKET, "n", LockMode.SHARED, WaitMode.WAIT));
    assertEquals(List.of(), queue.diagnose());
  }

  @Test
  void text_of_a_request_omits_the_asker() {
    RequestLock plain = new RequestLock(1, ANN, BUCKET, "n", LockMode.SHARED, WaitMode.WAIT);
    RequestLock asked =
        new RequestLock(
            1,
            ANN,
            BUCKET,
            "n",
            LockMode.SHARED,
            WaitMode.WAIT,
            new LockAsker("window-1", "u", "o", "b", null));
    assertEquals(plain.toString(), asked.toString());
    assertEquals(
        "RequestLock[requestId=1, client=ClientId[value=ann], manager=ManagerId[value=bucket],"
            + " name=n, mode=SHARED, waitMode=WAIT]",
        asked.toString());
  }
}
