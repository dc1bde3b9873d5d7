package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** The event of a request for a lock. */
@Name("dev.weblocks.LockRequest")
@Label("Lock Request")
@Description("A lock was requested.")
@Enabled(false) // each request has further events
final class LockRequestEvent extends LockEvent {

  @Label("Wait Mode")
  @Description("The behaviour if the lock is not free: 'wait', 'if available' or 'steal'")
  @Nullable String waitMode;
}
