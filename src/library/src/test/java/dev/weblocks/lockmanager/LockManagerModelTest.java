package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import dev.weblocks.testing.TestSize;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random commands of many clients, compared with {@link NaiveLockManager}: after every command the
 * effects and the state of the affected manager, and after every thousand the state of all
 * managers.
 */
class LockManagerModelTest {
  private static final int CLIENTS = 64;
  private static final List<ManagerId> MANAGERS =
      Stream.of("one", "two", "three").map(name -> new ManagerId(name, "default")).toList();

  /** Twenty names; "Aa" and "BB" have one hash code, and some hold lone surrogates. */
  private static final List<String> NAMES =
      List.of(
          "",
          "Aa",
          "BB",
          "\uD800",
          "\uDC00",
          "\uD800\uDC00",
          "a",
          "b",
          "c",
          "d",
          "e",
          "f",
          "g",
          "h",
          "i",
          "j",
          "k",
          "l",
          "m",
          "n");

  /** Events of a run; a run in which a possible event is too rare fails. */
  private enum Event {
    GRANTED_AT_ONCE,
    GRANTED_LATER,
    MISSED,
    TOOK_FROM_HOLDER,
    ABORTED_WAITING,
    ABORT_IGNORED,
    ABORT_GRANTED_OTHERS,
    RELEASED,
    RELEASE_IGNORED,
    ENDED_WITH_BOTH,
    END_GRANTED_OTHERS,
    ENDED_CLIENT_IGNORED,
    REENTERED;

    /** Returns whether the event can occur under these variants. */
    boolean isPossible(Set<Variant> variants) {
      return switch (this) {
        case ABORTED_WAITING -> !variants.contains(Variant.ABORTED_STAYS_PENDING);
        case ABORT_GRANTED_OTHERS ->
            !variants.contains(Variant.ABORTED_STAYS_PENDING)
                && !variants.contains(Variant.ABORT_GRANTS_NOTHING);
        case END_GRANTED_OTHERS -> !variants.contains(Variant.END_GRANTS_NOTHING);
        case REENTERED -> variants.contains(Variant.REENTRANT);
        default -> true;
      };
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 100000, 1000000",
    "20250924, 10000, 200000",
    "-7, 10000, 200000",
    "424242, 10000, 200000"
  })
  void random_commands_have_the_results_of_the_model(long seed, int quick, int full) {
    new Run(seed, Set.of()).go(TestSize.of(quick, full));
  }

  private static Stream<Set<Variant>> variants() {
    return Stream.of(
        Set.of(Variant.SETTLE_BEFORE_GRANT),
        Set.of(Variant.REENTRANT),
        Set.of(Variant.ABORTED_STAYS_PENDING),
        Set.of(Variant.ABORT_GRANTS_NOTHING),
        Set.of(Variant.END_GRANTS_NOTHING),
        Set.of(Variant.QUERY_OWN_LOCKS),
        Set.of(Variant.IF_AVAILABLE_JOINS_QUEUE),
        Variant.sets().get("node"),
        Variant.sets().get("deno"),
        Set.of(
            Variant.REENTRANT,
            Variant.SETTLE_BEFORE_GRANT,
            Variant.ABORT_GRANTS_NOTHING,
            Variant.END_GRANTS_NOTHING,
            Variant.QUERY_OWN_LOCKS,
            Variant.IF_AVAILABLE_JOINS_QUEUE));
  }

  @ParameterizedTest
  @MethodSource("variants")
  void random_commands_under_variants_have_the_results_of_the_model(Set<Variant> variants) {
    new Run(20250924, variants).go(TestSize.of(4_000, 100_000));
  }

  private static final class Run {
    private final long seed;
    private final SplittableRandom random;
    private final Set<Variant> variants;
    private final LockManagers real;
    private final NaiveLockManager model;
    private final List<ClientId> clients = new ArrayList<>();
    private final Map<Event, Integer> events = new EnumMap<>(Event.class);

    /** Recent ids of requests that wait, are granted, or have ended. */
    private final Deque<RequestId> recent = new ArrayDeque<>();

    /** The client that ended last; null before the first end. */
    private ClientId lastEnded;

    private long lastSequence;
    private int births;
    private int operation;

    Run(long seed, Set<Variant> variants) {
      this.variants = variants;
      this.real = new LockManagers(variants);
      this.model = new NaiveLockManager(variants);
      this.seed = seed;
      random = new SplittableRandom(seed);
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(newClient());
      }
    }

