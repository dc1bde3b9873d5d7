package dev.weblocks.cluster.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.CheckBucket;
import dev.weblocks.lockmanager.message.LockCommand.DeleteBucket;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Named storage buckets that the user agents of a namespace share. */
class BucketsTest {

  private static final ClientId CLIENT = new ClientId("client");
  private static final ManagerId X = new ManagerId("https://one.test/x", "x");

  private final ClusterMachine machine = new ClusterMachine();
  private final User first = new User(1);
  private final User second = new User(2);

  /** A user agent that sends one command per batch, and reads all effects at once. */
  private final class User {
    private final long number;
    private UUID secret = new UUID(0, 0);
    private long session;
    private long commands;
    private long acknowledged;
    private long ids;

    User(long number) {
      this.number = number;
      connect(0);
    }

    /** Opens the next session. */
    void connect(long attempt) {
      secret = new UUID(attempt, number);
      OpenSession open = new OpenSession(secret, "shop", "user", 10_000, Set.of());
      session = assertInstanceOf(Opened.class, machine.apply(open, 1, 0)).session();
      commands = 0;
      acknowledged = 0;
      assertEquals(
          List.of(),
          send(new RegisterClient(CLIENT, new LockRequester("agent", "", "https://one.test"))));
    }

    RequestId id() {
      return new RequestId(CLIENT, ++ids);
    }

    /** Sends a command, and returns the effects since the last one. */
    List<LockEffect> send(LockCommand command) {
      machine.apply(
          new Batch(session, secret, acknowledged, ++commands, List.of(command)), 1, commands);
      return effects();
    }

    List<LockEffect> effects() {
      Events answer = assertInstanceOf(Events.class, machine.events(session, secret, acknowledged));
      acknowledged += answer.events().size();
      return answer.events().stream().map(Event::effect).toList();
    }

    LockEffect opens(RequestId id, ManagerId bucket, long incarnation) {
      return send(new OpenBucket(id, bucket, incarnation)).getLast();
    }

    long open(RequestId id) {
      return assertInstanceOf(BucketOpened.class, opens(id, X, 0)).incarnation();
    }

    List<LockEffect> request(RequestId id, RequestId opening) {
      return send(
          new RequestLock(
              id,
              new ManagerId("local", "x", opening.sequence()),
              LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT)));
    }

