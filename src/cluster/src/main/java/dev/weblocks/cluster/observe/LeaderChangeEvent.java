package dev.weblocks.cluster.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The event of a member that follows another leader, or the same one in another term. */
@Name("dev.weblocks.ClusterLeaderChange")
@Label("Cluster Leader Changed")
@Description("A member follows another leader, or the same one in another term.")
@Category({"Weblocks", "Cluster"})
@StackTrace(false)
final class LeaderChangeEvent extends Event {

  @Label("Member")
  @Description("The member of this JVM")
  @Nullable String member;

  @Label("Leader")
  @Nullable String leader;

  @Label("Term")
  long term;
}
