package dev.weblocks.lockmanager.earlydraft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.weblocks.lockmanager.earlydraft.Command.AbortRequest;
import dev.weblocks.lockmanager.earlydraft.Command.EndClient;
import dev.weblocks.lockmanager.earlydraft.Command.ForceRelease;
import dev.weblocks.lockmanager.earlydraft.Command.GiveUp;
import dev.weblocks.lockmanager.earlydraft.Command.Proceed;
import dev.weblocks.lockmanager.earlydraft.Command.QueryState;
import dev.weblocks.lockmanager.earlydraft.Command.RequestLock;
import dev.weblocks.lockmanager.earlydraft.Command.WaitingPromiseSettles;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockMode;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random commands of many clients on sets of names, compared with {@link NaiveLockStates}: the
 * effects of every command, whether any request may proceed, and the state of both origins.
 */
class LockStatesModelTest {
  private static final int CLIENTS = 24;
  private static final List<ManagerId> ORIGINS =
      List.of(new ManagerId("one", "default"), new ManagerId("two", "default"));

  /** "Aa" and "BB" have one hash code. */
  private static final List<String> NAMES =
      List.of("", "Aa", "BB", "\uD800", "a", "b", "c", "d", "e", "f");

  /** Events of a run; a run in which an event is too rare fails. */
  private enum Event {
    MISSED,
    GRANTED,
    GRANTED_TOGETHER,
    ABORTED_FROM_THE_START,
    ABORTED,
    ABORT_IGNORED,
    ABORT_FREED_OTHERS,
    SETTLED,
    FORCED_SEVERAL,
    ENDED_WITH_BOTH,
    GIVEN_UP,
    PROCEEDED_FOR_NOBODY
  }

  @ParameterizedTest
  @CsvSource({"1, 50000, 200000", "20171107, 20000, 60000", "-7, 20000, 60000"})
  void random_commands_have_the_results_of_the_model(long seed, int quick, int full) {
    new Run(seed).go(TestSize.of(quick, full));
  }

  private static final class Run {
    private final long seed;
    private final SplittableRandom random;
    private final LockStates real = new LockStates(() -> 0);
    private final NaiveLockStates model = new NaiveLockStates();
    private final List<ClientId> clients = new ArrayList<>();
    private final Map<Event, Integer> events = new EnumMap<>(Event.class);
    private long lastId;
    private int births;
    private int operation;

    Run(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(birth());
      }
    }

    void go(int operations) {
      for (operation = 1; operation <= operations; operation++) {
        step(next());
        if (operation % 100 == 0) {
          checkInvariants();
        }
      }
      for (ClientId client : clients) {
        step(new EndClient(client));
      }
      assertEquals(0, real.heldCount() + real.pendingCount(), this::where);
      assertEquals(0, real.originCount() + real.nameCount() + real.clientCount(), this::where);
      int enough = Math.min(20, operations / 2500);
      for (Event event : Event.values()) {
        assertTrue(
            events.getOrDefault(event, 0) >= enough,
            () -> where() + ": too few of " + event + events);
      }
    }

    private Command next() {
      int crowd = operation % 10_000 < 5_000 ? 12 : 60;
      int dice = random.nextInt(1000);
      if (dice < 250) {
        return new Proceed();
      }
      if (dice < 258) {
        ClientId ended = clients.set(random.nextInt(CLIENTS), birth());
        return new EndClient(ended);
      }
      if (dice < 275) {
        return new ForceRelease(++lastId, any(clients), any(ORIGINS), scope(), StatesBed.UNKNOWN);
      }
      if (dice < 290) {
        return new QueryState(++lastId, any(clients), any(ORIGINS));
      }
      if (dice < 310) {
        long id = lastId == 0 ? 0 : random.nextLong(lastId); // has mostly ended
        return random.nextBoolean() ? new AbortRequest(id) : new WaitingPromiseSettles(id);
      }
      boolean crowded = model.queue.size() > crowd;
      if (dice < (crowded ? 520 : 380) && !model.queue.isEmpty()) {
        long id = any(model.queue).id();
        return random.nextInt(5) == 0 ? new GiveUp(id) : new AbortRequest(id);
      }
      if (dice < (crowded ? 850 : 620) && !model.held.isEmpty()) {
        long id = any(model.held).id();
        return random.nextInt(8) == 0 ? new GiveUp(id) : new WaitingPromiseSettles(id);
      }
      LockMode mode = random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE;
      return new RequestLock(
          ++lastId,
          any(clients),
          any(ORIGINS),
          scope(),
          mode,
          random.nextInt(5) == 0,
          random.nextInt(50) == 0,
          StatesBed.UNKNOWN);
    }