    void go(int operations) {
      Set<ManagerId> touched = new HashSet<>();
      for (operation = 1; operation <= operations; operation++) {
        touched.clear();
        LockCommand command = next(touched);
        int heldBefore = model.held.size();
        int pendingBefore = real.pendingCount();
        List<LockEffect> effects = step(command);
        note(command, effects, heldBefore, pendingBefore);
        if (operation % 1000 == 0) {
          touched.addAll(MANAGERS);
          checkInvariants();
        }
        for (ManagerId manager : touched) {
          compareState(manager, command);
        }
      }
      for (ClientId client : clients) {
        step(new EndClient(client));
      }
      assertEquals(0, real.managerCount() + real.queueCount() + real.clientCount(), this::where);
      assertEquals(0, real.heldCount() + real.pendingCount(), this::where);
      int enough = Math.min(100, operations / 1000);
      for (Event event : Event.values()) {
        int count = events.getOrDefault(event, 0);
        assertTrue(
            event.isPossible(variants) ? count >= enough : count == 0,
            () -> where() + ": too few of " + event + ", or too many: " + events);
      }
    }

    private LockCommand next(Set<ManagerId> touched) {
      // Phases of long queues alternate with phases of short ones.
      int crowd = operation % 20_000 < 10_000 ? 40 : 200;
      int waiting = real.pendingCount();
      int dice = random.nextInt(1000);
      if (dice < 10) {
        int who = random.nextInt(CLIENTS);
        lastEnded = clients.set(who, newClient());
        touched.addAll(MANAGERS);
        return new EndClient(lastEnded);
      }
      if (dice < 40) {
        return new TakeSnapshot(nextId(anyClient()), any(MANAGERS));
      }
      if (dice < 80) {
        // The id of a lock, of a request, or of neither any more.
        RequestId id = anyRecent();
        touched.addAll(MANAGERS);
        return random.nextBoolean() ? new ReleaseLock(id) : new AbortRequest(id);
      }
      if (dice < (waiting > crowd ? 300 : 150) && waiting > 0) {
        NaiveLockManager.Item request = any(model.pending());
        touched.add(request.manager());
        return new AbortRequest(request.id());
      }
      if (dice < (waiting > crowd ? 850 : 350) && !model.held.isEmpty()) {
        NaiveLockManager.Item lock = any(model.held);
        touched.add(lock.manager());
        return new ReleaseLock(lock.id());
      }
      ManagerId manager = any(MANAGERS);
      touched.add(manager);
      LockMode mode = random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE;
      int wait = random.nextInt(20);
      WaitMode waitMode =
          wait < 1 ? WaitMode.STEAL : wait < 4 ? WaitMode.IF_AVAILABLE : WaitMode.WAIT;
      ClientId client = anyClient();
      String name = any(NAMES);
      boolean reentrant = false;
      if (variants.contains(Variant.REENTRANT)) {
        reentrant = random.nextBoolean();
        if (!model.held.isEmpty() && random.nextBoolean()) { // so that reentrance is frequent
          NaiveLockManager.Item own = any(model.held);
          client = own.client();
          manager = own.manager();
          name = own.name();
          touched.add(manager);
        }
      }
      RequestId id = nextId(client);
      recent.addLast(id);
      if (recent.size() > 400) {
        recent.removeFirst();
      }
      return new RequestLock(
          id, manager, new LockOptions(name, mode, waitMode, reentrant, /* position= */ null));
    }

    private RequestId nextId(ClientId client) {
      return new RequestId(client, ++lastSequence);
    }

    private List<LockEffect> step(LockCommand command) {
      List<LockEffect> actual = new ArrayList<>();
      try {
        TestCommands.apply(real, command, actual::add);
      } catch (RuntimeException e) {
        fail(where() + ": " + command, e);
      }
      assertEquals(model.apply(command), actual, () -> where() + ": effects of " + command);
      return actual;
    }

    private void compareState(ManagerId manager, LockCommand after) {
      List<LockEffect> answer = new ArrayList<>();
      ClientId client = clients.get(0);
      TestCommands.apply(real, new TakeSnapshot(new RequestId(client, 0), manager), answer::add);
      LockManagerSnapshot actual = ((SnapshotTaken) answer.get(0)).snapshot();
      assertEquals(
          model.snapshot(manager, client),
          actual,
          () -> where() + ": " + manager + " after " + after);
    }

    /** Checks invariants that do not depend on the algorithm of the model. */
    private void checkInvariants() {
      assertEquals(model.held.size(), real.heldCount(), this::where);
      assertEquals(model.pending().size(), real.pendingCount(), this::where);
      assertEquals(model.queues.size(), real.queueCount(), this::where);
      Set<ManagerId> managers = new HashSet<>();
      model.queues.forEach(queue -> managers.add(queue.manager()));
      assertEquals(managers.size(), real.managerCount(), this::where);
      Set<ClientId> owners = new HashSet<>();
      Map<List<Object>, List<NaiveLockManager.Item>> holders = new HashMap<>();
      for (NaiveLockManager.Item lock : model.held) {
        owners.add(lock.client());
        List<NaiveLockManager.Item> others =
            holders.computeIfAbsent(
                List.of(lock.manager(), lock.name()), name -> new ArrayList<>());
        for (NaiveLockManager.Item other : others) {
          assertTrue(mayBeTogether(other, lock), () -> where() + ": two holders with " + lock);
        }
        others.add(lock);
      }
      model.pending().forEach(request -> owners.add(request.client()));
      assertEquals(Set.copyOf(clients), model.clients, this::where);
      assertEquals(clients.size(), real.clientCount(), this::where);
      assertTrue(clients.containsAll(owners), () -> where() + ": the dead own something");
    }

