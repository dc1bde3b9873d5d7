package dev.weblocks.cluster.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.EvaluatedValue;
import dev.weblocks.embed.EvaluationOptions;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.LockClientOptions;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Named storage buckets of two user agents with a simulated cluster. */
class SimulatedBucketsTest {

  private static final String ORIGIN = "https://shop.test";
  private static final Environment ENVIRONMENT = Environment.create();

  private static final String HELPERS =
      """
      const {storageBuckets} = navigator;
      const turn = () => new Promise(resolve => setTimeout(resolve));
      const free = async bucket =>
          await bucket.locks.request('l', {ifAvailable: true}, lock => lock !== null);
      const nameOfError = promise => promise.then(() => 'none', error => error.name);
      """;

  @AfterAll
  static void closeEnvironment() {
    ENVIRONMENT.close();
  }

  /** Two user agents with a window each. */
  private static final class Pair implements AutoCloseable {
    final List<String> violations = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    final List<UserAgent> userAgents = new ArrayList<>();
    private final List<Window> windows = new ArrayList<>();
    private final DeterministicDriver driver;
    private final SimulatedCluster cluster;

    Pair(long seed, Faults faults) {
      driver = DeterministicDriver.newBuilder().seed(seed).build();
      cluster = new SimulatedCluster(3, faults, violations::add);
      for (int i = 0; i < 2; i++) {
        int number = i;
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .lockBackend(cluster)
                .environment(ENVIRONMENT)
                .consoleListener(message -> log.add(number + " " + message.text()))
                .resourceLoader(
                    ResourceLoader.inMemory()
                        .put(ORIGIN + "/", "<script>" + HELPERS + "</script>")
                        .build())
                .build();
        userAgents.add(userAgent);
        windows.add(userAgent.open(ORIGIN + "/"));
      }
      run();
    }

    /** Begins an asynchronous function; its errors are logged. */
    Pair begin(int number, String body) {
      CompletableFuture<EvaluatedValue> unused =
          windows
              .get(number)
              .evaluate(
                  "(async () => {" + body + "})().catch(e => console.log('failed ' + e))",
                  EvaluationOptions.newBuilder().build());
      return this;
    }

    List<String> run(int number, String body) {
      begin(number, body);
      return run();
    }

    /** Runs until all is idle; returns the lines since the last call. */
    List<String> run() {
      assertTrue(driver.runUntilIdle(2_000_000) < 2_000_000, cluster.toString());
      List<String> lines = List.copyOf(log);
      log.clear();
      return lines;
    }

    LockClient client(int number) {
      return userAgents
          .get(number)
          .openLockClient(LockClientOptions.newBuilder(ORIGIN).bucket("x").build());
    }

    @Override
    public void close() {
      userAgents.forEach(UserAgent::close);
      driver.close();
    }
  }

  @Test
  void user_agents_share_the_locks_of_a_bucket_whatever_they_deleted() {
    String worker =
        """
        const bucket = await storageBuckets.open('x');
        for (let i = 0; i < 3; i++) {
          await bucket.locks.request('l', async () => {
            console.log('in');
            for (let n = 0; n < 4; n++) await turn();
            console.log('out');
          });
        }
        """;
    for (long seed = 1; seed <= TestSize.of(20, 500); seed++) {
      try (Pair pair = new Pair(seed, Faults.NONE)) {
        pair.run(
            0,
            """
            for (let i = 0; i < 3; i++) {
              await storageBuckets.open('x');
              await storageBuckets.delete('x');
            }
            """);
        List<String> lines = pair.begin(0, worker).begin(1, worker).run();
        assertEquals(12, lines.size(), "seed " + seed + ": " + lines);
        for (int i = 0; i < lines.size(); i += 2) {
          assertEquals(
              lines.get(i).replace("in", "out"), lines.get(i + 1), "seed " + seed + ": " + lines);
        }
        assertEquals(List.of(), pair.violations, "seed " + seed);
      }
    }
  }

