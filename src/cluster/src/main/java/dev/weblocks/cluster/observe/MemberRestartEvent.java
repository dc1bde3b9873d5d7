package dev.weblocks.cluster.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The event of a member that failed and runs again. */
@Name("dev.weblocks.ClusterMemberRestart")
@Label("Cluster Member Restarted")
@Description("A member failed and runs again; the duration is the time between.")
@Category({"Weblocks", "Cluster"})
@StackTrace(false)
final class MemberRestartEvent extends Event {

  @Label("Member")
  @Nullable String member;

  @Label("Cause")
  @Nullable String cause;
}
