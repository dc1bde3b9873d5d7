package dev.weblocks.cluster.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.LockSnapshot;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SimulatedClusterTest {

  private static final String ORIGIN = "https://shop.test";
  private static final Environment ENVIRONMENT = Environment.create();

  @AfterAll
  static void closeEnvironment() {
    ENVIRONMENT.close();
  }

  /** The turns of clients that wait for each other, and whether all came to an end. */
  private static final class Run {
    final List<String> violations = new ArrayList<>();
    final List<Long> tokens = new ArrayList<>();
    private HeldLock inside;
    int lost;
    int done;
    int requests;

    Run(long seed, int userAgents, int each, Faults faults, Defect defect) {
      try (DeterministicDriver driver = DeterministicDriver.newBuilder().seed(seed).build()) {
        SimulatedCluster cluster = new SimulatedCluster(3, faults, defect, violations::add);
        List<UserAgent> all = new ArrayList<>();
        for (int i = 0; i < userAgents; i++) {
          UserAgent userAgent =
              UserAgent.newBuilder()
                  .environment(ENVIRONMENT)
                  .driver(driver)
                  .lockBackend(cluster)
                  .build();
          all.add(userAgent);
          LockClient client = userAgent.openLockClient(ORIGIN);
          for (int n = 0; n < each; n++) {
            requests++;
            take(client);
          }
        }
        driver.runUntilIdle(1_000_000);
        if (done < requests) {
          violations.add("idle after " + done + " of " + requests + ": " + cluster);
        }
        all.forEach(UserAgent::close);
      }
    }

    private void take(LockClient client) {
      CompletableFuture<Void> unused =
          client
              .request("a")
              .thenCompose(lock -> {
                tokens.add(lock.fencingToken());
                CompletableFuture<Void> loss = lock.lost().thenAccept(how -> lost++);
                return work(client, lock).thenCompose(end -> lock.release());
              })
              .thenRun(() -> done++)
              .whenComplete((value, failure) -> {
                if (failure != null) {
                  violations.add(failure.toString());
                }
              });
    }

    /** Does something that takes some steps: a query, and a request for a lock that is not free. */
    private CompletableFuture<Void> work(LockClient client, HeldLock lock) {
      if (inside != null && inside.isHeld() && lock.isHeld()) {
        violations.add("two are inside");
      }
      inside = lock;
      CompletableFuture<LockSnapshot> query = client.query();
      return client
          .requestIfAvailable(lock.name())
          .thenCombine(query, (other, snapshot) -> other)
          .thenAccept(other -> {
            other.ifPresent(HeldLock::close); // the first one is lost
            if (inside == lock) {
              inside = null;
            }
          });
    }

    void requireSound(long seed) {
      assertEquals(List.of(), violations, "seed " + seed);
      assertEquals(requests, done, "seed " + seed + ": requests that ended");
      assertEquals(new TreeSet<>(tokens).size(), tokens.size(), "seed " + seed + ": tokens");
    }
  }

  @Test
  void without_faults_all_get_the_lock_in_the_order_of_their_tokens() {
    for (long seed = 1; seed <= 50; seed++) {
      Run run = new Run(seed, 3, 4, Faults.NONE, Defect.NONE);
      run.requireSound(seed);
      assertEquals(12, run.tokens.size());
      assertEquals(run.tokens.stream().sorted().toList(), run.tokens, "seed " + seed);
      assertEquals(0, run.lost);
    }
  }

  @Test
  void with_faults_no_two_hold_one_lock_and_all_ends() {
    int seeds = TestSize.of(300, 100_000);
    int lost = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      Run run = new Run(seed, 3, 3, Faults.SOME, Defect.NONE);
      run.requireSound(seed);
      lost += run.lost;
    }
    assertTrue(lost > 0, "no lease ended in " + seeds + " runs, so the loss was not tried");
  }

  @Test
  void the_same_seed_gives_the_same_run() {
    assertEquals(
        new Run(5, 3, 4, Faults.SOME, Defect.NONE).tokens.toString(),
        new Run(5, 3, 4, Faults.SOME, Defect.NONE).tokens.toString());
  }

  @Test
  void a_lock_of_another_user_agent_is_seen_by_if_available() {
    List<String> violations = new ArrayList<>();
    try (DeterministicDriver driver = DeterministicDriver.newBuilder().build()) {
      SimulatedCluster cluster = new SimulatedCluster(3, Faults.NONE, violations::add);
      try (UserAgent one = UserAgent.newBuilder().driver(driver).lockBackend(cluster).build();
          UserAgent two = UserAgent.newBuilder().driver(driver).lockBackend(cluster).build();
          LockClient here = one.openLockClient(ORIGIN);
          LockClient there = two.openLockClient(ORIGIN)) {
        CompletableFuture<HeldLock> request = here.request("a");
        driver.runUntilIdle(10_000);
        CompletableFuture<Optional<HeldLock>> miss = there.requestIfAvailable("a");
        driver.runUntilIdle(10_000);
        assertTrue(request.join().isHeld());
        assertTrue(miss.join().isEmpty());
        assertEquals(List.of(), violations);
      }
    }
  }

  @Test
  void commands_that_are_applied_twice_are_noticed() {
    assertTrue(isNoticed(Defect.NO_DEDUPLICATION));
  }

  @Test
  void a_session_that_expires_early_is_noticed() {
    assertTrue(isNoticed(Defect.EARLY_EXPIRY));
  }

  private static boolean isNoticed(Defect defect) {
    return LongStream.rangeClosed(1, 500)
        .anyMatch(seed -> {
          Run run = new Run(seed, 3, 3, Faults.SOME, defect);
          return !run.violations.isEmpty() || run.done < run.requests;
        });
  }

  /** Takes a lock and keeps it for some turns, in two windows of different user agents. */
  private static List<String> violationsOfScripts(long seed, Defect defect) {
    String page =
        """
        <script>
        const turn = () => new Promise(resolve => setTimeout(resolve));
        for (let i = 0; i < 2; i++) {
          navigator.locks.request('a', async () => {
            for (let n = 0; n < 5; n++) await turn();
          }).catch(() => {});
        }
        </script>
        """;
    List<String> violations = new ArrayList<>();
    try (DeterministicDriver driver = DeterministicDriver.newBuilder().seed(seed).build()) {
      SimulatedCluster cluster = new SimulatedCluster(3, Faults.SOME, defect, violations::add);
      List<UserAgent> all = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .lockBackend(cluster)
                .environment(ENVIRONMENT)
                .resourceLoader(ResourceLoader.inMemory().put(ORIGIN + "/", page).build())
                .build();
        all.add(userAgent);
        userAgent.open(ORIGIN + "/");
      }
      driver.runUntilIdle(1_000_000);
      all.stream()
          .flatMap(each -> each.locks().stream())
          .forEach(entry -> violations.add("left: " + entry));
      all.forEach(UserAgent::close);
    }
    return violations;
  }

  @Test
  void no_turn_of_a_script_begins_with_a_lost_lock() {
    for (long seed = 1; seed <= TestSize.of(30, 1_000); seed++) {
      assertEquals(List.of(), violationsOfScripts(seed, Defect.NONE), "seed " + seed);
    }
  }

  @Test
  void a_turn_without_a_look_at_the_lease_is_noticed() {
    assertTrue(
        LongStream.rangeClosed(1, 200)
            .anyMatch(seed ->
                violationsOfScripts(seed, Defect.NO_LOOK).stream()
                    .anyMatch(each -> each.startsWith("a turn begins"))));
  }
}
