package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.lockmanager.LockInvariants.Invariant;
import dev.weblocks.lockmanager.LockInvariants.Violation;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.LockTransition;
import dev.weblocks.lockmanager.message.LockTransition.Kind;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker of invariants, which must report exactly the violations. */
class LockInvariantsTest {

  private static final ClientId ANN = new ClientId("ann");
  private static final ClientId BEN = new ClientId("ben");
  private static final ManagerId BUCKET = new ManagerId("bucket", "default");

  private final List<Violation> violations = new ArrayList<>();
  private final LockInvariants checker =
      new LockInvariants(EnumSet.allOf(Invariant.class), violations::add);

  /** The state that the lock managers would report. */
  private final List<LockState> state = new ArrayList<>();

  private void report(Kind kind, long id, ClientId client, LockMode mode, WaitMode wait) {
    report(kind, id, client, mode, wait, null);
  }

  private void report(
      Kind kind, long id, ClientId client, LockMode mode, WaitMode wait, ClientId thief) {
    checker.on(
        new LockTransition(
            kind,
            new RequestId(client, id),
            BUCKET,
            LockOptions.of("a", mode, wait),
            TestCommands.requester(client),
            /* nanos= */ 0,
            /* clientEnded= */ false,
            thief == null ? null : new RequestId(thief, 0),
            null));
  }

  private void report(Kind kind, long id, ClientId client) {
    report(kind, id, client, LockMode.EXCLUSIVE, WaitMode.WAIT);
  }

  private void held(LockMode mode, ClientId client) {
    state.add(state(mode, 0, client));
  }

  private void waits(int place, ClientId client) {
    state.add(state(LockMode.EXCLUSIVE, place, client));
  }

  private static LockState state(LockMode mode, int place, ClientId client) {
    return new LockState(
        new RequestId(client, 0),
        BUCKET,
        LockOptions.of("a", mode, WaitMode.WAIT),
        place,
        TestCommands.requester(client),
        /* sinceNanos= */ 0);
  }

  private void stepIs(LockCommand command) {
    checker.stepHasRun(command, state);
    state.clear();
  }

  private static RequestLock request(long id, ClientId client) {
    return request(id, client, WaitMode.WAIT);
  }

  private static RequestLock request(long id, ClientId client, WaitMode wait) {
    return TestCommands.request(new RequestId(client, id), BUCKET, "a", LockMode.EXCLUSIVE, wait);
  }

  private static ReleaseLock release(long id, ClientId client) {
    return new ReleaseLock(new RequestId(client, id));
  }

  /** Returns a command that changes nothing. */
  private static TakeSnapshot query() {
    return new TakeSnapshot(new RequestId(ANN, 9), BUCKET);
  }

  private void assertBroken(Invariant invariant, String detail) {
    assertEquals(List.of(new Violation(invariant, detail + " (lock 'a')")), violations);
  }

  /** Runs a step that grants request 1 of Ann. */
  private void annHolds() {
    report(Kind.REQUESTED, 1, ANN);
    report(Kind.GRANTED, 1, ANN);
    held(LockMode.EXCLUSIVE, ANN);
    stepIs(request(1, ANN));
  }

