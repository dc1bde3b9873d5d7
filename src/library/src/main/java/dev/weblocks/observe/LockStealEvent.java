package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The event of a lock that was taken from the client that held it. */
@Name("dev.weblocks.LockSteal")
@Label("Lock Stolen")
@Description("A lock was taken from the client that held it.")
final class LockStealEvent extends LockEvent {

  @Label("Held")
  @Description("How long the lock had been held, by the clock of the driver")
  @Timespan(Timespan.NANOSECONDS)
  long held;

  @Label("Thief")
  @Description("The client ID of the request that stole the lock")
  @Nullable String thief;
}
