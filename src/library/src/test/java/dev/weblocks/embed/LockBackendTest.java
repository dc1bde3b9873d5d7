package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.LockCounts;
import dev.weblocks.lockmanager.LockManagers;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.SessionLost;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.locks.RemoteLocks;
import dev.weblocks.model.LockLoss;
import dev.weblocks.model.Variant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** User agents whose lock managers are elsewhere: here, in an object that answers at once. */
class LockBackendTest {

  private static final String ORIGIN = "https://one.test";

  /** Lock managers that can refuse names, lose all locks, and answer for buckets. */
  private static final class Elsewhere implements LockBackend, RemoteLocks, LockService {
    private final LockManagers managers = new LockManagers(Set.of());
    private final Map<ClientId, Consumer<LockEffect>> sinks = new HashMap<>();
    private final List<RequestId> granted = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();
    private Connection connection;
    private long ids;
    private boolean losesBeforeTheNextTurn;
    private boolean losesWithTheNextGrant;
    private boolean endsHolders;

    @Override
    public boolean endsHolders() {
      return endsHolders;
    }

    /** The answers to commands about buckets, in this order. */
    private final Deque<Function<RequestId, LockEffect>> answers = new ArrayDeque<>();

    @Override
    public LockService serve(Connection made) {
      connection = made;
      made.guardTurns(() -> {
        if (losesBeforeTheNextTurn) {
          losesBeforeTheNextTurn = false;
          lose();
        }
      });
      return this;
    }

    private void lose() {
      for (RequestId id : List.copyOf(granted)) {
        sinks.get(id.client()).accept(new SessionLost(id));
        run(new ReleaseLock(id));
      }
      granted.clear();
    }

    @Override
    public RequestId nextId(ClientId client) {
      return new RequestId(client, ++ids);
    }

    @Override
    public void register(RegisterClient client, Consumer<LockEffect> sink) {
      sinks.put(client.client(), sink);
      run(client);
    }

    @Override
    public void enqueue(LockCommand command) {
      if (command instanceof RequestLock request && request.options().name().equals("refused")) {
        send(new Refused(request.id(), "The name is refused."));
      } else if (command instanceof RequestLock request
          && request.options().name().equals("late")) {
        send(new BucketDeleted(request.id()));
      } else if (command instanceof TakeSnapshot query && query.manager().opening() != 0) {
        send(new BucketDeleted(query.id()));
      } else if (command instanceof BucketCommand bucket) {
        commands.add(bucket.getClass().getSimpleName());
        send(answers.remove().apply(bucket.id()));
      } else {
        run(command);
      }
      if (command instanceof EndClient end) {
        sinks.remove(end.client());
      }
      connection.runSteps();
    }

    private void run(LockCommand command) {
      managers.apply(command, 0).stream()
          .map(LockOutcome::effect)
          .filter(Objects::nonNull)
          .forEach(this::send);
    }

    private void send(LockEffect effect) {
      connection.queueSteps(
          "deliver",
          () -> {
            if (effect instanceof Granted) {
              granted.add(effect.id());
            }
            Consumer<LockEffect> sink = sinks.get(effect.client());
            if (sink != null) {
              sink.accept(effect);
            }
            if (effect instanceof Granted && losesWithTheNextGrant) {
              losesWithTheNextGrant = false;
              lose();
            }
          });
    }

    @Override
    public LockCounts counts() {
      return managers.counts();
    }

    @Override
    public List<LockState> diagnose() {
      return managers.diagnose();
    }
  }

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final List<String> log = new ArrayList<>();
  private final Elsewhere elsewhere = new Elsewhere();
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .consoleListener(message -> log.add(message.text()))
          .resourceLoader(ResourceLoader.inMemory().put(ORIGIN + "/", "<p>").build())
          .lockBackend(elsewhere)
          .build();

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  private void run(String script) {
    Window window = userAgent.open(ORIGIN + "/");
    driver.runUntilIdle(10_000);
    CompletableFuture<EvaluatedValue> unused =
        window.evaluate(script, EvaluationOptions.newBuilder().build());
    driver.runUntilIdle(10_000);
  }

