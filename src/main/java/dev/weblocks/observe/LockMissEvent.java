package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A request that would not wait did not get its lock. */
@Name("dev.weblocks.LockMiss")
@Label("Lock Not Available")
@Description("A request that would not wait did not get its lock.")
@Enabled(false) // loops may try again and again
final class LockMissEvent extends LockEvent {}
