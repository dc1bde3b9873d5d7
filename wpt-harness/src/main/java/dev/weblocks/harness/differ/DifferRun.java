package dev.weblocks.harness.differ;

import dev.weblocks.harness.differ.Comparison.Patience;
import dev.weblocks.harness.differ.model.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A run of generated programs in one engine. Belongs to one thread. */
public final class DifferRun implements AutoCloseable {

  /** How many programs an engine gets at once, as a multiple of those that it runs at once. */
  private static final int BATCH = 10;

  /** How many programs are run for shrinking a difference. */
  private static final int SHRINK_RUNS = 400;

  /** A listener, called on the thread of the run. */
  public interface Listener {
    /** Called after each program. */
    void compared(Comparison comparison);

    /**
     * Called for each difference.
     *
     * @param shrunk the smallest program that still differs
     */
    void differs(Comparison found, Comparison shrunk);
  }

  private final Engines engines;
  private final String name;
  private final EngineSettings settings;
  private final BooleanSupplier stopped;
  private final List<KnownDifference> known;
  private final Engine engine;
  private @Nullable Engine patient;

  /**
   * Starts the engine.
   *
   * @param engine a name of the registry
   * @param stopped whether to run no more programs
   * @throws IOException if the engine does not start; the message is for the user
   */
  public DifferRun(Engines engines, String engine, EngineSettings settings, BooleanSupplier stopped)
      throws IOException {
    this.engines = engines;
    this.name = engine;
    this.settings = settings;
    this.stopped = stopped;
    this.known = KnownDifference.of(engine);
    this.engine = engines.make(engine, settings);
  }

  /**
   * Runs the programs of seeds at equal distances, until the run is stopped.
   *
   * @param distance difference of two neighbouring seeds
   */
  public void run(long firstSeed, int distance, int programs, Listener listener)
      throws IOException {
    int batch = BATCH * settings.jobs();
    for (int from = 0; from < programs && !stopped.getAsBoolean(); from += batch) {
      List<Program> some = new ArrayList<>();
      for (int i = from; i < Math.min(programs, from + batch); i++) {
        some.add(ProgramGenerator.generate(firstSeed + (long) i * distance));
      }
      List<Comparison> comparisons = sure(compare(some, engine, Patience.SHORT));
      if (stopped.getAsBoolean()) {
        return;
      }
      for (Comparison comparison : comparisons) {
        listener.compared(comparison);
        if (comparison.verdict().isDifference()) {
          listener.differs(comparison, shrink(comparison));
        }
      }
    }
  }

  /** Runs one program; returns null if the run is stopped. */
  public @Nullable Comparison run(Program program) throws IOException {
    List<Comparison> comparisons = sure(compare(List.of(program), engine, Patience.SHORT));
    return comparisons.isEmpty() ? null : comparisons.getFirst();
  }

  private List<Comparison> compare(List<Program> programs, Engine by, Patience patience) {
    List<Observation> observations = by.run(programs.stream().map(ProgramScript::files).toList());
    return IntStream.range(0, programs.size())
        .parallel()
        .filter(i -> !stopped.getAsBoolean())
        .mapToObj(i -> Comparison.of(programs.get(i), observations.get(i), known, patience))
        .toList();
  }

  /** Repeats programs with more patience if a slow machine may have cut their lines off. */
  private List<Comparison> sure(List<Comparison> comparisons) throws IOException {
    List<Program> programs =
        comparisons.stream()
            .filter(each -> each.verdict().mayChange())
            .map(Comparison::program)
            .toList();
    if (programs.isEmpty() || stopped.getAsBoolean()) {
      return comparisons;
    }
    Engine longer = patient;
    if (longer == null) {
      longer = engines.make(name, settings.patient());
      patient = longer;
    }
    Map<Long, Comparison> again = new HashMap<>();
    for (Comparison each : compare(programs, longer, Patience.LONG)) {
      again.put(each.program().seed(), each);
    }
    return comparisons.stream()
        .map(each -> again.getOrDefault(each.program().seed(), each))
        .toList();
  }

  /** Returns the comparison of a smaller program with the same kind of difference. */
  private Comparison shrink(Comparison found) {
    boolean slow = found.verdict().isOfTime();
    Engine by = slow && patient != null ? patient : engine;
    List<Comparison> smallest = new ArrayList<>(List.of(found));
    Program unused =
        Shrinker.shrink(
            found.program(),
            program -> {
              List<Comparison> compared = compare(List.of(program), by, Patience.LONG);
              if (compared.isEmpty() || compared.getFirst().verdict() != found.verdict()) {
                return false;
              }
              smallest.set(0, compared.getFirst());
              return true;
            },
            slow ? SHRINK_RUNS / 20 : SHRINK_RUNS);
    return smallest.getFirst();
  }

  @Override
  public void close() {
    engine.close();
    if (patient != null) {
      patient.close();
    }
  }
}
