package dev.weblocks.cluster.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The event of a session that was opened. */
@Name("dev.weblocks.ClusterSessionOpen")
@Label("Cluster Session Opened")
@Description("A session of a lock cluster was opened.")
final class SessionOpenEvent extends SessionEvent {}
