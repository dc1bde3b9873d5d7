package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** The event of a request that became a lock; its duration is the time in the queue. */
@Name("dev.weblocks.LockGrant")
@Label("Lock Granted")
@Description("A request became a lock; the duration is how long it waited.")
@Threshold("20 ms") // as for monitor events
final class LockGrantEvent extends LockEvent {

  @Label("Waited")
  @Description("The duration by the clock of the driver, including time before the recording")
  @Timespan(Timespan.NANOSECONDS)
  long waited;
}
