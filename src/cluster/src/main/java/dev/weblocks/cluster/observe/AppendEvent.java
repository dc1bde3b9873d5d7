package dev.weblocks.cluster.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** The event of a batch of lock commands; its duration is the time from sending to the answer. */
@Name("dev.weblocks.ClusterAppend")
@Label("Cluster Append")
@Description("Lock commands were sent to the cluster; the duration is the wait for the answer.")
@Category({"Weblocks", "Cluster"})
@Threshold("20 ms") // as for monitor events
@StackTrace(false)
final class AppendEvent extends Event {

  @Label("Session ID")
  long session;

  @Label("Commands")
  @Description("The number of commands; 0 only renews the lease")
  int commands;

  @Label("End")
  @Description("answered, or failed and sent again")
  @Nullable String end;
}
