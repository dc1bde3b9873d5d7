package dev.weblocks.binding;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The checks of the engine that the first realm of a platform runs for all later ones. Other
 * threads wait meanwhile, since no page may run before. Thread-safe.
 */
final class EngineFeatures {

  private boolean done;
  private @Nullable Boolean takesByteBuffers;

  /** Runs steps, unless they have been run without an exception. */
  synchronized void once(Runnable steps) {
    if (!done) {
      steps.run();
      done = true;
    }
  }

  /**
   * Returns whether our own contexts take byte buffers of the host. The first answer holds for all
   * of them, since all have the same host access.
   */
  synchronized boolean takesByteBuffers(BooleanSupplier trial) {
    Boolean known = takesByteBuffers;
    if (known == null) {
      known = trial.getAsBoolean();
      takesByteBuffers = known;
    }
    return known;
  }
}
