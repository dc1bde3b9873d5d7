package dev.weblocks.cluster.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The common fields of the events of a session. */
@Category({"Weblocks", "Cluster"})
@StackTrace(false)
abstract class SessionEvent extends Event {

  @Label("User Agent")
  @Description("The name of the user agent in the cluster")
  @Nullable String userAgent;

  @Label("Namespace")
  @Nullable String namespace;

  @Label("Session ID")
  long session;
}
