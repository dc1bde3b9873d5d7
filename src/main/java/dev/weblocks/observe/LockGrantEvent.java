package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** A request became a lock; the duration is how long it waited. */
@Name("dev.weblocks.LockGrant")
@Label("Lock Granted")
@Description("A request became a lock; the duration is how long it waited.")
@Threshold("20 ms") // that of the events of monitors
final class LockGrantEvent extends LockEvent {

  @Label("Waited")
  @Description("By the clock of the driver, from before the recording too")
  @Timespan(Timespan.NANOSECONDS)
  long waited;
}
