package dev.weblocks.cluster.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.testing.TestSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("interpreting") // runs no script
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
        if (seed % 2 == 0) {
          cluster.inOneProcess();
        }
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
      CompletableFuture<LockManagerSnapshot> query = client.query();
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
  void traces_name_the_log_entry_of_each_effect() {
    List<TraceEvent> trace = new ArrayList<>();
    List<String> violations = new ArrayList<>();
    try (DeterministicDriver driver = DeterministicDriver.newBuilder().build()) {
      SimulatedCluster cluster = new SimulatedCluster(3, Faults.NONE, violations::add);
      try (UserAgent userAgent =
          UserAgent.newBuilder()
              .driver(driver)
              .lockBackend(cluster)
              .environment(ENVIRONMENT)
              .traceListener(trace::add)
              .resourceLoader(
                  ResourceLoader.inMemory()
                      .put(
                          ORIGIN + "/",
                          "<script>navigator.locks.request('a', () => {})"
                              + ".then(() => navigator.locks.query())</script>")
                      .build())
              .build()) {
        userAgent.open(ORIGIN + "/");
        driver.runUntilIdle(10_000);
      }
    }
    List<TraceEvent> effects =
        trace.stream().filter(each -> each.kind() == TraceKind.LOCK_EFFECT).toList();
    assertEquals(
        List.of(LockAction.GRANTED, LockAction.SETTLED, LockAction.ANSWERED),
        effects.stream().map(each -> lock(each).action()).toList());
    List<Long> indexes = effects.stream().map(each -> lock(each).logIndex()).toList();
    assertEquals(indexes.stream().sorted().distinct().toList(), indexes);
    TraceEvent granted = effects.getFirst();
    assertEquals("a", lock(granted).name());
    assertEquals("window-1", lock(granted).agent());
    assertTrue(
        trace.stream()
            .anyMatch(each -> each.kind() == TraceKind.TASK && each.cause() == granted.id()));
    assertEquals(List.of(), violations);
  }

  private static TraceEvent.Lock lock(TraceEvent event) {
    return Objects.requireNonNull(event.lock());
  }

  /**
   * Returns what happens in a window that has a lock and in one that waits for it, when their
   * session is lost.
   */
  private static List<String> lossIn(SimulatedCluster cluster, long seed) {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = DeterministicDriver.newBuilder().seed(seed).build();
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .lockBackend(cluster)
                .environment(ENVIRONMENT)
                .consoleListener(message -> log.add(message.text()))
                .lockListener(
                    new LockListener() {
                      @Override
                      public void agentEnded(String agent, Duration lived) {
                        log.add(agent + " ends");
                      }
                    })
                .resourceLoader(
                    ResourceLoader.inMemory()
                        .put(
                            ORIGIN + "/holder.html",
                            "<script>navigator.locks.request('a', () => new Promise(() => {"
                                + "console.log('holds') })).catch(e => console.log(e.name))"
                                + "</script>")
                        .put(
                            ORIGIN + "/waiter.html",
                            "<script>navigator.locks.request('a', () => console.log('granted'))"
                                + "</script>")
                        .build())
                .build()) {
      Window holder = userAgent.open(ORIGIN + "/holder.html");
      driver.runUntilIdle(10_000);
      Window waiter = userAgent.open(ORIGIN + "/waiter.html");
      driver.runUntilIdle(10_000);
      cluster.pause();
      holder.evaluate("console.log('next turn of the holder')");
      driver.runUntilIdle(100_000);
      waiter.evaluate("console.log('next turn of the waiter')");
      driver.runUntilIdle(10_000);
      return List.copyOf(log);
    }
  }

  @Test
  void lost_session_aborts_the_lock_by_default() {
    List<String> violations = new ArrayList<>();
    assertEquals(
        List.of(
            "holds", "AbortError", "next turn of the holder", "granted", "next turn of the waiter"),
        lossIn(new SimulatedCluster(3, Faults.NONE, violations::add), 0));
    assertEquals(List.of(), violations);
  }

  @Test
  void lost_session_can_end_the_holder_before_its_next_turn() {
    List<String> violations = new ArrayList<>();
    for (long seed = 1; seed <= 20; seed++) {
      assertEquals(
          List.of("holds", "window-1 ends", "granted", "next turn of the waiter"),
          lossIn(new SimulatedCluster(3, Faults.NONE, violations::add).endingHolders(), seed),
          "seed " + seed);
    }
    assertEquals(List.of(), violations);
  }

  @Test
  void commands_that_are_applied_twice_are_noticed() {
    assertTrue(isNoticed(Defect.NO_DEDUPLICATION));
  }

  @Test
  void a_session_that_expires_early_is_noticed() {
    assertTrue(isNoticed(Defect.EARLY_EXPIRY));
  }

  /**
   * Lets a lock be held for two leases, while a member that is cut off believes to lead. Returns
   * whether another one gets the lock.
   */
  private static boolean getsAHeldLock(Defect defect, List<String> violations) {
    try (DeterministicDriver driver = DeterministicDriver.newBuilder().build()) {
      SimulatedCluster cluster = new SimulatedCluster(3, Faults.NONE, defect, violations::add);
      try (UserAgent one = UserAgent.newBuilder().driver(driver).lockBackend(cluster).build();
          UserAgent two = UserAgent.newBuilder().driver(driver).lockBackend(cluster).build();
          LockClient here = one.openLockClient(ORIGIN);
          LockClient there = two.openLockClient(ORIGIN)) {
        CompletableFuture<HeldLock> held = here.request("a");
        driver.runUntilIdle(10_000);
        cluster.cutOffLeader();
        CompletableFuture<HeldLock> next = there.request("a");
        for (int i = 0; i < 20 && violations.isEmpty(); i++) {
          driver.runUntilIdle(10_000);
          cluster.passTenth();
        }
        assertTrue(held.join().isHeld());
        return next.isDone();
      }
    }
  }

  @Test
  void a_member_that_no_longer_leads_renews_no_session() {
    List<String> violations = new ArrayList<>();
    assertFalse(getsAHeldLock(Defect.NONE, violations));
    assertEquals(List.of(), violations);
  }

  @Test
  void a_member_that_no_longer_leads_and_renews_sessions_is_noticed() {
    List<String> violations = new ArrayList<>();
    assertTrue(getsAHeldLock(Defect.STALE_RENEWAL, violations));
    assertTrue(violations.getFirst().startsWith("two user agents hold"), violations::getFirst);
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
