package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import org.junit.jupiter.api.Test;

/** The texts of commands in traces. */
class LockTracingTest {

  private static final ClientId ANN = new ClientId("ann");
  private static final ManagerId BUCKET = new ManagerId("bucket", "default");
  private static final RequestId ID = new RequestId(ANN, 1);

  private static LockCommand request(boolean reentrant, String position) {
    return new RequestLock(
        ID, BUCKET, new LockOptions("n", LockMode.SHARED, WaitMode.WAIT, reentrant, position));
  }

  @Test
  void text_of_a_request_contains_reentrant_only_if_the_request_is_reentrant() {
    String plain = LockTracing.text(request(false, null));
    String reentrant = LockTracing.text(request(true, null));
    assertTrue(plain.endsWith("waitMode=WAIT]"), plain);
    assertEquals(plain.replace("WAIT]", "WAIT, reentrant]"), reentrant);
  }

  @Test
  void text_of_a_request_omits_its_source_position() {
    String plain = LockTracing.text(request(false, null));
    assertEquals(plain, LockTracing.text(request(false, "a.js:1:1")));
    assertEquals(
        "RequestLock[requestId=1, client=ClientId[value=ann], manager=ManagerId[value=bucket],"
            + " name=n, mode=SHARED, waitMode=WAIT]",
        plain);
  }

  @Test
  void text_of_a_command_other_than_a_request_contains_its_ids() {
    assertEquals("ReleaseLock[requestId=1]", LockTracing.text(new ReleaseLock(ID)));
    assertEquals("AbortRequest[requestId=1]", LockTracing.text(new AbortRequest(ID)));
    assertEquals("EndClient[client=ClientId[value=ann]]", LockTracing.text(new EndClient(ANN)));
    assertEquals(
        "TakeSnapshot[queryId=1, client=ClientId[value=ann], manager=ManagerId[value=bucket]]",
        LockTracing.text(new TakeSnapshot(ID, BUCKET)));
  }
}
