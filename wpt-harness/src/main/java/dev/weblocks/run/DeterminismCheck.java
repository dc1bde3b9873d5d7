package dev.weblocks.run;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.LockEntry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the same programs under the same seed again and again, on one thread, and compares all that
 * can be seen of the runs.
 */
public final class DeterminismCheck {

  /**
   * One of the runs, which has not begun.
   *
   * @param driver a deterministic one of its own
   */
  public record Attempt(ScriptRun run, Driver driver) {}

  /**
   * What became of it.
   *
   * @param runs how many there were, the one that differs included
   * @param lines how many the transcript of the first run has
   * @param digest the SHA-256 of that transcript, in hexadecimal digits
   * @param difference where the last run differs from the first; null if none does
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
   * @param runs how many, at least 1; one that differs is the last
   * @param limit takes no step that is later, in virtual time; null for none
   * @param maker makes a run that writes to a transcript, and tells it of its steps; what all runs
   *     share stays open
   * @param progress hears how many runs are over, and the same as the first, on another thread
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
    Driver driver = attempt.driver();
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
      ScriptRun run, Driver driver, @Nullable Duration limit, Transcript transcript) {
    try {
      run.start();
      while (!stopped
          && !transcript.isOutOfMemory()
          && (limit == null ? driver.runOne() : driver.runOne(limit))) {
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
   * Completes when all runs are over, one differs, or {@link #stop} was called; exceptionally with
   * an {@link OutOfMemoryError} where there is too little memory for a run.
   */
  public CompletableFuture<Outcome> outcome() {
    return outcome;
  }

  /** How many steps there have been, of all runs. Any thread. */
  public long count() {
    return steps.get();
  }

  /** Ends the run under way, wherever its script is, and does not count it. Any thread. */
  public void stop() {
    stopped = true;
    ScriptRun now = running;
    if (now != null) {
      now.cancelScripts();
    }
  }
}
