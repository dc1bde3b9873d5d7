package dev.weblocks.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The common fields of all lock events. The thread of an event is the thread that ran the lock
 * step; it is seldom the thread of the client.
 */
@Category({"Weblocks", "Locks"})
@StackTrace(false)
abstract class LockEvent extends Event {

  @Label("Lock")
  @Description("The resource name")
  @Nullable String lock;

  @Label("Mode")
  @Description("shared or exclusive")
  @Nullable String mode;

  @Label("Origin")
  @Nullable String origin;

  @Label("Bucket")
  @Description("The storage bucket of the lock manager")
  @Nullable String bucket;

  @Label("Agent")
  @Description("The requesting agent, or the name of a Java client")
  @Nullable String agent;

  @Label("URL")
  @Description("The URL of the requesting document or worker")
  @Nullable String url;

  @Label("Client ID")
  @Description("The client ID that navigator.locks.query() shows")
  @Nullable String client;

  @Label("Request ID")
  @Description("The same ID in all events of one request and its lock")
  long requestId;
}