  @Test
  void request_granted_in_queue_order_breaks_no_invariant() {
    annHolds();
    report(Kind.REQUESTED, 2, BEN);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, BEN);
    stepIs(request(2, BEN));
    report(Kind.RELEASED, 1, ANN);
    report(Kind.GRANTED, 2, BEN);
    held(LockMode.EXCLUSIVE, BEN);
    stepIs(release(1, ANN));
    assertEquals(List.of(), violations);
  }

  @Test
  void second_exclusive_lock_beside_an_exclusive_one_is_reported() {
    annHolds();
    report(Kind.REQUESTED, 2, BEN);
    report(Kind.GRANTED, 2, BEN);
    held(LockMode.EXCLUSIVE, ANN);
    held(LockMode.EXCLUSIVE, BEN);
    stepIs(request(2, BEN));
    assertBroken(
        Invariant.COMPATIBLE_MODES,
        "request 2 (exclusive) of ben was granted beside request 1 (exclusive) of ann");
  }

  @Test
  void shared_lock_beside_an_exclusive_one_is_reported() {
    annHolds();
    report(Kind.REQUESTED, 2, BEN, LockMode.SHARED, WaitMode.WAIT);
    report(Kind.GRANTED, 2, BEN, LockMode.SHARED, WaitMode.WAIT);
    held(LockMode.EXCLUSIVE, ANN);
    held(LockMode.SHARED, BEN);
    stepIs(request(2, BEN));
    assertBroken(
        Invariant.COMPATIBLE_MODES,
        "request 2 (shared) of ben was granted beside request 1 (exclusive) of ann");
  }

  @Test
  void request_that_overtakes_another_one_is_reported() {
    annHolds();
    report(Kind.REQUESTED, 2, BEN);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, BEN);
    stepIs(request(2, BEN));
    report(Kind.REQUESTED, 3, ANN);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, BEN);
    waits(2, ANN);
    stepIs(request(3, ANN));
    report(Kind.RELEASED, 1, ANN);
    report(Kind.GRANTED, 3, ANN);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, BEN);
    stepIs(release(1, ANN));
    assertBroken(
        Invariant.FIRST_IN_FIRST_OUT,
        "request 3 (exclusive) of ann was granted before request 2 (exclusive) of ben");
  }

  @Test
  void missing_grant_of_a_grantable_request_is_reported() {
    annHolds();
    report(Kind.REQUESTED, 2, BEN);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, BEN);
    stepIs(request(2, BEN));
    report(Kind.RELEASED, 1, ANN);
    waits(1, BEN);
    stepIs(release(1, ANN));
    assertBroken(
        Invariant.NO_LOST_GRANT,
        "request 2 (exclusive) of ben is grantable and first in its queue, but waits");
  }

  @Test
  void missed_if_available_request_is_reported_only_if_the_lock_is_free() {
    report(Kind.REQUESTED, 1, ANN, LockMode.EXCLUSIVE, WaitMode.IF_AVAILABLE);
    report(Kind.MISSED, 1, ANN, LockMode.EXCLUSIVE, WaitMode.IF_AVAILABLE);
    stepIs(request(1, ANN));
    assertBroken(
        Invariant.NO_LOST_GRANT,
        "request 1 (exclusive, if available) of ann missed its lock, which was available");
    violations.clear();
    annHolds();
    report(Kind.REQUESTED, 2, BEN, LockMode.EXCLUSIVE, WaitMode.IF_AVAILABLE);
    report(Kind.MISSED, 2, BEN, LockMode.EXCLUSIVE, WaitMode.IF_AVAILABLE);
    held(LockMode.EXCLUSIVE, ANN);
    stepIs(request(2, BEN));
    assertEquals(List.of(), violations);
  }

  @Test
  void waiting_if_available_request_is_reported() {
    annHolds();
    report(Kind.REQUESTED, 2, BEN, LockMode.EXCLUSIVE, WaitMode.IF_AVAILABLE);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, BEN);
    stepIs(request(2, BEN));
    assertBroken(
        Invariant.NO_LOST_GRANT,
        "request 2 (exclusive, if available) of ben still waits, although ifAvailable requests"
            + " never wait");
  }

  @Test
  void second_grant_of_a_request_is_reported() {
    annHolds();
    report(Kind.RELEASED, 1, ANN);
    stepIs(release(1, ANN));
    report(Kind.GRANTED, 1, ANN);
    held(LockMode.EXCLUSIVE, ANN);
    stepIs(release(1, ANN));
    assertEquals(
        List.of(Invariant.ONE_STATE, Invariant.DONE_AS_ASKED),
        violations.stream().map(Violation::invariant).toList());
  }

  @Test
  void release_or_abort_in_a_wrong_state_is_reported() {
    annHolds();
    report(Kind.RELEASED, 7, BEN);
    held(LockMode.EXCLUSIVE, ANN);
    stepIs(release(7, BEN));
    assertBroken(
        Invariant.ONE_STATE, "request 7 (exclusive) of ben was released, but was not held");
    violations.clear();
    report(Kind.ABORTED, 8, BEN);
    held(LockMode.EXCLUSIVE, ANN);
    stepIs(new AbortRequest(new RequestId(BEN, 8)));
    assertBroken(
        Invariant.ONE_STATE, "request 8 (exclusive) of ben was aborted, but was not" + " pending");
  }

  @Test
  void steal_before_waiting_requests_breaks_no_invariant() {
    annHolds();
    report(Kind.REQUESTED, 2, ANN);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, ANN);
    stepIs(request(2, ANN));
    report(Kind.REQUESTED, 3, BEN, LockMode.EXCLUSIVE, WaitMode.STEAL);
    report(Kind.STOLEN, 1, ANN, LockMode.EXCLUSIVE, WaitMode.WAIT, BEN);
    report(Kind.GRANTED, 3, BEN, LockMode.EXCLUSIVE, WaitMode.STEAL);
    held(LockMode.EXCLUSIVE, BEN);
    waits(1, ANN);
    stepIs(request(3, BEN, WaitMode.STEAL));
    assertEquals(List.of(), violations);
  }

  @Test
  void loss_without_a_steal_request_is_reported() {
    annHolds();
    report(Kind.STOLEN, 1, ANN, LockMode.EXCLUSIVE, WaitMode.WAIT, BEN);
    stepIs(request(2, BEN));
    assertBroken(
        Invariant.ONE_STATE,
        "request 1 (exclusive) of ann was stolen, but the first request of the queue is not"
            + " the steal");
  }

  @Test
  void locks_and_requests_of_an_ended_client_are_reported() {
    annHolds();
    held(LockMode.EXCLUSIVE, ANN);
    stepIs(new EndClient(ANN));
    assertBroken(
        Invariant.ENDED_CLIENT_HOLDS_NOTHING,
        "request 1 (exclusive) of ann still holds its lock after its client has ended");
    violations.clear();
    report(Kind.REQUESTED, 2, ANN);
    held(LockMode.EXCLUSIVE, ANN);
    waits(1, ANN);
    stepIs(request(2, ANN));
    assertBroken(
        Invariant.ENDED_CLIENT_HOLDS_NOTHING,
        "request 2 (exclusive) of ann was made after its client had ended");
  }

  @Test
  void step_without_its_effect_is_reported() {
    annHolds();
    held(LockMode.EXCLUSIVE, ANN);
    stepIs(release(1, ANN));
    assertEquals(
        List.of(new Violation(Invariant.DONE_AS_ASKED, "lock 1 was not released")), violations);
  }

  @Test
  void state_that_contradicts_the_transitions_is_reported() {
    annHolds();
    held(LockMode.SHARED, ANN);
    stepIs(query());
    assertEquals(Invariant.TRUE_STATE, violations.getFirst().invariant());
    assertEquals(1, violations.size());
  }

  @Test
  void unchecked_invariants_are_not_reported() {
    LockInvariants less = new LockInvariants(Set.of(Invariant.ONE_STATE), violations::add);
    less.stepHasRun(query(), List.of(state(LockMode.SHARED, 0, ANN)));
    assertEquals(List.of(), violations);
  }

  @Test
  void variants_disable_the_invariants_that_they_break() {
    assertEquals(
        EnumSet.allOf(Invariant.class), LockInvariants.thatHoldWith(Set.of(Variant.STOLEN_ERROR)));
    assertEquals(Set.of(), LockInvariants.thatHoldWith(Set.of(Variant.EARLY_DRAFT)));
    for (Variant variant : Variant.values()) {
      if (variant != Variant.EARLY_DRAFT) {
        violations.clear();
        Set<Invariant> promised = LockInvariants.thatHoldWith(Set.of(variant));
        askAll(new LockInvariants(promised, violations::add), 1, Set.of(variant));
        assertEquals(List.of(), violations, variant::id);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void lock_managers_break_no_invariant_under_random_commands(long seed) {
    askAll(checker, seed, Set.of());
    assertEquals(List.of(), violations);
  }

  /** Runs random commands of all kinds. */
  private static void askAll(LockInvariants checker, long seed, Set<Variant> variants) {
    SplittableRandom random = new SplittableRandom(seed);
    LockManagers managers = new LockManagers(variants);
    Consumer<LockCommand> run =
        command -> {
          for (LockOutcome outcome : managers.apply(command, 0)) {
            if (outcome instanceof LockTransition transition) {
              checker.on(transition);
            }
          }
          checker.stepHasRun(command, managers.diagnose());
        };
    long lastId = 0;
    List<ClientId> clients = new ArrayList<>();
    int ends = 0;
    for (int i = 0; i < 5; i++) {
      clients.add(new ClientId("client " + i));
      run.accept(TestCommands.registered(clients.get(i)));
    }
    List<RequestId> ids = new ArrayList<>();
    ids.add(new RequestId(clients.getFirst(), ++lastId)); // of no request
    for (int i = 0; i < 4_000; i++) {
      int which = random.nextInt(clients.size());
      ClientId client = clients.get(which);
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4, 5 -> {
          WaitMode wait = WaitMode.values()[random.nextInt(WaitMode.values().length)];
          RequestId id = new RequestId(client, ++lastId);
          ids.add(id);
          run.accept(new RequestLock(id, BUCKET, anyOptions(random, wait)));
        }
        case 6, 7, 8 -> run.accept(new ReleaseLock(any(ids, random)));
        case 9 -> run.accept(new AbortRequest(any(ids, random)));
        case 10 -> run.accept(new TakeSnapshot(new RequestId(client, ++lastId), BUCKET));
        default -> {
          if (random.nextInt(4) == 0) {
            run.accept(new EndClient(client));
            clients.set(which, new ClientId("later client " + ++ends));
            run.accept(TestCommands.registered(clients.get(which)));
          }
        }
      }
    }
  }

  private static LockOptions anyOptions(SplittableRandom random, WaitMode wait) {
    return new LockOptions(
        "abc".substring(0, 1 + random.nextInt(3)),
        wait == WaitMode.STEAL || random.nextBoolean() ? LockMode.EXCLUSIVE : LockMode.SHARED,
        wait,
        /* reentrant= */ random.nextBoolean(),
        /* position= */ null);
  }

  private static RequestId any(List<RequestId> ids, SplittableRandom random) {
    return ids.get(random.nextInt(ids.size()));
  }
}
