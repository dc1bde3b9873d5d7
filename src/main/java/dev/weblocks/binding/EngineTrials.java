package dev.weblocks.binding;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the first realm of a platform tries with the engine, for all that follow. Who comes
 * meanwhile waits: no page may run before. Thread-safe.
 */
final class EngineTrials {

  private boolean done;
  private @Nullable Boolean takesByteBuffers;

  /** Runs steps, unless they have been run without an exception. */
  synchronized void once(Runnable steps) {
    if (!done) {
      steps.run();
      done = true;
    }
  }

  /** Whether contexts of ours take byte buffers of the host: all have the same host access. */
  synchronized boolean takesByteBuffers(BooleanSupplier trial) {
    Boolean known = takesByteBuffers;
    if (known == null) {
      known = trial.getAsBoolean();
      takesByteBuffers = known;
    }
    return known;
  }
}
