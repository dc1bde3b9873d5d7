package dev.weblocks.harness.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Environment;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("alone")
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillRunTest {

  private static final Environment ENVIRONMENT = Environment.create();

  @AfterAll
  static void closeEnvironment() {
    ENVIRONMENT.close();
  }

  private static KillReport run(KillSettings settings) {
    return KillRun.run(settings, ENVIRONMENT, sample -> {});
  }

  private static void assertKilled(int agents, KillReport report) {
    assertEquals(List.of(), report.complaints());
    assertTrue(report.killed() >= agents, report::toString);
    assertTrue(report.survivors() > 0, report::toString);
    assertTrue(report.passedOn() > 0, report::toString);
    assertTrue(report.duringSteps() > 0, report::toString);
    for (Witness.Activity activity :
        List.of(Witness.Activity.NOT_BEGUN, Witness.Activity.OUTSIDE, Witness.Activity.HOLDING)) {
      assertTrue(report.lastSeen().getOrDefault(activity.label, 0) > 0, report::toString);
    }
    KillReport.Sample first = report.samples().getFirst();
    KillReport.Sample last = report.samples().getLast();
    assertTrue(report.realms().isClean(), report::toString);
    assertTrue(last.threads() <= first.threads(), report::toString);
  }

  @Test
  void agents_killed_at_random_leave_no_lock_thread_or_context() {
    int agents = TestSize.of(100, 300);
    KillReport report = run(new KillSettings(agents, 50, 32, 20250924, 4));
    assertKilled(agents, report);
    assertTrue(
        report.lastSeen().getOrDefault(Witness.Activity.DOOMED.label, 0) > 0, report::toString);
  }

  @Test
  void agents_killed_at_seeded_steps_leave_no_lock_or_context() {
    int agents = TestSize.of(40, 300);
    assertKilled(agents, run(new KillSettings(agents, 50, TestSize.of(16, 32), 1, 0)));
  }

  @Test
  void no_agent_starves_when_many_agents_share_few_lock_names() {
    // with few agents, only a seed guarantees that one ends within a step of an algorithm
    int agents = TestSize.of(25, 100), alive = TestSize.of(12, 24);
    assertKilled(agents, run(new KillSettings(agents, 3, alive, 7, 0)));
  }

  @Tag("full")
  @Test
  void no_agent_starves_when_many_agents_share_few_names_and_threads() {
    assertKilled(100, run(new KillSettings(100, 3, 24, 7, 4)));
  }
}
