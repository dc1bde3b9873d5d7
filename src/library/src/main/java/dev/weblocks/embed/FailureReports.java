package dev.weblocks.embed;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.BrokenClass;
import dev.weblocks.agent.FailureListener;
import dev.weblocks.agent.JavaStack;
import dev.weblocks.agent.LimitExceeded;
import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.binding.DroppedJobs;
import dev.weblocks.binding.EscapedExceptions;
import dev.weblocks.model.ErrorListener;
import dev.weblocks.model.UncaughtError;
import org.jspecify.annotations.Nullable;

/** The reports of defects, exceeded limits and interruptions to the listener of the embedder. */
record FailureReports(ErrorListener errors) implements FailureListener {

  @Override
  public void onFailure(@Nullable Agent agent, String where, Throwable failure) {
    if (agent == null) {
      errors.uncaught(defect("", where + ", so the user agent ends", failure));
      return;
    }
    DroppedJobs.repairAfter(agent, failure);
    if (EscapedExceptions.report(agent, failure)) {
      DroppedJobs.repair(agent);
      return;
    }
    errors.uncaught(
        failure instanceof LimitExceeded limit
            ? limitExceeded(agent, limit)
            : EscapedExceptions.isInterruption(failure)
                ? interrupted(agent, where)
                : defect(agent.name(), where, failure));
  }

  private static UncaughtError limitExceeded(Agent agent, LimitExceeded limit) {
    return new UncaughtError(
        UncaughtError.Kind.LIMIT,
        String.valueOf(limit.getMessage()),
        "",
        0,
        0,
        null,
        agent.name(),
        /* outOfMemory= */ false);
  }

  static UncaughtError defect(String agent, String where, Throwable failure) {
    String broken = BrokenClass.causeOf(failure);
    return new UncaughtError(
        UncaughtError.Kind.DEFECT,
        "defect in '"
            + where
            + "': "
            + failure
            + (broken == null
                ? ""
                : "; class " + broken + " stays broken in this JVM: restart the process"),
        "",
        0,
        0,
        JavaStack.of(failure),
        agent,
        OutOfMemory.isCauseOf(failure));
  }

  /**
   * Returns the error for a script that the embedder interrupted. Not used if the interruption
   * rejects a promise instead, such as that of a lock request.
   */
  private static UncaughtError interrupted(Agent agent, String where) {
    String message = "Uncaught: script in '" + where + "' was interrupted by the embedder";
    return new UncaughtError(
        UncaughtError.Kind.SCRIPT, message, "", 0, 0, null, agent.name(), /* outOfMemory= */ false);
  }
}