  @Test
  void script_and_java_share_the_locks_of_the_backend() {
    run("navigator.locks.request('a', lock => new Promise(() => console.log(lock.name)))");
    LockClient client = userAgent.openLockClient(ORIGIN);
    CompletableFuture<Optional<HeldLock>> miss = client.requestIfAvailable("a");
    driver.runUntilIdle(10_000);
    assertEquals(List.of("a"), log);
    assertTrue(miss.join().isEmpty());
    assertEquals(1, userAgent.locks().size());
    assertEquals(1, userAgent.metrics().held());
  }

  @Test
  void lost_lock_of_script_rejects_with_an_abort_error_before_other_tasks() {
    run(
        """
        navigator.locks.request('a', () => new Promise(() => {
          setTimeout(() => console.log('timer'), 1000);
        })).catch(e => console.log(e.name + ': ' + e.message));
        """);
    assertEquals(List.of("timer"), log);
    log.clear();
    elsewhere.losesBeforeTheNextTurn = true;
    run("console.log('next')");
    assertEquals(
        List.of("AbortError: The lock was lost, as the lock cluster could not be reached.", "next"),
        log);
  }

  @Test
  void loss_can_end_the_agent_before_other_tasks() {
    elsewhere.endsHolders = true;
    run("navigator.locks.request('a', () => new Promise(() => {})).catch(e => console.log(e))");
    elsewhere.losesBeforeTheNextTurn = true;
    run("console.log('another agent')");
    assertEquals(List.of("another agent"), log);
    assertEquals(1, userAgent.metrics().agents());
  }

  @Test
  void loss_before_the_callback_ends_no_agent_and_repeats_the_request() {
    elsewhere.endsHolders = true;
    elsewhere.losesWithTheNextGrant = true;
    run("navigator.locks.request('a', lock => console.log(lock.name))");
    assertEquals(List.of("a"), log);
    assertEquals(1, userAgent.metrics().agents());
  }

  @Test
  void lost_lock_of_java_code_says_that_the_session_was_lost() {
    LockClient client = userAgent.openLockClient(ORIGIN);
    CompletableFuture<HeldLock> request = client.request("a");
    driver.runUntilIdle(10_000);
    HeldLock lock = request.join();
    assertTrue(lock.fencingToken() > 0);
    elsewhere.lose();
    driver.runUntilIdle(10_000);
    assertFalse(lock.isHeld());
    assertEquals(LockLoss.SESSION_LOST, lock.lost().join());
  }

  @Test
  void work_of_java_code_under_a_lost_lock_fails() {
    LockClient client = userAgent.openLockClient(ORIGIN);
    CompletableFuture<Object> work = client.withLock("a", lock -> new CompletableFuture<>());
    driver.runUntilIdle(10_000);
    elsewhere.lose();
    driver.runUntilIdle(10_000);
    CompletionException failure = assertThrows(CompletionException.class, work::join);
    assertEquals(
        "the lock 'a' was lost, as the lock cluster could not be reached",
        failure.getCause().getMessage());
  }

  @Test
  void refused_request_rejects_with_a_quota_exceeded_error() {
    run(
        """
        navigator.locks.request('refused', () => {})
            .catch(e => console.log(e.name + ': ' + e.message));
        """);
    assertEquals(List.of("QuotaExceededError: The name is refused."), log);
  }

  @Test
  void refused_request_of_java_code_fails_with_the_reason() {
    LockClient client = userAgent.openLockClient(ORIGIN);
    CompletableFuture<HeldLock> request = client.request("refused");
    driver.runUntilIdle(10_000);
    CompletionException failure = assertThrows(CompletionException.class, request::join);
    assertEquals("The name is refused.", failure.getCause().getMessage());
  }

  private static LockEffect opened(RequestId id) {
    return new BucketOpened(id, 1);
  }

  @Test
  void bucket_is_open_when_the_backend_says_so() {
    elsewhere.answers.addAll(List.of(LockBackendTest::opened, LockBackendTest::opened));
    run("navigator.storageBuckets.open('x').then(bucket => console.log(bucket.name))");
    assertEquals(List.of("x"), log);
    elsewhere.answers.add(LockBackendTest::opened);
    run("navigator.storageBuckets.open('x').then(bucket => console.log(bucket.name))");
    assertEquals(List.of("x", "x"), log);
    assertEquals(List.of("OpenBucket", "CheckBucket", "CheckBucket"), elsewhere.commands);
  }

