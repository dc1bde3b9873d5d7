package dev.weblocks.cluster.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The event of a session that was lost, with all its locks. */
@Name("dev.weblocks.ClusterSessionLost")
@Label("Cluster Session Lost")
@Description("A session of a lock cluster was lost, with all its locks.")
final class SessionLostEvent extends SessionEvent {

  @Label("Lived")
  @Description("The time since the session was opened, including time before the recording")
  @Timespan(Timespan.NANOSECONDS)
  long lived;

  @Label("Reason")
  @Description("Why it was lost, in words")
  @Nullable String reason;
}