  @Test
  void deletion_by_one_user_agent_ends_the_bucket_for_the_other() {
    for (long seed = 1; seed <= TestSize.of(20, 500); seed++) {
      try (Pair pair = new Pair(seed, Faults.NONE)) {
        String of = "seed " + seed;
        assertEquals(
            List.of("0 held"),
            pair.run(
                0,
                """
                self.bucket = await storageBuckets.open('x');
                bucket.locks.request('l', () => new Promise(resolve => {
                  console.log('held');
                  self.release = resolve;
                })).then(() => console.log('released'));
                """),
            of);
        assertEquals(
            List.of("1 false"),
            pair.run(
                1,
                """
                self.bucket = await storageBuckets.open('x');
                bucket.locks.request('l', () => console.log('waiter of the old bucket'));
                console.log(await free(bucket));
                """),
            of);
        assertEquals(
            List.of("1 true", "1 keys x"),
            pair.run(
                1,
                """
                await storageBuckets.delete('x');
                self.next = await storageBuckets.open('x');
                console.log(await free(next));
                console.log('keys ' + await storageBuckets.keys());
                """),
            of);
        assertEquals(
            List.of(
                "0 keys ",
                "0 InvalidStateError",
                "0 InvalidStateError",
                "0 UnknownError",
                "0 true"),
            pair.run(
                0,
                """
                console.log('keys ' + await storageBuckets.keys());
                console.log(await nameOfError(free(bucket)));
                console.log(await nameOfError(bucket.locks.query()));
                console.log(await nameOfError(bucket.persisted()));
                console.log(await free(await storageBuckets.open('x')));
                """),
            of);
        assertEquals(
            List.of("0 released", "1 waiter of the old bucket"),
            pair.run(0, "release()").stream().sorted().toList(),
            of);
        assertEquals(List.of(), pair.violations, of);
      }
    }
  }

  @Test
  void opening_waits_for_an_earlier_deletion_by_the_other_user_agent() {
    for (long seed = 1; seed <= TestSize.of(20, 500); seed++) {
      try (Pair pair = new Pair(seed, Faults.NONE)) {
        pair.run(0, "await storageBuckets.open('x')");
        pair.begin(1, "await storageBuckets.delete('x'); console.log('deleted')");
        while (pair.log.isEmpty()) { // user agent 0 may not know of the deletion afterwards
          assertTrue(pair.driver.runOne(), "seed " + seed);
        }
        assertEquals(
            List.of("1 deleted", "0 true"),
            pair.run(0, "console.log(await free(await storageBuckets.open('x')))"),
            "seed " + seed);
      }
    }
  }

  @Test
  void calls_of_one_user_agent_take_effect_in_their_order() {
    for (long seed = 1; seed <= TestSize.of(20, 500); seed++) {
      try (Pair pair = new Pair(seed, Faults.SOME)) {
        assertEquals(
            List.of("0 UnknownError none false"),
            pair.run(
                0,
                """
                const all = [storageBuckets.open('x'), storageBuckets.delete('x'),
                    storageBuckets.open('x')];
                const [first, none, last] = await Promise.all(all);
                console.log(await nameOfError(first.persisted()),
                    await nameOfError(last.locks.query()), first === last);
                """),
            "seed " + seed);
      }
    }
  }

  private static final String KEEP_AND_WAIT =
      """
      self.bucket = await storageBuckets.open('x');
      bucket.locks.request('l', () => console.log('granted'))
          .catch(error => console.log(error.name));
      """;

  private static final String HOLD =
      """
      self.bucket = await storageBuckets.open('x');
      bucket.locks.request('l', () => new Promise(resolve => self.release = resolve));
      """;

  @Test
  void bucket_and_its_waiting_requests_survive_the_loss_of_a_session() {
    for (long seed = 1; seed <= TestSize.of(20, 500); seed++) {
      try (Pair pair = new Pair(seed, Faults.NONE)) {
        pair.run(0, HOLD);
        pair.run(1, KEEP_AND_WAIT);
        pair.cluster.expireSession(1);
        assertEquals(List.of(), pair.run(), "seed " + seed);
        assertEquals(
            List.of("0 deletes nothing", "1 granted"),
            pair.run(0, "console.log('deletes nothing'); release()"),
            "seed " + seed);
        assertEquals(
            List.of("1 true"), pair.run(1, "console.log(await free(bucket))"), "seed " + seed);
      }
    }
  }

  @Test
  void deletion_reaches_a_user_agent_that_loses_its_session() {
    for (long seed = 1; seed <= TestSize.of(40, 1_000); seed++) {
      try (Pair pair = new Pair(seed, Faults.NONE)) {
        pair.run(0, HOLD);
        pair.run(1, KEEP_AND_WAIT);
        pair.cluster.expireSession(1);
        List<String> lines =
            pair.run(0, "await storageBuckets.delete('x'); await storageBuckets.open('x')");
        assertTrue(List.of(List.of(), List.of("1 InvalidStateError")).contains(lines), "" + lines);
        assertEquals(
            List.of("1 InvalidStateError", "1 true"),
            pair.run(
                1,
                """
                console.log(await nameOfError(bucket.locks.query()));
                console.log(await free(await storageBuckets.open('x')));
                """),
            "seed " + seed);
      }
    }
  }

