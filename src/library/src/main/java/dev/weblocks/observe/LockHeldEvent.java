package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The event of a lock that was released or lost; its duration is the time it was held. */
@Name("dev.weblocks.LockHeld")
@Label("Lock Held")
@Description("A lock was released or lost; the duration is how long it was held.")
@Threshold("20 ms") // as for monitor events
final class LockHeldEvent extends LockEvent {

  @Label("Held")
  @Description("The duration by the clock of the driver, including time before the recording")
  @Timespan(Timespan.NANOSECONDS)
  long held;

  @Label("End")
  @Description("released, stolen or client ended")
  @Nullable String end;
}
