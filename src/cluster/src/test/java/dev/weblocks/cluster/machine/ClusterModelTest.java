package dev.weblocks.cluster.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random commands of several sessions in the cluster, compared with the same commands in one {@link
 * LockManagers}, whose own tests compare it with a model. Batches are repeated, and the machine is
 * replaced by one that was restored from its snapshot, at random.
 */
class ClusterModelTest {

  private static final int SESSIONS = 3;
  private static final int CLIENTS = 4;
  private static final List<String> NAMES = List.of("", "a", "b", "\uD800", "Aa", "BB");
  private static final List<ManagerId> MANAGERS =
      List.of(new ManagerId("one", "default"), new ManagerId("two", "default"));
  private static final LockRequester REQUESTER = new LockRequester("agent", "", "");

  private static final class User {
    final UUID secret;
    long session;
    long commands;
    long acknowledged;
    final List<String> expected = new ArrayList<>();

    User(int number) {
      secret = new UUID(1, number);
    }
  }

  private static final class Run {
    private final SplittableRandom random;
    private final LockManagers direct;
    private ClusterMachine machine = new ClusterMachine(EntryCodec.VERSION);
    private @Nullable Hostile hostile;
    private final List<User> users = new ArrayList<>();
    private final Map<ClientId, User> owners = new HashMap<>();
    private final List<ClientId> live = new ArrayList<>();
    private final List<RequestId> requests = new ArrayList<>();
    private long ids;
    private long index;
    private int effects;

    private final Set<Variant> variants;

    Run(long seed, Set<Variant> variants) {
      this.variants = variants;
      random = new SplittableRandom(seed);
      direct = new LockManagers(variants);
      for (int i = 0; i < SESSIONS; i++) {
        User user = new User(i);
        users.add(user);
        OpenSession open = new OpenSession(user.secret, "shop", "user " + i, 10_000, variants);
        user.session = assertInstanceOf(Opened.class, apply(open)).session();
        for (int c = 0; c < CLIENTS; c++) {
          register(user);
        }
      }
    }

    private Reply apply(Entry entry) {
      return machine.apply(entry, ++index, 0);
    }

