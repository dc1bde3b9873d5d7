package dev.weblocks.cluster.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RaiseVersion;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of what one client of a cluster can store, and that they do not concern others. */
class QuotaTest {

  private static final ClientId CLIENT = new ClientId("client");
  private static final String LONG = "n".repeat(Caps.LOCK_NAME - 8);

  private ClusterMachine machine = new ClusterMachine(EntryCodec.VERSION);
  private long secrets;

  private static ManagerId bucketOf(String key) {
    return new ManagerId(key + "/default/web-locks", "default");
  }

  /** A user agent that acknowledges all events with its next batch. */
  private final class User {
    final UUID secret = new UUID(0, ++secrets);
    final long session;
    long commands;
    long acknowledged;
    long ids;

    User(String namespace) {
      Entry open = new OpenSession(secret, namespace, "user", 10_000, Set.of());
      session = assertInstanceOf(Opened.class, machine.apply(open, 1, 0)).session();
      send(register(CLIENT));
    }

    RequestId id() {
      return new RequestId(CLIENT, ++ids);
    }

    Reply apply(LockCommand... batch) {
      Batch made = new Batch(session, secret, acknowledged, commands + 1, List.of(batch));
      commands += batch.length;
      return machine.apply(made, 1, 0);
    }

    List<LockEffect> send(LockCommand... batch) {
      Events answer = assertInstanceOf(Events.class, apply(batch));
      acknowledged += answer.events().size();
      return answer.events().stream().map(Event::effect).toList();
    }

    RequestLock command(String key, String name) {
      return new RequestLock(
          id(), bucketOf(key), LockOptions.of(name, LockMode.EXCLUSIVE, WaitMode.WAIT));
    }

    LockEffect request(String key, String name) {
      return send(command(key, name)).getFirst();
    }

    /** Makes requests with long names until one is refused; returns its message. */
    String fill(String key) {
      for (int i = 0; ; i++) {
        if (request(key, LONG + "%08x".formatted(session << 16 | i)) instanceof Refused refused) {
          return refused.message();
        }
      }
    }
  }

  private static RegisterClient register(ClientId client) {
    return new RegisterClient(client, new LockRequester("agent", "", ""));
  }

  @Test
  void one_origin_leaves_room_for_the_others_of_its_user_agent() {
    User user = new User("shop");
    assertEquals(
        "The storage key in this user agent has reached the limit of 16 MiB in the lock cluster.",
        user.fill("https://evil.test"));
    assertInstanceOf(Granted.class, user.request("https://good.test", LONG));
    assertEquals(1, machine.takeRefused());
  }

  @Test
  void user_agent_that_fills_its_quota_does_not_concern_others() {
    User evil = new User("shop");
    User good = new User("shop");
    evil.fill("https://a.test");
    evil.fill("https://b.test");
    assertEquals(
        "The user agent has reached the limit of 32 MiB in the lock cluster.",
        evil.fill("https://c.test"));
    assertInstanceOf(Granted.class, good.request("https://a.test", "free"));
  }

  @Test
  void user_agents_of_one_storage_key_leave_room_for_others() {
    String message = "";
    while (!message.startsWith("The storage key has")) {
      message = new User("shop").fill("https://evil.test");
    }
    assertEquals("The storage key has reached the limit of 128 MiB in the lock cluster.", message);
    assertInstanceOf(Granted.class, new User("shop").request("https://good.test", LONG));
  }

  @Test
  void room_that_is_given_back_can_be_used_again() {
    User user = new User("shop");
    user.fill("https://evil.test");
    user.send();
    String full = machine.sizes();
    RequestId first = new RequestId(CLIENT, 1);
    user.send(new ReleaseLock(first));
    assertInstanceOf(Granted.class, user.request("https://evil.test", LONG + "12345678"));
    assertInstanceOf(Refused.class, user.request("https://evil.test", LONG));
    user.send();
    assertEquals(full, machine.sizes());
    user.send(new EndClient(CLIENT), register(CLIENT));
    user.send();
    assertInstanceOf(Granted.class, user.request("https://evil.test", LONG));
  }

