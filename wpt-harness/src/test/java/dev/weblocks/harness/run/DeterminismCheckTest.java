package dev.weblocks.harness.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.embed.DeadlockReport;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.harness.SharedEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DeterminismCheckTest {

  private static final Path DIRECTORY = Path.of("").toAbsolutePath();

  private static final Program WAITING =
      new Program(
          "[eval]",
          DIRECTORY,
          "code",
          "navigator.locks.request('l', () => new Promise(r => setTimeout(r, 10_000)));"
              + "navigator.locks.request('l', () => {})",
          false,
          Imports.OWN_DIRECTORY);

  /** Checks three runs in which a request waits for more than a second. */
  private static DeterminismCheck check(Consumer<DeadlockReport> afterASecond) {
    return DeterminismCheck.start(
        3, null, transcript -> attempt(transcript, afterASecond), done -> {});
  }

  private static DeterminismCheck.Attempt attempt(
      Transcript transcript, Consumer<DeadlockReport> afterASecond) {
    Site site =
        new Site(
            "https://localhost",
            List.of(DIRECTORY),
            DIRECTORY,
            Set.of(),
            request -> CompletableFuture.failedFuture(new IOException("no network")),
            Runnable::run,
            note -> {});
    DeterministicDriver driver = Driver.deterministic(1);
    ScriptRun run =
        new ScriptRun(
            site,
            List.of(WAITING),
            new ScriptRun.Scheduling(
                driver,
                new SplittableRandom(1),
                SharedEnvironment.ENVIRONMENT,
                null,
                builder -> builder.lockWatchdog(Duration.ofSeconds(1), afterASecond)),
            transcript);
    return new DeterminismCheck.Attempt(run, driver);
  }

  @Test
  void successful_runs_are_the_same() {
    DeterminismCheck.Outcome outcome = check(report -> {}).outcome().join();
    assertEquals(3, outcome.runs());
    assertNull(outcome.difference());
  }

  @Test
  void out_of_memory_ends_the_check_and_is_no_difference() {
    DeterminismCheck check =
        check(report -> {
          throw new OutOfMemoryError("Java heap space");
        });
    CompletionException failure =
        assertThrows(CompletionException.class, () -> check.outcome().join());
    assertInstanceOf(OutOfMemoryError.class, failure.getCause());
  }
}
