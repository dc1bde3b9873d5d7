package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** The event of a request that left its queue without a lock, with its time in the queue. */
@Name("dev.weblocks.LockAbort")
@Label("Lock Request Aborted")
@Description("A request left its queue without a lock; the duration is how long it waited.")
final class LockAbortEvent extends LockEvent {

  @Label("Waited")
  @Description("The duration by the clock of the driver, including time before the recording")
  @Timespan(Timespan.NANOSECONDS)
  long waited;

  @Label("Client Ended")
  @Description("Whether the request ended with its document, worker or Java client")
  boolean clientEnded;
}