    private Scope scope() {
      List<String> names = new ArrayList<>();
      int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 5 : 2);
      for (int i = 0; i < size; i++) {
        names.add(any(NAMES));
      }
      return Scope.of(names);
    }

    private void step(Command command) {
      int heldBefore = real.heldCount();
      int pendingBefore = real.pendingCount();
      List<Effect> actual = new ArrayList<>();
      try {
        real.apply(command, actual::add, null);
      } catch (RuntimeException e) {
        fail(where() + ": " + command, e);
      }
      assertEquals(model.apply(command), actual, () -> where() + ": effects of " + command);
      if (model.isAnyGrantable()) {
        assertTrue(real.mayProceed(), () -> where() + ": nobody may proceed after " + command);
      }
      if (command instanceof Proceed) {
        assertFalse(real.mayProceed(), this::where);
        assertFalse(model.isAnyGrantable(), this::where);
      }
      for (ManagerId origin : ORIGINS) {
        Command query = new QueryState(0, clients.getFirst(), origin);
        List<Effect> answer = new ArrayList<>();
        real.apply(query, answer::add, null);
        assertEquals(
            model.apply(query), answer, () -> where() + ": state of " + origin + ", " + command);
      }
      note(command, actual, heldBefore, pendingBefore);
    }

    private void note(Command command, List<Effect> effects, int heldBefore, int pendingBefore) {
      switch (command) {
        case RequestLock request -> {
          countIf(Event.MISSED, !effects.isEmpty() && !request.aborted());
          countIf(Event.ABORTED_FROM_THE_START, !effects.isEmpty() && request.aborted());
        }
        case Proceed proceed -> {
          countIf(Event.GRANTED, !effects.isEmpty());
          countIf(Event.GRANTED_TOGETHER, effects.size() > 1);
          countIf(Event.PROCEEDED_FOR_NOBODY, effects.isEmpty());
        }
        case AbortRequest abort -> {
          countIf(Event.ABORTED, !effects.isEmpty());
          countIf(Event.ABORT_IGNORED, effects.isEmpty());
          countIf(Event.ABORT_FREED_OTHERS, !effects.isEmpty() && model.isAnyGrantable());
        }
        case WaitingPromiseSettles settled -> countIf(Event.SETTLED, real.heldCount() < heldBefore);
        case ForceRelease release -> countIf(Event.FORCED_SEVERAL, effects.size() > 2);
        case EndClient end ->
            countIf(
                Event.ENDED_WITH_BOTH,
                real.heldCount() < heldBefore && real.pendingCount() < pendingBefore);
        case GiveUp given ->
            countIf(
                Event.GIVEN_UP,
                real.heldCount() < heldBefore || real.pendingCount() < pendingBefore);
        case QueryState query -> {}
      }
    }

    private void countIf(Event event, boolean happened) {
      if (happened) {
        events.merge(event, 1, Integer::sum);
      }
    }

    /** Checks invariants that do not depend on the algorithm of the model. */
    private void checkInvariants() {
      List<NaiveLockStates.Item> held = model.held;
      for (NaiveLockStates.Item one : held) {
        for (NaiveLockStates.Item other : held) {
          assertTrue(
              one == other
                  || !one.origin().equals(other.origin())
                  || !one.intersects(other.scope())
                  || (one.mode() == LockMode.SHARED && other.mode() == LockMode.SHARED),
              () -> where() + ": " + one + " beside " + other);
        }
      }
      Set<ClientId> owners = new HashSet<>();
      Set<ManagerId> origins = new HashSet<>();
      Set<List<Object>> names = new HashSet<>();
      List<NaiveLockStates.Item> all = new ArrayList<>(held);
      all.addAll(model.queue);
      for (NaiveLockStates.Item item : all) {
        owners.add(item.client());
        origins.add(item.origin());
        item.scope().forEach(name -> names.add(List.of(item.origin(), name)));
      }
      assertEquals(held.size(), real.heldCount(), this::where);
      assertEquals(model.queue.size(), real.pendingCount(), this::where);
      assertEquals(owners.size(), real.clientCount(), this::where);
      assertEquals(origins.size(), real.originCount(), this::where);
      assertEquals(names.size(), real.nameCount(), this::where);
      assertTrue(clients.containsAll(owners), () -> where() + ": the dead own something");
    }

    private ClientId birth() {
      return new ClientId("client " + ++births);
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private String where() {
      return "seed " + seed + ", operation " + operation;
    }
  }
}