    void delete() {
      RequestId id = id();
      assertEquals(new BucketDeleted(id), send(new DeleteBucket(id, X, 0)).getLast());
    }
  }

  @Test
  void user_agents_that_open_a_bucket_share_its_locks() {
    RequestId here = first.id();
    second.id();
    RequestId there = second.id(); // another number for the same bucket
    assertEquals(first.open(here), second.open(there));
    RequestId held = first.id();
    assertInstanceOf(Granted.class, first.request(held, here).getFirst());
    RequestId waits = second.id();
    assertEquals(List.of(), second.request(waits, there));
    first.send(new ReleaseLock(held));
    assertEquals(waits, assertInstanceOf(Granted.class, second.effects().getFirst()).id());
  }

  @Test
  void deletion_reaches_every_user_agent_that_has_the_bucket_open() {
    RequestId here = first.id();
    RequestId there = second.id();
    first.open(here);
    second.open(there);
    RequestId delete = first.id();
    assertEquals(
        List.of(new BucketDeleted(here), new BucketDeleted(delete)),
        first.send(new DeleteBucket(delete, X, 0)));
    assertEquals(List.of(new BucketDeleted(there)), second.effects());
  }

  @Test
  void requests_and_queries_after_the_deletion_are_over() {
    RequestId there = second.id();
    second.open(there);
    first.delete();
    RequestId late = second.id();
    assertEquals(new BucketDeleted(late), second.request(late, there).getLast());
    RequestId query = second.id();
    ManagerId manager = new ManagerId("local", "x", there.sequence());
    assertEquals(List.of(new BucketDeleted(query)), second.send(new TakeSnapshot(query, manager)));
    RequestId check = second.id();
    assertEquals(
        List.of(new BucketDeleted(check)), second.send(new CheckBucket(check, there.sequence())));
  }

  @Test
  void new_incarnation_shares_no_locks_with_the_deleted_one() {
    RequestId there = second.id();
    long old = second.open(there);
    RequestId held = second.id();
    second.request(held, there);
    RequestId waits = second.id();
    second.request(waits, there);
    first.delete();
    RequestId again = first.id();
    assertNotEquals(old, first.open(again));
    assertInstanceOf(Granted.class, first.request(first.id(), again).getFirst());
    second.effects();
    List<LockEffect> effects = second.send(new ReleaseLock(held));
    assertEquals(waits, assertInstanceOf(Granted.class, effects.getFirst()).id());
    SnapshotTaken query =
        assertInstanceOf(
            SnapshotTaken.class,
            first
                .send(new TakeSnapshot(first.id(), new ManagerId("local", "x", again.sequence())))
                .getFirst());
    assertEquals(1, query.snapshot().held().size());
  }

  @Test
  void default_bucket_is_not_concerned() {
    ManagerId locks = new ManagerId("https://one.test/default/web-locks", "default");
    RequestLock request =
        new RequestLock(first.id(), locks, LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT));
    first.delete();
    assertInstanceOf(Granted.class, first.send(request).getFirst());
  }

  @Test
  void expired_bucket_is_deleted_only_as_the_incarnation_that_was_open() {
    RequestId here = first.id();
    first.open(here);
    second.delete();
    RequestId there = second.id();
    long current = second.open(there);
    first.send(new DeleteBucket(first.id(), X, here.sequence()));
    assertEquals(List.of(), second.effects());
    assertEquals(current, first.open(first.id()));
  }

  @Test
  void next_session_opens_the_same_incarnation() {
    long opened = first.open(first.id());
    machine.apply(machine.expiryOf(first.session), 1, 0);
    first.connect(1);
    RequestId again = first.id();
    assertEquals(new BucketOpened(again, opened), first.opens(again, X, opened));
  }

  @Test
  void next_session_learns_of_a_deletion_that_it_missed() {
    long opened = first.open(first.id());
    machine.apply(machine.expiryOf(first.session), 1, 0);
    second.delete();
    first.connect(1);
    RequestId again = first.id();
    assertEquals(new BucketDeleted(again), first.opens(again, X, opened));
    second.open(second.id());
    RequestId later = first.id();
    assertEquals(new BucketDeleted(later), first.opens(later, X, opened));
  }

  @Test
  void removed_namespace_forgets_its_buckets_without_deleting_them() {
    long opened = first.open(first.id());
    second.open(second.id());
    machine.apply(new RemoveNamespace("shop"), 1, 0);
    first.connect(1);
    second.connect(1);
    RequestId here = first.id();
    RequestId there = second.id();
    long again = assertInstanceOf(BucketOpened.class, first.opens(here, X, opened)).incarnation();
    assertTrue(again > opened);
    assertEquals(new BucketOpened(there, again), second.opens(there, X, opened));
  }

  @Test
  void deleted_incarnations_leave_nothing_behind() {
    int size = 0;
    for (int i = 0; i < 1_000; i++) {
      first.open(first.id());
      first.delete();
      first.send(new EndClient(new ClientId("unknown"))); // acknowledges
      int now = machine.snapshot().length;
      size = size == 0 ? now : size;
      assertEquals(size, now, "after " + i);
    }
  }

  @Test
  void too_many_buckets_are_refused_until_one_is_unused() {
    for (int i = 0; i < Caps.BUCKETS; i++) {
      RequestId id = second.id();
      assertInstanceOf(BucketOpened.class, second.opens(id, bucket(i), 0));
    }
    RequestId refused = first.id();
    assertEquals(
        new Refused(refused, "There are 10000 storage buckets, which is the limit."),
        first.opens(refused, X, 0));
    RequestId known = first.id();
    assertInstanceOf(BucketOpened.class, first.opens(known, bucket(7), 0));
    machine.apply(new CloseSession(second.session, second.secret), 1, 0);
    assertInstanceOf(BucketOpened.class, first.opens(first.id(), X, 0));
    RequestId removed = first.id();
    assertEquals(new BucketDeleted(removed), first.opens(removed, bucket(0), 1));
    RequestId kept = first.id();
    assertInstanceOf(BucketOpened.class, first.opens(kept, bucket(7), 8));
  }

  private static ManagerId bucket(int number) {
    return new ManagerId("https://one.test/b" + number, "b" + number);
  }

  @Test
  void name_that_is_too_long_is_refused() {
    ManagerId huge = new ManagerId("x".repeat(5_000), "x");
    assertInstanceOf(Refused.class, first.opens(first.id(), huge, 0));
  }

  @Test
  void one_command_cannot_open_two_buckets() {
    RequestId id = first.id();
    first.open(id);
    assertInstanceOf(Refused.class, first.opens(id, bucket(1), 0));
  }

  @Test
  void buckets_of_an_ended_client_are_closed() {
    RequestId here = first.id();
    first.open(here);
    first.send(new EndClient(CLIENT));
    second.delete();
    assertEquals(List.of(), first.effects());
  }

  @Test
  void snapshot_with_a_bucket_of_an_unknown_session_is_malformed() {
    first.open(first.id());
    byte[] snapshot = machine.snapshot();
    // the session is before the id of the command, which ends the snapshot
    int at = snapshot.length - Long.BYTES - Integer.BYTES - 2 * CLIENT.value().length() - 1;
    snapshot[at]++;
    snapshot[at] += 40;
    assertThrows(IllegalArgumentException.class, () -> ClusterMachine.restore(snapshot));
  }

  @Test
  void restored_machine_goes_on_with_equal_bytes() {
    Random random = new Random(3);
    List<User> users = List.of(first, second, new User(3));
    ClusterMachine replica = ClusterMachine.restore(machine.snapshot());
    List<RequestId> openings = new ArrayList<>();
    for (int step = 0; step < TestSize.of(5_000, 50_000); step++) {
      User user = users.get(random.nextInt(users.size()));
      RequestId id = user.id();
      RequestId opening = openings.isEmpty() ? id : openings.get(random.nextInt(openings.size()));
      ManagerId manager = new ManagerId("local", "x", opening.sequence());
      ManagerId bucket = bucket(random.nextInt(3));
      LockCommand command =
          switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
              openings.add(id);
              yield new OpenBucket(
                  id, bucket, random.nextInt(4) == 0 ? random.nextInt(step + 1) : 0);
            }
            case 3 -> new CheckBucket(id, opening.sequence());
            case 4 -> new DeleteBucket(id, bucket, random.nextBoolean() ? 0 : opening.sequence());
            case 5 -> new TakeSnapshot(id, manager);
            case 6 -> new ReleaseLock(new RequestId(CLIENT, 1 + random.nextInt((int) user.ids)));
            default ->
                new RequestLock(
                    id,
                    manager,
                    LockOptions.of(
                        "a",
                        LockMode.EXCLUSIVE,
                        random.nextBoolean() ? WaitMode.STEAL : WaitMode.WAIT));
          };
      Entry entry =
          new Batch(
              user.session, user.secret, user.acknowledged, ++user.commands, List.of(command));
      assertEquals(entry, EntryCodec.decodeEntry(EntryCodec.encode(entry)));
      Reply reply = machine.apply(entry, step, step);
      assertEquals(reply, replica.apply(entry, step, step));
      assertEquals(reply, EntryCodec.decodeReply(EntryCodec.encode(reply)));
      user.effects();
      if (random.nextInt(20) == 0) {
        byte[] snapshot = replica.snapshot();
        assertArrayEquals(machine.snapshot(), snapshot);
        replica = ClusterMachine.restore(snapshot);
      }
    }
  }
}
