package dev.weblocks.harness.cli;

import dev.weblocks.embed.DeadlockReport;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The printer for {@code --watchdog}. Adds the lock requests that have waited too long to the
 * output of the agents.
 */
final class LateRequests {

  private final @Nullable Duration limit;
  private final String clock;

  /** The run; set only after the user agent is built, because its builder needs this object. */
  private final CompletableFuture<ScriptRun> run = new CompletableFuture<>();

  LateRequests(@Nullable Duration limit, String clock) {
    this.limit = limit;
    this.clock = clock;
  }

  void configure(UserAgent.Builder builder) {
    if (limit != null) {
      builder.lockWatchdog(limit, report -> print(run.join(), report));
    }
  }

  /** Sets the run. To be called before the run starts. */
  void setRun(ScriptRun made) {
    run.complete(made);
  }

  private void print(ScriptRun made, DeadlockReport report) {
    LockTable table = LockTable.of(made, report.locks(), /* atRest= */ false);
    StringBuilder text = new StringBuilder();
    for (LockEntry request : report.late()) {
      text.append("weblocks: ").append(table.late(request, clock)).append(" (--watchdog)\n");
    }
    made.err(text + table.text());
  }
}
