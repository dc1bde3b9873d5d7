package dev.weblocks.harness.explore;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.explore.schedule.Coverage;
import dev.weblocks.explore.schedule.DrivenPlay;
import dev.weblocks.explore.schedule.Finding;
import dev.weblocks.explore.schedule.Scenario;
import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.ReportScript;
import dev.weblocks.harness.wpt.ResultCollector;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.Timers;
import dev.weblocks.harness.wpt.WptFiles;
import dev.weblocks.harness.wpt.WptHosts;
import dev.weblocks.harness.wpt.WptServer;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.model.LockEvent;
import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.UncaughtError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scenario that runs a web-platform-test. Each unexpected result is a finding. All steps of the
 * test are explored. The server answers without its usual delays. Locks that are still held or
 * requested at the end are not findings.
 */
public final class WptScenario implements Scenario {

  private final WptTest test;
  private final WptHosts hosts;
  private final WptFiles files;
  private final Environment environment;
  private final Consumer<UserAgent.Builder> configuration;
  private final Function<TestResult, List<String>> judge;

  /**
   * Creates a scenario.
   *
   * @param test a test with {@code testharness.js}
   * @param files the files of the tests; not closed
   * @param environment the environment of all runs; not closed
   * @param configuration further configuration of the user agents
   * @param judge returns the deviations from the expected results, one line each
   */
  public WptScenario(
      WptTest test,
      WptHosts hosts,
      WptFiles files,
      Environment environment,
      Consumer<UserAgent.Builder> configuration,
      Function<TestResult, List<String>> judge) {
    this.test = test;
    this.hosts = hosts;
    this.files = files;
    this.environment = environment;
    this.configuration = configuration;
    this.judge = judge;
  }

  @Override
  public Play begin(Schedule schedule, @Nullable TraceListener trace) {
    WptPlay play = new WptPlay(schedule);
    play.start(trace);
    return play;
  }

  private final class WptPlay extends DrivenPlay {
    private final ResultCollector collector;
    private @Nullable UserAgent userAgent;
    private long uuids;
    private boolean complete;
    private boolean judged;

    WptPlay(Schedule schedule) {
      super(Driver.deterministic(schedule));
      this.collector = new ResultCollector(test.url(), () -> complete = true);
    }

    void start(@Nullable TraceListener trace) {
      WptServer server =
          new WptServer(
              hosts,
              files,
              ReportScript.withTimeoutFactor(1),
              collector,
              () -> new UUID(0, ++uuids),
              WptPlay::atOnce,
              null);
      UserAgent.Builder builder =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(environment)
              .random(new SplittableRandom(ScriptScenario.ID_SEED))
              .resourceLoader(server)
              .lockPositions(true)
              .consoleListener(message -> happened("prints " + message.text()))
              .errorListener(this::uncaught);
      configuration.accept(builder);
      builder.lockListener(new CheckedLockLines(LockEvent::agent, this::happened, this::broken));
      if (trace != null) {
        builder.traceListener(trace);
      }
      UserAgent made = builder.build();
      userAgent = made;
      Window window = made.open(test.url());
      window
          .loaded()
          .whenComplete((done, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause != null && !(cause instanceof CancellationException)) {
              found(
                  new Finding(
                      Finding.Kind.ASSERTION, "not loaded", "the page did not load: " + cause));
            }
          });
    }

    private static Timers.Timer atOnce(Duration delay, Runnable action) {
      action.run();
      return () -> {};
    }

    private UserAgent userAgent() {
      return Objects.requireNonNull(userAgent);
    }

    private void uncaught(UncaughtError error) {
      happened(firstLine(error.message()));
      if (error.outOfMemory()) {
        outOfMemory();
      }
      if (error.kind() == UncaughtError.Kind.DEFECT) {
        found(new Finding(Finding.Kind.DEFECT, error.message(), error.message()));
      }
    }

    @Override
    public @Nullable Finding finding() {
      if (complete) {
        judge();
      }
      return super.finding();
    }

    private void judge() {
      List<String> unexpected = judged ? List.of() : judge.apply(result());
      judged = true;
      if (!unexpected.isEmpty()) {
        found(
            new Finding(
                Finding.Kind.ASSERTION,
                String.join("\n", unexpected).replaceAll("\\d+", "0"),
                String.join("\n", unexpected)));
      }
    }

    private TestResult result() {
      ResultCollector.Snapshot seen = collector.snapshot();
      ResultCollector.Completion completion = seen.completion().orElse(null);
      if (completion != null) {
        return new TestResult(
            test, completion.status(), completion.message(), completion.subtests(), Duration.ZERO);
      }
      List<SubtestResult> subtests = new ArrayList<>(seen.finished());
      seen.unfinished()
          .forEach((name, begun) ->
              subtests.add(
                  new SubtestResult(
                      name, begun ? SubtestStatus.TIMEOUT : SubtestStatus.NOTRUN, null)));
      return new TestResult(
          test,
          HarnessStatus.TIMEOUT,
          "all agents are idle, but the test is not complete",
          subtests,
          Duration.ZERO);
    }

    @Override
    public @Nullable Finding findingAtRest() {
      if (super.finding() == null) {
        judge();
      }
      return super.finding();
    }

    @Override
    public boolean isOver() {
      return complete;
    }

    @Override
    public long state() {
      return Coverage.hash(userAgent().locks());
    }

    @Override
    public void close() {
      UserAgent ending = userAgent;
      if (ending != null) {
        ending.close();
      }
      driver.close();
    }
  }
}
