package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The event of a request that did not wait and did not get its lock. */
@Name("dev.weblocks.LockMiss")
@Label("Lock Not Available")
@Description("A request that would not wait did not get its lock.")
@Enabled(false) // a loop may retry very often
final class LockMissEvent extends LockEvent {}