    private boolean mayBeTogether(NaiveLockManager.Item one, NaiveLockManager.Item other) {
      return (one.mode() == LockMode.SHARED && other.mode() == LockMode.SHARED)
          || (variants.contains(Variant.REENTRANT) && one.client().equals(other.client()));
    }

    /**
     * Returns whether a lock that was just granted coexists with one that excludes other clients.
     */
    private boolean isReentered(RequestId id) {
      NaiveLockManager.Item granted =
          model.held.stream().filter(lock -> lock.id().equals(id)).findFirst().orElseThrow();
      return model.held.stream()
          .anyMatch(lock ->
              lock != granted
                  && lock.manager().equals(granted.manager())
                  && lock.name().equals(granted.name())
                  && (lock.mode() == LockMode.EXCLUSIVE || granted.mode() == LockMode.EXCLUSIVE));
    }

    private static AssertionError remoteOnly(LockEffect effect) {
      return new AssertionError("an effect of remote lock managers only: " + effect);
    }

    private void note(
        LockCommand command, List<LockEffect> effects, int heldBefore, int pendingBefore) {
      for (LockEffect effect : effects) {
        switch (effect) {
          case LockEffect.Granted g -> {
            count(
                command instanceof RequestLock r && r.id().equals(g.id())
                    ? Event.GRANTED_AT_ONCE
                    : Event.GRANTED_LATER);
            if (variants.contains(Variant.REENTRANT) && isReentered(g.id())) {
              count(Event.REENTERED);
            }
          }
          case LockEffect.Unavailable u -> count(Event.MISSED);
          case LockEffect.Stolen s -> count(Event.TOOK_FROM_HOLDER);
          case LockEffect.Released r -> count(Event.RELEASED);
          case SnapshotTaken s -> {}
          case LockEffect.SessionLost lost -> throw remoteOnly(lost);
          case LockEffect.Refused refused -> throw remoteOnly(refused);
          case LockEffect.BucketOpened opened -> throw remoteOnly(opened);
          case LockEffect.BucketDeleted deleted -> throw remoteOnly(deleted);
        }
      }
      boolean waitingLeft = real.pendingCount() < pendingBefore;
      switch (command) {
        case AbortRequest a -> {
          count(waitingLeft ? Event.ABORTED_WAITING : Event.ABORT_IGNORED);
          if (!effects.isEmpty()) {
            count(Event.ABORT_GRANTED_OTHERS);
          }
        }
        case ReleaseLock r -> {
          if (effects.isEmpty()) {
            count(Event.RELEASE_IGNORED);
          }
        }
        case EndClient e -> {
          if (!effects.isEmpty()) {
            count(Event.END_GRANTED_OTHERS);
          }
          int heldLeft = heldBefore + effects.size() - model.held.size();
          if (heldLeft > 0 && pendingBefore - effects.size() > real.pendingCount()) {
            count(Event.ENDED_WITH_BOTH);
          }
        }
        case RequestLock r -> countIfOfEndedClient(r);
        case TakeSnapshot s -> countIfOfEndedClient(s);
        case RegisterClient r -> {}
        case LockCommand.BucketCommand b -> {}
      }
    }

    private void countIfOfEndedClient(LockCommand command) {
      if (command.client().equals(lastEnded)) {
        count(Event.ENDED_CLIENT_IGNORED);
      }
    }

    private void count(Event event) {
      events.merge(event, 1, Integer::sum);
    }

    /** Registers another client. */
    private ClientId newClient() {
      ClientId client = new ClientId("client " + ++births);
      assertEquals(List.of(), step(TestCommands.registered(client)));
      return client;
    }

    /** Returns a registered client, or rarely one that has ended. */
    private ClientId anyClient() {
      return lastEnded != null && random.nextInt(50) == 0 ? lastEnded : any(clients);
    }

    private RequestId anyRecent() {
      if (recent.isEmpty()) {
        return new RequestId(any(clients), 0);
      }
      // The oldest id has mostly ended, the newest mostly not.
      return random.nextBoolean() ? recent.peekLast() : recent.peekFirst();
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private String where() {
      return "seed " + seed + ", operation " + operation;
    }
  }
}
