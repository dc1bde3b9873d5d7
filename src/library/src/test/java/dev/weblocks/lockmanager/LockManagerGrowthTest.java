package dev.weblocks.lockmanager;

import static dev.weblocks.model.LockMode.EXCLUSIVE;
import static dev.weblocks.model.LockMode.SHARED;
import static dev.weblocks.model.WaitMode.IF_AVAILABLE;
import static dev.weblocks.model.WaitMode.STEAL;
import static dev.weblocks.model.WaitMode.WAIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import dev.weblocks.testing.TestSize;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The number of elementary operations of a command, for any number of locks and requests. */
class LockManagerGrowthTest {
  private static final int MANY = TestSize.of(100_000, 1_000_000);
  private static final ManagerId BUCKET = new ManagerId("bucket", "default");
  private static final ManagerId EMPTY_BUCKET = new ManagerId("empty bucket", "default");
  private static final ClientId CROWD = new ClientId("crowd");
  private static final ClientId HOLDER = new ClientId("holder");
  private static final ClientId GUEST = new ClientId("guest");

  @Test
  void cost_of_a_command_is_independent_of_the_queue_length() {
    Map<String, Long> few = costsBehind(1_000);
    Map<String, Long> many = costsBehind(MANY);
    assertEquals(few, many);
    few.forEach((what, cost) -> assertTrue(cost > 0, what + " was not counted"));
  }

  @Test
  void cost_of_a_command_is_independent_of_the_number_of_locks() {
    Map<String, Long> few = costsBeside(1_000);
    Map<String, Long> many = costsBeside(MANY);
    assertEquals(few, many);
    few.forEach((what, cost) -> assertTrue(cost > 0, what + " was not counted"));
  }

  @Test
  void cost_of_a_snapshot_is_proportional_to_its_size() {
    long few = snapshotCost(1_000);
    long more = snapshotCost(100_000);
    assertTrue(more <= 100 * few, few + " operations for 1000 requests, " + more + " for 100000");
    assertTrue(more >= 100_000, "not counted: " + more);
  }

  private static Map<String, Long> costsBehind(int crowd) {
    Gauge gauge = new Gauge();
    RequestId held = gauge.request(HOLDER, "crowded", EXCLUSIVE, WAIT);
    RequestId[] waiting = new RequestId[crowd];
    for (int i = 0; i < crowd; i++) {
      waiting[i] = gauge.request(CROWD, "crowded", EXCLUSIVE, WAIT);
    }
    Map<String, Long> costs = new LinkedHashMap<>();
    costs.put("request", gauge.costOfRequest(GUEST, "crowded", SHARED, WAIT));
    costs.put("miss", gauge.costOfRequest(GUEST, "crowded", SHARED, IF_AVAILABLE));
    costs.put("request of a free name", gauge.costOfRequest(GUEST, "free", SHARED, WAIT));
    costs.put("end of a client with two items", gauge.costOf(new EndClient(GUEST)));
    costs.put("abort at the head", gauge.costOf(new AbortRequest(waiting[0])));
    costs.put("abort in the middle", gauge.costOf(new AbortRequest(waiting[crowd / 2])));
    costs.put("abort at the tail", gauge.costOf(new AbortRequest(waiting[crowd - 1])));
    costs.put("abort of nothing", gauge.costOf(new AbortRequest(waiting[0])));
    costs.put("release that grants", gauge.costOf(new ReleaseLock(held)));
    costs.put("release of nothing", gauge.costOf(new ReleaseLock(held)));
    costs.put("steal", gauge.costOfRequest(GUEST, "crowded", EXCLUSIVE, STEAL));
    costs.put("end of the thief", gauge.costOf(new EndClient(GUEST)));
    costs.put("question", gauge.costOf(new TakeSnapshot(new RequestId(GUEST, 0), EMPTY_BUCKET)));
    costs.put("registration", gauge.costOf(TestCommands.registered(new ClientId("newcomer"))));
    return costs;
  }

  private static Map<String, Long> costsBeside(int crowd) {
    Gauge gauge = new Gauge();
    // One half shares one name, the other half has a name each.
    int half = crowd / 2;
    RequestId[] shared = new RequestId[half];
    for (int i = 0; i < half; i++) {
      shared[i] = gauge.request(CROWD, "crowded", SHARED, WAIT);
      gauge.request(CROWD, "name " + i, SHARED, WAIT);
    }
    Map<String, Long> costs = new LinkedHashMap<>();
    costs.put("request", gauge.costOfRequest(GUEST, "crowded", SHARED, WAIT));
    costs.put("miss", gauge.costOfRequest(GUEST, "crowded", EXCLUSIVE, IF_AVAILABLE));
    costs.put("release in the middle", gauge.costOf(new ReleaseLock(shared[half / 2])));
    costs.put("steal", gauge.costOfRequest(GUEST, "name 1", EXCLUSIVE, STEAL));
    costs.put("end of a client with two locks", gauge.costOf(new EndClient(GUEST)));
    return costs;
  }

  private static long snapshotCost(int crowd) {
    Gauge gauge = new Gauge();
    for (int i = 0; i < crowd; i++) {
      gauge.request(CROWD, "crowded", EXCLUSIVE, WAIT);
    }
    return gauge.costOf(new TakeSnapshot(new RequestId(GUEST, 0), BUCKET));
  }

  private static final class Gauge {
    private final LockManagers managers = new LockManagers(Set.of());
    private long lastId;

    RequestId request(ClientId client, String name, LockMode mode, WaitMode wait) {
      costOfRequest(client, name, mode, wait);
      return new RequestId(client, lastId);
    }

    long costOfRequest(ClientId client, String name, LockMode mode, WaitMode wait) {
      RequestId id = new RequestId(client, ++lastId);
      return costOf(TestCommands.request(id, BUCKET, name, mode, wait));
    }

    /** Returns the cost of a command without that of the registration of its client. */
    long costOf(LockCommand command) {
      if (!(command instanceof RegisterClient)) {
        apply(TestCommands.registered(command.client())); // a second one is ignored
      }
      long before = managers.operationCount();
      apply(command);
      return managers.operationCount() - before;
    }

    private void apply(LockCommand command) {
      TestCommands.apply(managers, command, effect -> {});
    }
  }
}
