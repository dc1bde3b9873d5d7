package dev.weblocks.cluster.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusterMachineTest {

  private static final ManagerId MANAGER = new ManagerId("https://one.test/default", "default");
  private static final ClientId CLIENT = new ClientId("client");

  private ClusterMachine machine = new ClusterMachine();
  private final User first = new User(1);
  private final User second = new User(2);

  /** A user agent that sends one command per batch. */
  private final class User {
    final UUID secret;
    long session;
    long commands;
    long acknowledged;
    long ids;

    User(long number) {
      secret = new UUID(0, number);
    }

    User open() {
      session = opened(machine.apply(openEntry(Set.of()), 1, 0));
      send(register());
      return this;
    }

    OpenSession openEntry(Set<Variant> variants) {
      return new OpenSession(secret, "shop", "user", 10_000, variants);
    }

    RequestId id() {
      return new RequestId(CLIENT, ++ids);
    }

    RequestId request(String name, LockMode mode, WaitMode wait) {
      RequestId id = id();
      send(new RequestLock(id, MANAGER, LockOptions.of(name, mode, wait)));
      return id;
    }

    RequestId request(String name) {
      return request(name, LockMode.EXCLUSIVE, WaitMode.WAIT);
    }

    Batch batch(LockCommand... batch) {
      Batch made = new Batch(session, secret, acknowledged, commands + 1, List.of(batch));
      commands += batch.length;
      return made;
    }

    Reply send(LockCommand... batch) {
      return machine.apply(batch(batch), 1, 0);
    }

    /** Returns the effects that were not acknowledged, and acknowledges them. */
    List<LockEffect> effects() {
      Events answer = assertInstanceOf(Events.class, machine.events(session, secret, acknowledged));
      List<LockEffect> effects = new ArrayList<>();
      for (Event event : answer.events()) {
        assertEquals(++acknowledged, event.number());
        effects.add(event.effect());
      }
      return effects;
    }
  }

  private static RegisterClient register() {
    return new RegisterClient(CLIENT, new LockRequester("agent", "", "https://one.test"));
  }

  private static long opened(Reply reply) {
    return assertInstanceOf(Opened.class, reply).session();
  }

  private static long token(LockEffect effect) {
    return assertInstanceOf(Granted.class, effect).token();
  }

  @Test
  void opening_a_session_again_returns_the_same_one() {
    long session = opened(machine.apply(first.openEntry(Set.of()), 1, 0));
    assertEquals(session, opened(machine.apply(first.openEntry(Set.of()), 1, 0)));
    assertTrue(opened(machine.apply(second.openEntry(Set.of()), 1, 0)) > session);
  }

  @Test
  void a_repeated_batch_is_applied_once() {
    first.open();
    RequestId id = first.id();
    Batch batch =
        first.batch(
            new RequestLock(id, MANAGER, LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT)),
            new ReleaseLock(id));
    Reply once = machine.apply(batch, 1, 0);
    assertEquals(once, machine.apply(batch, 1, 0));
    assertEquals(2, first.effects().size());
  }

  @Test
  void a_batch_after_a_gap_is_not_applied() {
    first.open();
    Batch later = new Batch(first.session, first.secret, 0, 7, List.of(new EndClient(CLIENT)));
    assertEquals(new Events(1, List.of()), machine.apply(later, 1, 0));
  }

  @Test
  void events_stay_until_they_are_acknowledged() {
    first.open();
    first.request("a");
    List<LockEffect> effects = first.effects();
    first.acknowledged = 0;
    assertEquals(effects, first.effects());
    first.send(new TakeSnapshot(first.id(), MANAGER)); // acknowledges the first one
    Events all = assertInstanceOf(Events.class, machine.events(first.session, first.secret, 0));
    assertEquals(List.of(2L), all.events().stream().map(Event::number).toList());
  }

  @Test
  void events_name_the_entry_that_caused_them() {
    first.open();
    second.open();
    RequestId held = first.id();
    LockOptions options = LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT);
    machine.apply(first.batch(new RequestLock(held, MANAGER, options)), 7, 0);
    second.request("a");
    machine.apply(first.batch(new ReleaseLock(held)), 9, 0);
    machine = ClusterMachine.restore(machine.snapshot());
    assertEquals(List.of(7L, 9L), indexes(first));
    assertEquals(List.of(9L), indexes(second));
  }

  private List<Long> indexes(User user) {
    return assertInstanceOf(Events.class, machine.events(user.session, user.secret, 0))
        .events()
        .stream()
        .map(Event::index)
        .toList();
  }

  @Test
  void requests_of_two_sessions_are_granted_in_the_order_of_the_log() {
    first.open();
    second.open();
    RequestId held = first.request("a");
    second.request("a");
    long before = token(first.effects().getFirst());
    assertEquals(List.of(), second.effects());
    first.send(new ReleaseLock(held));
    assertTrue(token(second.effects().getFirst()) > before);
  }

  @Test
  void a_session_cannot_release_the_lock_of_another() {
    first.open();
    second.open();
    RequestId held = first.request("a"); // both have the same ids
    second.request("b");
    second.send(new ReleaseLock(held), new AbortRequest(held));
    assertEquals(1, machine.diagnose("shop").states().stream().filter(s -> s.isHeld()).count());
    assertEquals("a", machine.diagnose("shop").states().getFirst().name());
  }

  @Test
  void with_a_wrong_secret_there_is_no_session() {
    first.open();
    Batch stolen = new Batch(first.session, second.secret, 0, 2, List.of(new EndClient(CLIENT)));
    assertEquals(new SessionOver(), machine.apply(stolen, 1, 0));
    assertEquals(
        new SessionOver(), machine.apply(new CloseSession(first.session, second.secret), 1, 0));
    assertEquals(new SessionOver(), machine.events(first.session, second.secret, 0));
    assertEquals(1, machine.sessionCount());
  }

  @Test
  void a_silent_session_expires_and_its_lock_passes_on() {
    first.open();
    second.open();
    first.request("a");
    second.request("a");
    machine.apply(machine.expiryOf(first.session), 1, 0);
    assertEquals(1, second.effects().size());
    assertEquals(new SessionOver(), machine.events(first.session, first.secret, 0));
  }

  @Test
  void a_session_that_has_sent_a_batch_since_does_not_expire() {
    first.open();
    ExpireSession late = machine.expiryOf(first.session);
    first.request("a");
    assertEquals(new Done(), machine.apply(late, 1, 0));
    assertEquals(1, first.effects().size());
  }

  @Test
  void a_steal_reaches_the_holder_in_another_session() {
    first.open();
    second.open();
    RequestId held = first.request("a");
    first.effects();
    second.request("a", LockMode.EXCLUSIVE, WaitMode.STEAL);
    assertEquals(held, assertInstanceOf(Stolen.class, first.effects().getFirst()).id());
  }

  @Test
  void a_snapshot_for_script_has_the_ids_of_the_user_agents() {
    first.open();
    second.open();
    first.request("a");
    second.send(new TakeSnapshot(second.id(), MANAGER));
    SnapshotTaken taken = assertInstanceOf(SnapshotTaken.class, second.effects().getFirst());
    assertEquals(CLIENT.value(), taken.snapshot().held().getFirst().clientId());
  }

  @Test
  void other_variants_in_one_namespace_are_rejected() {
    first.open();
    Rejected rejected =
        assertInstanceOf(
            Rejected.class, machine.apply(second.openEntry(Set.of(Variant.REENTRANT)), 1, 0));
    assertEquals(
        "the namespace 'shop' is used with the variants [], but this user agent has [reentrant];"
            + " use another namespace",
        rejected.message());
  }

  @Test
  void a_name_that_is_too_long_is_refused() {
    first.open();
    first.request("x".repeat(Caps.LOCK_NAME + 1));
    assertInstanceOf(Refused.class, first.effects().getFirst());
    first.request("x".repeat(Caps.LOCK_NAME));
    assertInstanceOf(Granted.class, first.effects().getFirst());
  }

  @Test
  void an_id_in_use_is_refused() {
    first.open();
    first.request("a");
    first.ids--;
    first.request("b");
    assertInstanceOf(Refused.class, first.effects().getLast());
  }

  @Test
  void a_time_of_day_that_jumps_by_an_hour_changes_no_grant() {
    long hour = 3_600_000_000_000L;
    first.open();
    second.open();
    RequestId held = first.request("a"); // at 0
    machine.apply(
        second.batch(
            new RequestLock(
                second.id(), MANAGER, LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT))),
        1,
        hour);
    machine.apply(first.batch(new ReleaseLock(held)), 2, -hour);
    assertInstanceOf(Granted.class, second.effects().getFirst());
    Reply.Diagnosis diagnosis = machine.diagnose("shop");
    assertEquals(hour, diagnosis.nanoTime());
    assertEquals(hour, diagnosis.states().getFirst().sinceNanos());
  }

  @Test
  void a_removed_namespace_has_no_sessions() {
    first.open();
    first.request("a");
    assertEquals(new Done(), machine.apply(new RemoveNamespace("shop"), 1, 0));
    assertEquals(0, machine.sessionCount());
    assertInstanceOf(Rejected.class, machine.apply(new RemoveNamespace("shop"), 1, 0));
  }

  @Test
  void a_member_with_other_data_is_rejected() {
    assertEquals(new Done(), join("n1", 1, 2));
    assertEquals(new Done(), join("n1", 1, 2));
    assertEquals(
        new Rejected(
            "the member 'n1' has joined with other data; start it with its own folder, or give it"
                + " a new id"),
        join("n1", 2, 2));
  }

  private Reply join(String id, long storage, int version) {
    return machine.apply(new JoinMember(id, new UUID(0, storage), version), 1, 0);
  }

  @Test
  void a_removed_member_cannot_join_again() {
    machine.configure(Map.of("n1", "a:1", "n2", "a:2"));
    assertEquals(new Done(), join("n1", 1, 2));
    assertEquals(new Done(), join("n2", 2, 2));
    machine.configure(Map.of("n1", "a:1", "n3", "a:3"));
    assertTrue(machine.isRemoved("n2"));
    ClusterMachine restored = ClusterMachine.restore(machine.snapshot());
    assertArrayEquals(machine.snapshot(), restored.snapshot());
    assertTrue(restored.isRemoved("n2"));
    for (long storage = 2; storage <= 3; storage++) {
      assertEquals(
          new Rejected(
              "the member 'n2' was removed from the cluster; start a member with a new id and an"
                  + " empty folder instead"),
          join("n2", storage, 2));
    }
    assertEquals(new Done(), join("n3", 3, 2));
    assertEquals(List.of("n2"), machine.status(Map.of()).removed());
  }

  @Test
  void a_member_outside_of_the_configuration_is_rejected() {
    machine.configure(Map.of("n1", "a:1", "n2", "a:2"));
    assertEquals(
        new Rejected("the cluster has no member 'n9', but n1, n2; replace one of them by it"),
        join("n9", 9, 2));
  }

  @Test
  void a_member_of_an_earlier_version_than_all_others_is_rejected() {
    join("n1", 1, 1);
    join("n2", 2, 2);
    assertEquals(new Done(), join("n2", 2, 1), "the upgrade is undone");
    join("n1", 1, 2);
    join("n2", 2, 2);
    assertEquals(
        new Rejected(
            "the member 'n1' reads version 1 of the codec, but the other members have version 2;"
                + " start it with their version of Weblocks"),
        join("n1", 1, 1));
  }

  @Test
  void an_entry_is_refused_until_all_members_can_read_it() {
    assertNull(machine.refusal(3));
    join("n1", 1, 2);
    join("n2", 2, 3);
    assertNull(machine.refusal(2));
    assertEquals(
        "a message has version 3 of the codec, but the member 'n1' reads version 2; upgrade all"
            + " members before their clients",
        machine.refusal(3));
  }

  @Test
  void a_restored_machine_goes_on_with_equal_bytes() {
    Random random = new Random(7);
    List<User> users = new ArrayList<>();
    ClusterMachine replica = new ClusterMachine();
    for (int step = 0; step < 20_000; step++) {
      Entry entry;
      if (users.size() < 3 || random.nextInt(500) == 0) {
        User user = new User(step);
        user.session = opened(machine.apply(user.openEntry(Set.of()), 1, step));
        assertEquals(new Opened(user.session), replica.apply(user.openEntry(Set.of()), 1, step));
        users.add(user);
        entry = user.batch(register());
      } else {
        User user = users.get(random.nextInt(users.size()));
        user.acknowledged = Math.max(user.acknowledged, user.ids - random.nextInt(3));
        entry = randomEntry(user, users, random);
      }
      Entry sent = EntryCodec.decodeEntry(EntryCodec.encode(entry));
      Reply reply = machine.apply(entry, 1, step);
      assertEquals(reply, replica.apply(sent, 1, step));
      assertEquals(reply, EntryCodec.decodeReply(EntryCodec.encode(reply)));
      if (random.nextInt(20) == 0) {
        byte[] snapshot = replica.snapshot();
        assertArrayEquals(machine.snapshot(), snapshot);
        replica = ClusterMachine.restore(snapshot);
      }
    }
  }

  private Entry randomEntry(User user, List<User> users, Random random) {
    RequestId some = new RequestId(CLIENT, 1 + random.nextInt((int) user.ids + 1));
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 ->
          user.batch(
              new RequestLock(
                  user.id(),
                  MANAGER,
                  LockOptions.of(
                      "name" + random.nextInt(4),
                      random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE,
                      random.nextInt(5) == 0 ? WaitMode.IF_AVAILABLE : WaitMode.WAIT)));
      case 5, 6, 7 -> user.batch(new ReleaseLock(some));
      case 8 -> user.batch(new AbortRequest(some));
      case 9 -> user.batch(new TakeSnapshot(user.id(), MANAGER));
      case 10 ->
          user.batch(
              new RequestLock(
                  user.id(), MANAGER, LockOptions.of("name0", LockMode.EXCLUSIVE, WaitMode.STEAL)));
      default -> {
        if (random.nextInt(20) != 0) {
          yield user.batch(new EndClient(CLIENT), register());
        }
        users.remove(user);
        yield random.nextBoolean()
            ? new CloseSession(user.session, user.secret)
            : machine.expiryOf(user.session);
      }
    };
  }

  @Test
  void malformed_bytes_give_a_clear_error() {
    byte[] entry = EntryCodec.encode(first.openEntry(Set.of()));
    entry[0] = 99;
    IllegalArgumentException other =
        assertThrows(IllegalArgumentException.class, () -> EntryCodec.decodeEntry(entry));
    assertTrue(other.getMessage().contains("has version 99"), other.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> ClusterMachine.restore(new byte[] {1, 2, 3}));
  }
}
