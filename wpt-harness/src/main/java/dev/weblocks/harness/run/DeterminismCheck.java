package dev.weblocks.harness.run;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A check that runs the same programs with the same seed several times, on one thread, and compares
 * everything observable.
 */
public final class DeterminismCheck {

  /**
   * A run that has not begun.
   *
   * @param driver deterministic driver of this run
   */
  public record Attempt(ScriptRun run, DeterministicDriver driver) {}

  /**
   * The result of a check.
   *
   * @param runs number of runs, including the one that differs
   * @param lines number of lines in the transcript of the first run
   * @param digest the SHA-256 of that transcript, in hexadecimal digits
   * @param difference first difference between the last run and the first; null for none
   */
  public record Outcome(
      int runs, int lines, String digest, Transcript.@Nullable Difference difference) {}

  private final AtomicLong steps = new AtomicLong();
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private volatile boolean stopped;
  private volatile @Nullable ScriptRun running;

  private DeterminismCheck() {}

  /**
   * Begins a check.
   *
   * @param runs maximum number of runs, at least 1; the check ends after a run that differs
   * @param limit virtual time after which no step is taken; null for none
   * @param maker makes a run that writes its output and steps to a transcript; the runs must not
   *     share their driver or site, which are closed after each run
   * @param progress receives, on another thread, the number of runs so far, all equal to the first
   */
  public static DeterminismCheck start(
      int runs,
      @Nullable Duration limit,
      Function<Transcript, Attempt> maker,
      IntConsumer progress) {
    DeterminismCheck check = new DeterminismCheck();
    Thread.ofPlatform()
        .daemon()
        .name("weblocks-steps")
        .stackSize(SteppedRun.STACK_BYTES)
        .start(() -> check.run(runs, limit, maker, progress));
    return check;
  }

  private void run(
      int runs,
      @Nullable Duration limit,
      Function<Transcript, Attempt> maker,
      IntConsumer progress) {
    try {
      Transcript first = new Transcript();
      run(first, limit, maker);
      int done = stopped ? 0 : 1;
      Transcript.Difference difference = null;
      while (!stopped && done < runs && difference == null) {
        progress.accept(done);
        Transcript next = new Transcript(first);
        run(next, limit, maker);
        if (!stopped) {
          difference = next.difference();
          done++;
        }
      }
      outcome.complete(new Outcome(done, first.count(), first.digest(), difference));
    } catch (RuntimeException | Error failure) {
      outcome.completeExceptionally(failure);
    }
  }

  private void run(
      Transcript transcript, @Nullable Duration limit, Function<Transcript, Attempt> maker) {
    Attempt attempt = maker.apply(transcript);
    ScriptRun run = attempt.run();
    DeterministicDriver driver = attempt.driver();
    running = run;
    try {
      takeSteps(run, driver, limit, transcript);
      transcript.add("time: " + driver.elapsed() + (run.hasFailed() ? ", with errors" : ""));
      for (LockEntry entry : run.locks()) {
        transcript.add("left: " + entry);
      }
    } finally {
      running = null;
      run.closeAgents();
    }
    transcript.end();
  }

  private void takeSteps(
      ScriptRun run, DeterministicDriver driver, @Nullable Duration limit, Transcript transcript) {
    try {
      run.start();
      while (!stopped
          && !transcript.isOutOfMemory()
          && (limit == null ? driver.runOne() : driver.runOneUntil(limit))) {
        steps.incrementAndGet();
      }
      if (transcript.isOutOfMemory()) {
        throw new OutOfMemoryError("in a run that is compared with others");
      }
    } catch (IllegalStateException broken) {
      transcript.add("broke: " + broken.getMessage());
    }
  }

  /**
   * Returns a future that completes when all runs are over, a run differs, or {@link #stop} was
   * called. It completes exceptionally if a run fails, such as with an {@link OutOfMemoryError}.
   */
  public CompletableFuture<Outcome> outcome() {
    return outcome;
  }

  /** Returns the number of steps of all runs. Thread-safe. */
  public long count() {
    return steps.get();
  }

  /** Ends the check. Stops the current run, even in a script, and ignores it. Thread-safe. */
  public void stop() {
    stopped = true;
    ScriptRun now = running;
    if (now != null) {
      now.cancelScripts();
    }
  }
}