  @Test
  void bucket_that_was_deleted_elsewhere_is_opened_again() {
    elsewhere.answers.addAll(
        List.of(
            LockBackendTest::opened,
            BucketDeleted::new,
            LockBackendTest::opened,
            LockBackendTest::opened));
    run("navigator.storageBuckets.open('x').then(bucket => console.log(bucket.name))");
    assertEquals(List.of("x"), log);
    assertEquals(
        List.of("OpenBucket", "CheckBucket", "OpenBucket", "CheckBucket"), elsewhere.commands);
  }

  @Test
  void refused_bucket_rejects_with_a_quota_exceeded_error() {
    elsewhere.answers.addAll(
        List.of(id -> new Refused(id, "There are too many."), BucketDeleted::new));
    run(
        """
        navigator.storageBuckets.open('x').catch(e => console.log(e.name + ': ' + e.message));
        """);
    assertEquals(
        List.of(
            "QuotaExceededError: Failed to execute 'open' on 'StorageBucketManager': There are too"
                + " many."),
        log);
  }

  @Test
  void refused_deletion_rejects_with_a_quota_exceeded_error() {
    elsewhere.answers.add(id -> new Refused(id, "There is no cluster."));
    run(
        """
        navigator.storageBuckets.delete('x').catch(e => console.log(e.name + ': ' + e.message));
        """);
    assertEquals(
        List.of(
            "QuotaExceededError: Failed to execute 'delete' on 'StorageBucketManager': There is no"
                + " cluster."),
        log);
  }

  @Test
  void late_request_and_query_in_a_deleted_bucket_reject() {
    elsewhere.answers.addAll(List.of(LockBackendTest::opened, LockBackendTest::opened));
    run(
        """
        navigator.storageBuckets.open('x').then(({locks}) => {
          locks.request('late', () => {}).catch(e => console.log(e.name + ': ' + e.message));
          locks.query().catch(e => console.log(e.name + ': ' + e.message));
        });
        """);
    String error = "InvalidStateError: The storage bucket was deleted.";
    assertEquals(List.of(error, error), log);
  }

  @Test
  void private_session_has_locks_of_its_own() {
    LockClient client = userAgent.openLockClient(ORIGIN);
    CompletableFuture<HeldLock> outside = client.request("a");
    UserAgent session = userAgent.openPrivateSession();
    CompletableFuture<HeldLock> inside = session.openLockClient(ORIGIN).request("a");
    driver.runUntilIdle(10_000);
    assertTrue(outside.join().isHeld() && inside.join().isHeld());
  }

  @Test
  void fencing_tokens_without_a_backend_grow_with_each_grant() {
    try (UserAgent own = UserAgent.newBuilder().driver(driver).build()) {
      LockClient client = own.openLockClient(ORIGIN);
      CompletableFuture<HeldLock> first = client.request("a");
      CompletableFuture<HeldLock> second = client.request("b");
      driver.runUntilIdle(10_000);
      assertTrue(second.join().fencingToken() > first.join().fencingToken());
    }
  }

  @Test
  void variants_that_need_own_lock_managers_are_refused() {
    for (Variant variant : List.of(Variant.EARLY_DRAFT, Variant.CALLBACK_INSIDE_REQUEST)) {
      UserAgent.Builder builder =
          UserAgent.newBuilder().lockBackend(elsewhere).variants(Set.of(variant));
      assertEquals(
          "the variant "
              + variant.id()
              + " needs lock managers inside the user agent; leave out the variant or the lock"
              + " backend",
          assertThrows(IllegalStateException.class, builder::build).getMessage());
    }
  }

  @Test
  void foreign_implementation_of_a_backend_is_refused() {
    UserAgent.Builder builder = UserAgent.newBuilder();
    LockBackend foreign = new LockBackend() {};
    assertThrows(IllegalArgumentException.class, () -> builder.lockBackend(foreign));
  }
}
