package dev.weblocks.cli;

import dev.weblocks.embed.DeadlockReport;
import dev.weblocks.embed.LockEntry;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.run.ScriptRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Tells, among what the agents write, of requests that wait for too long, as with --watchdog. */
final class LateRequests {

  private final @Nullable Duration limit;

  /** Known only after its user agent, which is told of this object, is made. */
  private final CompletableFuture<ScriptRun> run = new CompletableFuture<>();

  /**
   * Tells of the requests of one run.
   *
   * @param limit how long they may wait; null for ever
   */
  LateRequests(@Nullable Duration limit) {
    this.limit = limit;
  }

  void configure(UserAgent.Builder builder) {
    if (limit != null) {
      builder.lockWatchdog(limit, report -> tell(run.join(), report));
    }
  }

  /** To be called before the run starts. */
  void areOf(ScriptRun made) {
    run.complete(made);
  }

  private static void tell(ScriptRun run, DeadlockReport report) {
    LockTable table = LockTable.of(run, report.locks(), /* atRest= */ false);
    StringBuilder text = new StringBuilder();
    for (LockEntry request : report.late()) {
      text.append("weblocks: ").append(table.late(request)).append(" (--watchdog)\n");
    }
    run.err(text + table.text());
  }
}
