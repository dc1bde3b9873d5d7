package dev.weblocks.lincheck;

import dev.weblocks.testing.TestSize;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.util.LoggingLevel;

/**
 * Checks of a public class with Lincheck: random scenarios of its operations, each repeated in many
 * interleavings. The results of the operations must be those of some sequential order, and the
 * validation method must pass at the end. Scenarios and chosen interleavings are the same in each
 * run.
 *
 * <p>Lincheck rewrites classes of its JVM, so test classes that call this have the tag {@code
 * interleaved}.
 */
public final class Interleavings {

  private Interleavings() {}

  /**
   * Checks a class with chosen switches between two threads, in full size also between three. Then
   * checks it with three threads that switch as the machine pleases.
   *
   * @param type a public class with a public constructor without parameters
   * @param specification a sequential class with the same operations
   */
  public static void check(Class<?> type, Class<?> specification) {
    check(type, specification, 1);
  }

  /** Checks a class whose operations return nothing, so that only its validation can fail. */
  public static void check(Class<?> type) {
    check(type, type, 0); // after the threads, another wake would make up for a lost one
  }

  private static void check(Class<?> type, Class<?> specification, int operationsAfter) {
    choose(type, specification, operationsAfter, 2, TestSize.of(2, 10));
    choose(type, specification, operationsAfter, 3, TestSize.of(0, 10));
    sized(new PatientStress(), specification, operationsAfter)
        .threads(3)
        .iterations(TestSize.of(1, 20))
        .invocationsPerIteration(TestSize.of(50, 300))
        .check(type);
  }

  private static void choose(
      Class<?> type, Class<?> specification, int operationsAfter, int threads, int scenarios) {
    ModelCheckingOptions options =
        sized(new ModelCheckingOptions(), specification, operationsAfter)
            .addGuarantee(
                ManagedStrategyGuaranteeKt.forClasses("dev.weblocks.lockmanager.LockManagers")
                    .allMethods()
                    .treatAsAtomic()) // its callers hold its monitor
            .threads(threads)
            .iterations(scenarios)
            .invocationsPerIteration(TestSize.of(40, 100));
    try {
      options.check(type);
    } catch (LincheckAssertionError failure) {
      if (!String.valueOf(failure.getMessage()).contains("The execution has hung")) {
        throw failure;
      }
      options.check(type); // a busy machine looks like a deadlock; a real one occurs again
    }
  }

  /** A stress run that waits longer than Lincheck does until it reports a deadlock. */
  private static final class PatientStress extends StressOptions {
    PatientStress() {
      setTimeoutMs(TimeUnit.MINUTES.toMillis(5));
    }
  }

  private static <T extends Options<T, ?>> T sized(
      T options, Class<?> specification, int operationsAfter) {
    return options
        .logLevel(LoggingLevel.ERROR)
        .minimizeFailedScenario(false) // it is small, and that takes longer than the check
        .sequentialSpecification(specification)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(operationsAfter);
  }
}
