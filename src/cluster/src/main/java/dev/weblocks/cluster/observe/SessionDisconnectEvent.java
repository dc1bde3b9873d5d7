package dev.weblocks.cluster.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** The event of a session without answers, from a third of the lease on. */
@Name("dev.weblocks.ClusterSessionDisconnect")
@Label("Cluster Session Disconnected")
@Description(
    "The cluster was silent; the duration is the silence beyond a third of the session's lease.")
final class SessionDisconnectEvent extends SessionEvent {

  @Label("End")
  @Description("connected or lost")
  @Nullable String end;
}
