package dev.weblocks.lockmanager;

import static dev.weblocks.lockmanager.message.LockMode.EXCLUSIVE;
import static dev.weblocks.lockmanager.message.LockMode.SHARED;
import static dev.weblocks.lockmanager.message.WaitMode.IF_AVAILABLE;
import static dev.weblocks.lockmanager.message.WaitMode.STEAL;
import static dev.weblocks.lockmanager.message.WaitMode.WAIT;

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
import dev.weblocks.lockmanager.message.LockInfo;
import dev.weblocks.lockmanager.message.LockManagerSnapshot;
import dev.weblocks.lockmanager.message.LockMode;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.lockmanager.message.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A test bed of lock managers: short methods for commands, and the effects of the last command. */
final class Bench {
  static final ClientId ANN = new ClientId("ann");
  static final ClientId BEN = new ClientId("ben");
  static final ClientId CAT = new ClientId("cat");
  static final ManagerId BUCKET = new ManagerId("bucket");
  static final ManagerId OTHER_BUCKET = new ManagerId("other bucket");

  final LockManagers managers;

  Bench(Variant... variants) {
    managers = new LockManagers(Set.of(variants));
  }

  /** The effects of the last command. */
  List<LockEffect> effects = List.of();

  private long lastId;

  List<LockEffect> apply(LockCommand command) {
    List<LockEffect> collected = new ArrayList<>();
    TestQueues.apply(managers, command, collected::add);
    effects = collected;
    return collected;
  }

  long request(ClientId client, ManagerId manager, String name, LockMode mode, WaitMode wait) {
    long id = ++lastId;
    apply(new RequestLock(id, client, manager, name, mode, wait));
    return id;
  }

  /** Requests a lock that its client may enter again, under the variant reentrant. */
  long reentrant(ClientId client, String name, LockMode mode) {
    long id = ++lastId;
    apply(new RequestLock(id, client, BUCKET, name, mode, WAIT, null, true));
    return id;
  }

  long exclusive(ClientId client, String name) {
    return request(client, BUCKET, name, EXCLUSIVE, WAIT);
  }

  long shared(ClientId client, String name) {
    return request(client, BUCKET, name, SHARED, WAIT);
  }

  long ifAvailable(ClientId client, String name, LockMode mode) {
    return request(client, BUCKET, name, mode, IF_AVAILABLE);
  }

  long steal(ClientId client, String name) {
    return request(client, BUCKET, name, EXCLUSIVE, STEAL);
  }

  List<LockEffect> release(long id) {
    return apply(new ReleaseLock(id));
  }

  List<LockEffect> abort(long id) {
    return apply(new AbortRequest(id));
  }

  List<LockEffect> end(ClientId client) {
    return apply(new EndClient(client));
  }

  /** Returns the state of a manager; does not change {@link #effects}. */
  LockManagerSnapshot snapshot(ManagerId manager) {
    List<LockEffect> collected = new ArrayList<>();
    TestQueues.apply(managers, new TakeSnapshot(++lastId, ANN, manager), collected::add);
    return ((SnapshotTaken) collected.get(0)).snapshot();
  }

  LockManagerSnapshot snapshot() {
    return snapshot(BUCKET);
  }

  static LockEffect granted(long id, ClientId client) {
    return new Granted(id, client, SpecStep.QUEUE_GRANTS);
  }

  static LockEffect unavailable(long id, ClientId client) {
    return new Unavailable(id, client, SpecStep.REQUEST_MISSES);
  }

  static LockEffect stolen(long id, ClientId client) {
    return new Stolen(id, client, SpecStep.REQUEST_REJECTS_STOLEN);
  }

  static LockEffect released(long id, ClientId client) {
    return new Released(id, client, SpecStep.RELEASED_RESOLVES);
  }

  static LockInfo info(String name, LockMode mode, ClientId client) {
    return new LockInfo(name, mode, client.value());
  }
}
