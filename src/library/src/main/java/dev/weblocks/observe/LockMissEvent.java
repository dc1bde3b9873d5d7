package dev.weblocks.observe;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The event of a request that did not wait and did not get its lock. */
@Name("dev.weblocks.LockMiss")
@Label("Lock Not Available")
@Description("An ifAvailable request was not granted.")
@Enabled(false) // loops may try again and again
final class LockMissEvent extends LockEvent {}
