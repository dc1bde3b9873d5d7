package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Value;

/**
 * The repair of a context of the embedder after an interruption, or an exception that left a
 * promise job. The engine drops promise jobs then, with some versions all that are left: the
 * reactions of Java are added to their promises again, so that locks are released and futures
 * complete.
 */
public final class DroppedJobs {

  private final AtomicBoolean queued = new AtomicBoolean();
  private final RealmBinding binding;

  private DroppedJobs(RealmBinding binding) {
    this.binding = binding;
  }

  /** Prepares the repair of an agent with one realm. */
  public static void prepare(RealmBinding binding) {
    Value unused =
        call(
            binding,
            "setInterruptionTest",
            binding
                .values()
                .function(
                    "interruption test", values -> HostFunction.interruption(values[0]) != null));
    binding.realm().agent().supplements().put(DroppedJobs.class, new DroppedJobs(binding));
  }

  private static Value call(RealmBinding binding, String name, Object... arguments) {
    return binding.realm().agent().call(binding.callbacks().function(name), arguments);
  }

  /** Repairs the context of an agent in a task, if a failure is an interruption by the embedder. */
  public static void repairAfter(Agent agent, Throwable failure) {
    if (EscapedExceptions.isInterruption(failure)) {
      repair(agent);
    }
  }

  /** Repairs the context of an agent in a task; a no-op if the agent owns the context. */
  public static void repair(Agent agent) {
    DroppedJobs jobs = agent.supplements().find(DroppedJobs.class);
    if (jobs != null) {
      jobs.repairSoon();
    }
  }

  /** Repairs the context in a task that comes before all others. */
  private void repairSoon() {
    if (queued.compareAndSet(false, true)) {
      binding
          .realm()
          .queueFirstTask(
              "promise jobs were dropped",
              () -> {
                queued.set(false);
                Value unused = call(binding, "reactAgain");
              });
    }
  }
}