  @Test
  void nothing_is_counted_when_all_sessions_have_ended() {
    String empty = machine.sizes();
    User user = new User("shop");
    user.send(user.command("https://one.test", "a"), user.command("https://one.test", "a"));
    user.apply(new TakeSnapshot(user.id(), bucketOf("https://one.test")));
    user.send(new OpenBucket(user.id(), new ManagerId("https://one.test/x", "x"), 0));
    assertNotEquals(empty, machine.sizes());
    machine.apply(new CloseSession(user.session, user.secret), 1, 0);
    assertEquals(empty, machine.sizes());
  }

  @Test
  void restored_machine_counts_the_same() {
    User user = new User("shop");
    User other = new User("desk");
    user.request("https://one.test", "a");
    user.request("https://one.test", "b");
    other.request("https://two.test", "a");
    user.send(new OpenBucket(user.id(), new ManagerId("https://one.test/x", "x"), 0));
    user.apply(new TakeSnapshot(user.id(), bucketOf("https://one.test")));
    ClusterMachine restored = ClusterMachine.restore(machine.snapshot());
    assertEquals(machine.sizes(), restored.sizes());
    machine = restored;
    user.fill("https://one.test");
  }

  @Test
  void too_many_clients_are_refused_and_so_are_their_requests() {
    User user = new User("shop");
    for (int i = 1; i < 10_000; i++) {
      user.apply(register(new ClientId("c" + i)));
    }
    ClientId late = new ClientId("late");
    RequestId id = new RequestId(late, 1);
    List<LockEffect> effects =
        user.send(
            register(late),
            new RequestLock(
                id,
                bucketOf("https://one.test"),
                LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT)),
            new TakeSnapshot(new RequestId(late, 2), bucketOf("https://one.test")));
    assertEquals(2, effects.size());
    effects.forEach(each ->
        assertEquals(
            "The lock cluster does not have the client of the request.",
            assertInstanceOf(Refused.class, each).message()));
    assertInstanceOf(Granted.class, user.request("https://one.test", "a"));
    user.send(new EndClient(new ClientId("c1")), register(late));
    assertInstanceOf(
        Granted.class,
        user.send(
                new RequestLock(
                    new RequestId(late, 3),
                    bucketOf("https://one.test"),
                    LockOptions.of("b", LockMode.EXCLUSIVE, WaitMode.WAIT)))
            .getFirst());
  }

  @Test
  void buckets_of_one_storage_key_leave_room_for_others() {
    User user = new User("shop");
    LockEffect last = null;
    int opened = -1;
    do {
      opened++;
      ManagerId bucket = new ManagerId("https://evil.test/b" + opened, "b" + opened);
      last = user.send(new OpenBucket(user.id(), bucket, 0)).getFirst();
    } while (last instanceof BucketOpened);
    assertEquals(1_000, opened);
    ManagerId other = new ManagerId("https://good.test/b", "b");
    assertInstanceOf(BucketOpened.class, user.send(new OpenBucket(user.id(), other, 0)).getFirst());
    // a bucket that no session has open gives way
    user.send(new EndClient(CLIENT), register(CLIENT));
    ManagerId next = new ManagerId("https://evil.test/next", "next");
    assertInstanceOf(BucketOpened.class, user.send(new OpenBucket(user.id(), next, 0)).getFirst());
  }

  /** Fetches all events, as polls do. */
  private List<LockEffect> fetch(User user) {
    List<LockEffect> all = new ArrayList<>();
    List<Event> some;
    do {
      Reply reply = machine.events(user.session, user.secret, user.acknowledged);
      some = assertInstanceOf(Events.class, reply).events();
      some.forEach(each -> all.add(each.effect()));
      user.acknowledged += some.size();
    } while (!some.isEmpty());
    return all;
  }

  @Test
  void queries_whose_answers_are_not_fetched_are_refused() {
    User user = new User("shop");
    for (int i = 0; i < 100; i++) {
      user.request("https://one.test", LONG + i);
    }
    long before = user.acknowledged;
    for (int i = 0; i < 30; i++) {
      user.acknowledged = before;
      user.apply(new TakeSnapshot(user.id(), bucketOf("https://one.test")));
    }
    List<LockEffect> answers = fetch(user);
    assertEquals(30, answers.size());
    assertInstanceOf(SnapshotTaken.class, answers.getFirst());
    assertInstanceOf(Refused.class, answers.getLast());
  }

  @Test
  void queries_of_one_entry_list_a_limited_number() {
    User user = new User("shop");
    for (int i = 0; i < 1_000; i++) {
      user.request("https://one.test", "a" + i);
    }
    LockCommand[] queries = new LockCommand[200];
    for (int i = 0; i < queries.length; i++) {
      queries[i] = new TakeSnapshot(user.id(), bucketOf("https://one.test"));
    }
    Batch batch =
        new Batch(
            user.session, user.secret, user.acknowledged, user.commands + 1, List.of(queries));
    user.commands += queries.length;
    machine.apply(batch, 2, 0);
    long answered = fetch(user).stream().filter(SnapshotTaken.class::isInstance).count();
    assertTrue(answered > 0 && answered <= 100, answered + " queries");
    LockCommand next = new TakeSnapshot(user.id(), bucketOf("https://one.test"));
    machine.apply(
        new Batch(user.session, user.secret, user.acknowledged, ++user.commands, List.of(next)),
        3,
        0);
    assertInstanceOf(SnapshotTaken.class, fetch(user).getFirst());
  }

  @Test
  void place_of_a_call_is_cut_and_counted() {
    User user = new User("shop");
    RequestLock request =
        new RequestLock(
            user.id(),
            bucketOf("https://one.test"),
            new LockOptions(
                "a", LockMode.EXCLUSIVE, WaitMode.WAIT, false, "https://" + "p".repeat(400_000)));
    assertInstanceOf(Granted.class, user.send(request).getFirst());
    String position = machine.diagnose("shop").states().getFirst().options().position();
    assertEquals(2_048, Objects.requireNonNull(position).length());
    assertTrue(machine.bytesOf(user.session) > 2 * 4_096);
  }

  @Test
  void batch_is_answered_with_its_first_events_only() {
    User user = new User("shop");
    LockCommand[] requests = new LockCommand[2_000];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = user.command("https://one.test", "a" + i);
    }
    Events reply = assertInstanceOf(Events.class, user.apply(requests));
    assertTrue(reply.events().size() < 1_000);
    assertEquals(user.commands, reply.lastCommand());
    Reply rest = machine.events(user.session, user.secret, reply.events().size());
    assertEquals(
        requests.length - reply.events().size(),
        assertInstanceOf(Events.class, rest).events().size());
  }

  @Test
  void full_cluster_ends_sessions_that_do_not_fetch_their_events() {
    List<User> all = new ArrayList<>();
    Reply reply;
    do {
      User user = new User("shop" + all.size() % 2);
      all.add(user);
      LockCommand[] unknown = new LockCommand[512];
      do {
        for (int i = 0; i < unknown.length; i++) {
          unknown[i] =
              new TakeSnapshot(
                  new RequestId(new ClientId("unknown"), ++user.ids), bucketOf("https://one.test"));
        }
        reply = user.apply(unknown);
      } while (reply instanceof Events && machine.bytesOf(user.session) < 30L << 20);
      assertTrue(all.size() < 20, machine.sizes());
    } while (reply instanceof Events);
  }

  @Test
  void full_cluster_opens_sessions_again_when_there_is_room() {
    List<User> all = new ArrayList<>();
    Reply reply;
    UUID secret = new UUID(5, 5);
    OpenSession open = new OpenSession(secret, "late", "user", 10_000, Set.of());
    do {
      User user = new User("shop" + all.size() % 2);
      all.add(user);
      user.fill("https://a" + all.size() + ".test");
      user.fill("https://b" + all.size() + ".test");
      for (int i = 0; i < 40; i++) { // the rest, in smaller pieces
        user.request("https://c" + all.size() + ".test", "n".repeat(400) + i);
      }
      reply =
          machine.apply(new OpenSession(secret, "late", "u".repeat(256), 10_000, Set.of()), 1, 0);
      if (reply instanceof Opened opened) {
        machine.apply(new CloseSession(opened.session(), secret), 1, 0);
      }
    } while (reply instanceof Opened && all.size() < 12);
    assertTrue(all.size() <= 12);
    all.forEach(user -> machine.apply(new CloseSession(user.session, user.secret), 1, 0));
    assertInstanceOf(Opened.class, machine.apply(open, 1, 0));
  }

  @Test
  void session_that_never_fetches_its_events_ends() {
    User user = new User("shop");
    Reply reply;
    int batches = 0;
    LockCommand[] commands = new LockCommand[512];
    do {
      for (int i = 0; i < commands.length; i += 2) {
        commands[i] = user.command("https://one.test", "a");
        commands[i + 1] = new ReleaseLock(new RequestId(CLIENT, user.ids));
      }
      reply = user.apply(commands);
      assertTrue(++batches < 10_000);
    } while (reply instanceof Events);
    assertInstanceOf(SessionOver.class, reply);
  }

  @Test
  void texts_about_a_client_are_cut() {
    User user = new User("shop");
    ClientId client = new ClientId("other");
    String url = "https://one.test/?" + "😀".repeat(10_000);
    user.send(
        new RegisterClient(client, new LockRequester("agent", url, "https://one.test")),
        new RequestLock(
            new RequestId(client, 1),
            bucketOf("https://one.test"),
            LockOptions.of("a", LockMode.EXCLUSIVE, WaitMode.WAIT)));
    LockState state = machine.diagnose("shop").states().getFirst();
    String shown = state.requester().url();
    assertTrue(shown.length() <= 2_048, shown);
    assertTrue(url.startsWith(shown.substring(0, shown.length() - 1)));
    assertTrue(shown.endsWith("…"));
    assertFalse(Character.isHighSurrogate(shown.charAt(shown.length() - 2)));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, 0, 1_999, 86_400_001, Long.MAX_VALUE})
  void lease_out_of_range_is_rejected(long millis) {
    OpenSession open = new OpenSession(new UUID(7, 7), "shop", "user", millis, Set.of());
    String message =
        "the lease has %s ms, and a lock cluster accepts 2000 to 86400000".formatted(millis);
    assertEquals(new Rejected(message), machine.apply(open, 1, 0));
    assertEquals(message, machine.refusal(open), "before it is logged");
    assertNull(new ClusterMachine().refusal(open), "before the limits hold");
  }

  @Test
  void entry_with_another_secret_is_not_logged() {
    User user = new User("shop");
    UUID other = new UUID(1, 1);
    String message = "the session " + user.session + " has another secret";
    assertEquals(message, machine.refusal(new Batch(user.session, other, 0, 1, List.of())));
    assertEquals(message, machine.refusal(new CloseSession(user.session, other)));
    assertEquals(
        message,
        machine.refusal(new Entry.Several(List.of(new CloseSession(user.session, other)))));
    assertNull(machine.refusal(new Batch(user.session, user.secret, 0, 1, List.of())));
    assertNull(machine.refusal(new Batch(999, other, 0, 1, List.of())), "may be a later session");
  }

  @Test
  void command_with_too_long_a_text_is_not_logged() {
    User user = new User("shop");
    for (LockCommand each :
        List.of(
            user.command("https://one.test", LONG + "123456789"),
            user.command("https://" + "o".repeat(4_096), "a"),
            new TakeSnapshot(user.id(), bucketOf("https://" + "o".repeat(4_096))),
            register(new ClientId("c".repeat(257))))) {
      Batch batch = new Batch(user.session, user.secret, 0, 9, List.of(each));
      assertTrue(machine.refusal(batch).contains("and a lock cluster accepts"));
    }
  }

  @Test
  void limits_hold_from_the_entry_that_begins_their_rules() {
    machine = new ClusterMachine();
    User user = new User("shop");
    for (int i = 0; i < 600; i++) {
      assertInstanceOf(Granted.class, user.request("https://one.test", LONG + "%08d".formatted(i)));
    }
    assertEquals(EntryCodec.SNAPSHOT_VERSION, machine.snapshot()[0]);
    machine.apply(new RaiseVersion(EntryCodec.VERSION), 1, 0);
    assertEquals(EntryCodec.VERSION, machine.snapshot()[0]);
    assertInstanceOf(Refused.class, user.request("https://one.test", LONG));
    machine = ClusterMachine.restore(machine.snapshot());
    assertInstanceOf(Refused.class, user.request("https://one.test", LONG));
  }
}
