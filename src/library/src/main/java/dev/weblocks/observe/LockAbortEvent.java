package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** The event of a request that left its queue; its duration is how long the request waited. */
@Name("dev.weblocks.LockAbort")
@Label("Lock Request Aborted")
@Description("A request left its queue; the duration is how long it waited.")
final class LockAbortEvent extends LockEvent {

  @Label("Waited")
  @Description("By the clock of the driver; includes time before the recording")
  @Timespan(Timespan.NANOSECONDS)
  long waited;

  @Label("Client Ended")
  @Description("Whether it ended with its document, worker or Java client")
  boolean clientEnded;
}
