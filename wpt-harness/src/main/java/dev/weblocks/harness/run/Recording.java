package dev.weblocks.harness.run;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The output and the steps of a run with the deterministic driver, from start to end.
 *
 * @param output lines that the agents write to standard output and standard error, and notes of the
 *     site about refused and missing resources
 * @param trace steps of the run, one per line; clients are numbered in the order of appearance
 * @param locks lines about the locks at the end, from the caller's function; empty if cut off
 * @param cutOff whether the run was ended because it took too many steps
 */
public record Recording(
    List<String> output, List<String> trace, List<String> locks, boolean cutOff) {

  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /** Copies the lists. */
  public Recording {
    output = List.copyOf(output);
    trace = List.copyOf(trace);
    locks = List.copyOf(locks);
  }

  /**
   * The programs to run, and their settings.
   *
   * @param site creates the site that serves resources; its argument receives the site's notes
   * @param programs each becomes an agent
   * @param environment closed with the run
   * @param seed the seed of the order of steps, and of identifiers
   * @param variants deviations of locks from the Working Draft
   * @param maxSteps maximum number of steps in the trace, at least 1
   */
  public record Plan(
      Function<Consumer<String>, Site> site,
      List<Program> programs,
      Environment environment,
      long seed,
      Set<Variant> variants,
      int maxSteps) {}

  /**
   * Runs a plan until nothing is left to do, or the maximum number of steps is reached.
   *
   * @param locks returns lines about the locks of a run that is over
   * @throws CompletionException if the run failed with a defect
   */
  public static Recording of(Plan plan, Function<ScriptRun, List<String>> locks) {
    Recorder recorder = new Recorder(plan.maxSteps());
    DeterministicDriver driver = Driver.deterministic(plan.seed());
    ScriptRun run =
        new ScriptRun(
            plan.site().apply(recorder::err),
            plan.programs(),
            new ScriptRun.Scheduling(
                driver,
                new SplittableRandom(plan.seed()),
                plan.environment(),
                null,
                builder -> builder.variants(plan.variants()).traceListener(recorder)),
            recorder);
    try (SteppedRun stepped = SteppedRun.start(run, driver, null, () -> false)) {
      CompletableFuture.anyOf(stepped.rest(), recorder.full).join();
      boolean cutOff = recorder.full.isDone();
      return recorder.end(cutOff ? List.of() : locks.apply(run), cutOff);
    }
  }

  /** A recorder of output and steps, up to a maximum number of steps. Thread-safe. */
  private static final class Recorder implements TraceListener, ScriptRun.Output {
    private final int maxSteps;
    private final List<String> output = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final Map<String, String> clients = new HashMap<>();
    private final CompletableFuture<Void> full = new CompletableFuture<>();

    Recorder(int maxSteps) {
      this.maxSteps = maxSteps;
    }

    @Override
    public synchronized void on(TraceEvent event) {
      if (trace.size() == maxSteps) {
        full.complete(null);
        return;
      }
      trace.add(
          event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')
              + "  "
              + event.actor()
              + "  "
              + withNumbers(event.detail()));
    }

    private String withNumbers(String detail) {
      return UUID.matcher(detail)
          .replaceAll(
              id -> clients.computeIfAbsent(id.group(), any -> "client " + (clients.size() + 1)));
    }

    @Override
    public synchronized void out(String text) {
      if (!full.isDone()) {
        output.addAll(text.lines().toList());
      }
    }

    @Override
    public void err(String text) {
      out(text);
    }

    synchronized Recording end(List<String> locks, boolean cutOff) {
      return new Recording(output, trace, locks, cutOff);
    }
  }
}