    private void register(User user) {
      ClientId client = new ClientId("c" + ++ids);
      owners.put(client, user);
      live.add(client);
      send(user, new RegisterClient(client, REQUESTER));
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    void go(int count) {
      for (int i = 0; i < count; i++) {
        step();
        if (random.nextInt(50) == 0) {
          byte[] snapshot = machine.snapshot();
          String sizes = machine.sizes();
          machine = ClusterMachine.restore(snapshot);
          assertArrayEquals(snapshot, machine.snapshot());
          assertEquals(sizes, machine.sizes());
        }
      }
      assertTrue(effects > count / 5, effects + " effects of " + count + " commands");
    }

    private void step() {
      ClientId client = any(live);
      User user = owners.get(client);
      int kind = random.nextInt(100);
      if (kind < 50 || requests.isEmpty()) {
        RequestId id = new RequestId(client, ++ids);
        requests.add(id);
        LockMode mode = random.nextInt(3) == 0 ? LockMode.SHARED : LockMode.EXCLUSIVE;
        WaitMode wait =
            switch (random.nextInt(10)) {
              case 0 -> WaitMode.STEAL;
              case 1 -> WaitMode.IF_AVAILABLE;
              default -> WaitMode.WAIT;
            };
        LockOptions options =
            LockOptions.of(any(NAMES), wait == WaitMode.STEAL ? LockMode.EXCLUSIVE : mode, wait);
        send(user, new RequestLock(id, any(MANAGERS), options));
      } else if (kind < 80) {
        RequestId id = any(requests);
        send(owners.get(id.client()), new ReleaseLock(id));
      } else if (kind < 90) {
        RequestId id = any(requests);
        send(owners.get(id.client()), new AbortRequest(id));
      } else if (kind < 97) {
        send(user, new TakeSnapshot(new RequestId(client, ++ids), any(MANAGERS)));
      } else {
        live.remove(client);
        send(user, new EndClient(client));
        register(user);
      }
    }

    private void send(User user, LockCommand command) {
      for (LockOutcome outcome : direct.apply(command, 0)) {
        LockEffect effect = outcome.effect();
        if (effect != null) {
          owners.get(effect.client()).expected.add(text(effect));
        }
      }
      Batch batch =
          new Batch(
              user.session, user.secret, user.acknowledged, ++user.commands, List.of(command));
      apply(batch);
      while (random.nextInt(4) == 0) {
        apply(batch);
      }
      if (hostile != null) {
        hostile.step();
      }
      for (User each : users) {
        Events answer =
            assertInstanceOf(
                Events.class, machine.events(each.session, each.secret, each.acknowledged));
        List<String> got = answer.events().stream().map(event -> text(event.effect())).toList();
        each.acknowledged += got.size();
        effects += got.size();
        assertEquals(each.expected, got, command.toString());
        each.expected.clear();
      }
    }

    /**
     * A session of the same namespace that sends any commands with the ids of all sessions, and
     * entries for other sessions. It uses a storage key of its own: any session can steal the locks
     * of a shared one.
     */
    private final class Hostile {
      private final UUID secret = new UUID(2, 0);
      private final long session =
          assertInstanceOf(
                  Opened.class, apply(new OpenSession(secret, "shop", "hostile", 10_000, variants)))
              .session();
      private long commands;
      private final String filling = "f".repeat(Caps.LOCK_NAME - 20);

      void step() {
        ClientId client =
            random.nextInt(3) == 0 ? new ClientId("h" + random.nextInt(9)) : any(live);
        RequestId id =
            random.nextBoolean() || requests.isEmpty()
                ? new RequestId(client, random.nextLong(1, ids + 5))
                : any(requests);
        String name = random.nextInt(3) == 0 ? filling + random.nextInt(9_999) : any(NAMES);
        WaitMode wait = random.nextBoolean() ? WaitMode.STEAL : WaitMode.WAIT;
        ManagerId own = new ManagerId("https://hostile.test/default/web-locks", "default");
        ManagerId bucket = new ManagerId("https://hostile.test/b", "b");
        LockCommand command =
            switch (random.nextInt(9)) {
              case 0, 1, 2 ->
                  new RequestLock(id, own, LockOptions.of(name, LockMode.EXCLUSIVE, wait));
              case 3 -> new ReleaseLock(id);
              case 4 -> new AbortRequest(id);
              case 5 -> new EndClient(client);
              case 6 -> new TakeSnapshot(id, random.nextBoolean() ? own : any(MANAGERS));
              case 7 -> new OpenBucket(id, bucket, random.nextInt(3));
              default -> new RegisterClient(client, REQUESTER);
            };
        User victim = any(users);
        Entry entry =
            switch (random.nextInt(8)) {
              case 0 -> new Batch(victim.session, secret, Long.MAX_VALUE, 1, List.of(command));
              case 1 -> new CloseSession(victim.session, secret);
              default ->
                  new Batch(session, secret, random.nextInt(2), ++commands, List.of(command));
            };
        apply(entry);
        assertTrue(machine.bytesOf(session) <= 34L << 20, "memory");
      }
    }

    /** Returns an effect without its fencing token, which only a cluster gives. */
    private static String text(LockEffect effect) {
      String text = effect.getClass().getSimpleName() + " " + effect.id() + " " + effect.step();
      return effect instanceof SnapshotTaken taken
          ? text + infos(taken.snapshot().held()) + infos(taken.snapshot().pending())
          : text;
    }

    private static List<String> infos(List<LockInfo> infos) {
      return infos.stream()
          .map(info -> info.name() + " " + info.mode() + " " + info.clientId())
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "20250924", "-7"})
  void sessions_get_what_one_lock_manager_gives(long seed) {
    new Run(seed, Set.of()).go(TestSize.of(5_000, 200_000));
    new Run(seed, Set.of(Variant.REENTRANT)).go(TestSize.of(1_000, 50_000));
  }

  @ParameterizedTest
  @CsvSource({"1", "20250924", "-7"})
  void hostile_session_changes_nothing_for_others(long seed) {
    Run run = new Run(seed, Set.of());
    run.hostile = run.new Hostile();
    run.go(TestSize.of(3_000, 100_000));
  }
}
