package dev.weblocks.lockmanager;

import static dev.weblocks.model.LockMode.EXCLUSIVE;
import static dev.weblocks.model.LockMode.SHARED;
import static dev.weblocks.model.WaitMode.IF_AVAILABLE;
import static dev.weblocks.model.WaitMode.STEAL;
import static dev.weblocks.model.WaitMode.WAIT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A test bed of lock managers: short methods for commands, and the effects of the last command. */
public final class Bench {
  public static final ClientId ANN = new ClientId("ann");
  public static final ClientId BEN = new ClientId("ben");
  public static final ClientId CAT = new ClientId("cat");
  private static final ClientId OBSERVER = new ClientId("observer");
  public static final ManagerId BUCKET = new ManagerId("bucket", "default");
  public static final ManagerId OTHER_BUCKET = new ManagerId("other bucket", "default");

  final LockManagers managers;

  Bench(Variant... variants) {
    managers = new LockManagers(Set.of(variants));
  }

  /** The effects of the last command. */
  List<LockEffect> effects = List.of();

  /** The clients that were registered, whether they have ended or not. */
  private final Set<ClientId> known = new HashSet<>();

  private long lastId;

  RequestId nextId(ClientId client) {
    return new RequestId(client, ++lastId);
  }

  /** Applies a command. Its client must be registered, or the command does nothing. */
  List<LockEffect> apply(LockCommand command) {
    List<LockEffect> collected = new ArrayList<>();
    TestCommands.apply(managers, command, collected::add);
    effects = collected;
    return collected;
  }

  /** Registers a client, unless it was registered before: an ended client stays ended. */
  void register(ClientId client) {
    if (known.add(client)) {
      assertEquals(List.of(), apply(TestCommands.registered(client)));
    }
  }

  /** Applies a request. Its client is registered before its first one. */
  private RequestId request(RequestId id, ManagerId manager, LockOptions options) {
    register(id.client());
    apply(new RequestLock(id, manager, options));
    return id;
  }

  RequestId request(ClientId client, ManagerId manager, String name, LockMode mode, WaitMode wait) {
    return request(nextId(client), manager, LockOptions.of(name, mode, wait));
  }

  /** Requests a lock that its client may enter again, under the variant reentrant. */
  RequestId reentrant(ClientId client, String name, LockMode mode) {
    return request(nextId(client), BUCKET, new LockOptions(name, mode, WAIT, true, null));
  }

  RequestId exclusive(ClientId client, String name) {
    return request(client, BUCKET, name, EXCLUSIVE, WAIT);
  }

  RequestId shared(ClientId client, String name) {
    return request(client, BUCKET, name, SHARED, WAIT);
  }

  RequestId ifAvailable(ClientId client, String name, LockMode mode) {
    return request(client, BUCKET, name, mode, IF_AVAILABLE);
  }

  RequestId steal(ClientId client, String name) {
    return request(client, BUCKET, name, EXCLUSIVE, STEAL);
  }

  List<LockEffect> release(RequestId id) {
    return apply(new ReleaseLock(id));
  }

  List<LockEffect> abort(RequestId id) {
    return apply(new AbortRequest(id));
  }

  List<LockEffect> end(ClientId client) {
    return apply(new EndClient(client));
  }

  /** Returns the state of a manager as a client sees it; does not change {@link #effects}. */
  LockManagerSnapshot snapshot(ClientId client, ManagerId manager) {
    List<LockEffect> before = effects;
    register(client);
    List<LockEffect> answers = apply(new TakeSnapshot(nextId(client), manager));
    effects = before;
    return ((SnapshotTaken) answers.get(0)).snapshot();
  }

  /** Returns the state of a manager as a client without locks sees it. */
  LockManagerSnapshot snapshot(ManagerId manager) {
    return snapshot(OBSERVER, manager);
  }

  LockManagerSnapshot snapshot() {
    return snapshot(BUCKET);
  }

  public static LockEffect granted(RequestId id) {
    return new Granted(id, SpecStep.QUEUE_GRANTS);
  }

  public static LockEffect unavailable(RequestId id) {
    return new Unavailable(id, SpecStep.REQUEST_MISSES);
  }

  public static LockEffect stolen(RequestId id) {
    return new Stolen(id, SpecStep.REQUEST_REJECTS_STOLEN);
  }

  public static LockEffect released(RequestId id) {
    return new Released(id, SpecStep.RELEASED_RESOLVES);
  }

  public static LockInfo info(String name, LockMode mode, ClientId client) {
    return new LockInfo(name, mode, client.value());
  }
}