  @Test
  void buckets_are_opened_again_by_name_when_all_sessions_were_lost() {
    for (long seed = 1; seed <= TestSize.of(20, 500); seed++) {
      try (Pair pair = new Pair(seed, Faults.NONE)) {
        pair.run(0, "self.bucket = await storageBuckets.open('x')");
        pair.run(1, "self.bucket = await storageBuckets.open('x')");
        pair.cluster.expireSession(0);
        pair.cluster.expireSession(1);
        pair.run();
        assertEquals(
            List.of("0 held", "1 false"),
            Stream.concat(
                    pair
                        .run(
                            0,
                            "bucket.locks.request('l', () => new Promise(() => console.log('held')))")
                        .stream(),
                    pair.run(1, "console.log(await free(bucket))").stream())
                .toList(),
            "seed " + seed);
      }
    }
  }

  @Test
  void java_code_shares_the_bucket_and_its_end_with_script() {
    try (Pair pair = new Pair(1, Faults.NONE);
        LockClient client = pair.client(0)) {
      CompletableFuture<HeldLock> held = client.request("l");
      assertEquals(
          List.of("1 false"),
          pair.run(1, "console.log(await free(await storageBuckets.open('x')))"));
      pair.run(1, "await storageBuckets.delete('x')");
      assertTrue(held.join().isHeld());
      IllegalStateException refused = null;
      try {
        CompletableFuture<HeldLock> unused = client.request("l");
      } catch (IllegalStateException expected) {
        refused = expected;
      }
      assertEquals(
          "the storage bucket 'x' was deleted", refused == null ? "" : refused.getMessage());
      try (LockClient again = pair.client(0)) {
        CompletableFuture<Optional<HeldLock>> free = again.requestIfAvailable("l");
        pair.run();
        assertTrue(free.join().isPresent());
      }
    }
  }

  @Test
  void request_of_java_code_that_follows_a_deletion_fails() {
    for (long seed = 1; seed <= TestSize.of(20, 500); seed++) {
      try (Pair pair = new Pair(seed, Faults.NONE);
          LockClient client = pair.client(0)) {
        pair.run();
        pair.begin(1, "await storageBuckets.delete('x'); console.log('deleted')");
        while (pair.log.isEmpty()) {
          assertTrue(pair.driver.runOne(), "seed " + seed);
        }
        CompletableFuture<String> result;
        try {
          result = client.request("l").thenApply(HeldLock::name);
        } catch (IllegalStateException known) { // the deletion has arrived
          continue;
        }
        pair.run();
        assertEquals(
            "the storage bucket 'x' was deleted",
            result.handle((lock, failure) -> messageOf(failure)).join(),
            "seed " + seed);
      }
    }
  }

  private static String messageOf(Throwable failure) {
    return (failure instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : failure)
        .getMessage();
  }

  /** Opens, locks, deletes and reopens; the seed of the program decides the order. */
  private static String program(long seed) {
    return """
    let state = %s;
    const next = most => (state = (state * 48271) %% 2147483647) %% most;
    const use = async bucket => {
      try {
        await bucket.locks.request('l', {mode: next(4) ? 'exclusive' : 'shared'}, async () => {
          for (let n = next(4); n > 0; n--) await turn();
        });
      } catch (error) {
        if (!['AbortError', 'InvalidStateError'].includes(error.name)) throw error;
      }
    };
    const all = [];
    let bucket = await storageBuckets.open('x');
    for (let i = 0; i < 6; i++) {
      switch (next(6)) {
        case 0: await storageBuckets.delete('x'); break;
        case 1: all.push(storageBuckets.delete('x')); break;
        case 2: bucket = await storageBuckets.open('x'); break;
        default: all.push(use(bucket)); await turn();
      }
    }
    await Promise.all(all);
    console.log('done');
    """
        .formatted(seed);
  }

  @Test
  void with_faults_all_calls_end_and_user_agents_agree_afterwards() {
    Map<String, Integer> outcomes = new HashMap<>();
    for (long seed = 1; seed <= TestSize.of(100, 5_000); seed++) {
      try (Pair pair = new Pair(seed, Faults.SOME)) {
        String of = "seed " + seed;
        List<String> lines =
            pair.begin(0, program(seed * 7 + 1)).begin(1, program(seed * 11 + 2)).run();
        assertEquals(List.of("0 done", "1 done"), lines.stream().sorted().toList(), of);
        for (UserAgent userAgent : pair.userAgents) {
          assertEquals(List.of(), userAgent.locks(), of);
        }
        LockClient here = pair.client(0);
        CompletableFuture<HeldLock> request = here.request("l").exceptionally(deleted -> null);
        pair.run();
        LockClient there = pair.client(1);
        CompletableFuture<Optional<HeldLock>> other = there.requestIfAvailable("l");
        pair.run();
        HeldLock lock = request.join();
        boolean shared = lock != null && lock.isHeld();
        outcomes.merge(shared ? "held" : "lost", 1, Integer::sum);
        assertTrue(!shared || other.join().isEmpty(), of + ": two user agents hold the lock");
        assertEquals(List.of(), pair.violations, of);
      }
    }
    assertTrue(outcomes.getOrDefault("held", 0) > 50, outcomes.toString());
  }
}
