package dev.weblocks.explore;

import dev.weblocks.embed.Schedule;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells footprints of turns by what is known of the platform: which tasks and which members of
 * interfaces stay within their agent, and which ones reach a place that agents share. The list is
 * of what is known; all else counts as reaching everything.
 *
 * <p>Why that is sound. What two agents of a user agent share is Java's, as each has a context of
 * its own. A turn gets there by its task, whose Java code is known by the label of the task; by
 * script, whose only ways into Java are members of interfaces and a few functions of ours, all of
 * which the driver tells of; or by Java code that was handed over earlier and runs when script
 * makes it run, as what follows the settlement of a promise does. The third cannot be seen in the
 * turn. So an agent that has ever used anything that is not known is not known any more, for all
 * its later turns. The places that remain are:
 *
 * <ul>
 *   <li>the mailbox of each actor: two turns that give work to the same actor do not change places,
 *       since tasks keep their order. To take the oldest piece of work out of a mailbox and to put
 *       another one in can change places; that the work was put in before it is taken out is no
 *       question of footprints but of causes;
 *   <li>the lock task queue, a mailbox like others. Requests for two names are in one queue: who
 *       answers first can be seen, so names make no two requests independent. The steps of the
 *       queue themselves share the state of the lock managers with nobody, and are in the order of
 *       their mailbox anyway: they give work to the agents that they answer;
 *   <li>storage, all of it one place; to read it twice can change places;
 *   <li>message ports, all of them one place, and broadcast channels.
 * </ul>
 *
 * <p>Time is another actor: it meets everything. What consoles and error reports write in which
 * order does not count, nor do the values of ids.
 */
final class KnownFootprints implements Footprints {

  private static final String LOCK_TASK_QUEUE = "lock task queue";
  private static final String STORAGE = "storage";
  private static final String PORTS = "message ports";
  private static final String CHANNELS = "broadcast channels";

  /** Tasks whose own code stays within its agent, but for mailboxes and what script calls. */
  private static final Pattern LOCAL_TASK =
      Pattern.compile(
          "timer(: .*)?|web locks: (grant|unavailable|stolen|released|snapshot)"
              + "|networking: (response|network error|module) .*"
              + "|DOM manipulation: (DOMContentLoaded|load|storage|unhandled rejection)",
          Pattern.DOTALL);

  private static final Pattern PORT_TASK = Pattern.compile("posted message: (message|close)");

  private static final String CHANNEL_TASK = "DOM manipulation: broadcast";

  /** What is neither a member of an interface, and stays within its agent. */
  private static final Set<String> LOCAL_FUNCTIONS =
      Set.of(
          "errorTitle",
          "carriedStack",
          "reportException",
          "fulfilled",
          "rejected",
          "host: error test",
          "host: tables",
          "host: take failure",
          "host: error",
          "host: window",
          "host: unhandled rejection",
          "host: steps",
          "host: script",
          "host: proxy test",
          "host: count of microtasks",
          "driver: attach " + LOCK_TASK_QUEUE); // with its first work, by whoever has that

  private static final Set<String> LOCAL_INTERFACES =
      Set.of(
          "AbortController",
          "AbortSignal",
          "CustomEvent",
          "DOMException",
          "ErrorEvent",
          "Event",
          "EventTarget",
          "MessageEvent",
          "Performance",
          "PromiseRejectionEvent",
          "StorageEvent",
          "TextDecoder",
          "TextEncoder",
          "URLSearchParams",
          "console");

  private static final Pattern LOCAL_MEMBER =
      Pattern.compile(
          "(Window|DedicatedWorkerGlobalScope|SharedWorkerGlobalScope)\\."
              + "((get|set) on[a-z]+"
              + "|get (window|self|navigator|document|performance|localStorage|sessionStorage"
              + "|origin|isSecureContext)"
              + "|call (setTimeout|setInterval|clearTimeout|clearInterval|queueMicrotask|reportError"
              + "|atob|btoa|requestAnimationFrame|cancelAnimationFrame))"
              + "|(Navigator|WorkerNavigator)\\."
              + "get (locks|userAgent|language|languages|onLine|hardwareConcurrency|platform)"
              + "|Document\\.get (currentScript|readyState|hidden|visibilityState)"
              + "|Lock\\.get (name|mode)"
              + "|LockManager\\.call (request|query)" // but for the queue, which is woken
              + "|URL\\.(constructor|call toJSON|call toString|[gs]et [a-zA-Z]+"
              + "|static (canParse|parse))");

  private static final Pattern PORT_MEMBER =
      Pattern.compile(
          "(MessagePort|MessageChannel)\\..*"
              + "|(Window|DedicatedWorkerGlobalScope|SharedWorkerGlobalScope)\\.call structuredClone"
              + "|host: structured clone");

  private static final Pattern STORAGE_READ =
      Pattern.compile("Storage\\.(get length|call key|call getItem|names|supports name|indices)");

  /** The actors of which nothing is known any more. */
  private final Set<String> unknown = new HashSet<>();

  private final Set<String> reads = new HashSet<>();
  private final Set<String> writes = new HashSet<>();

  @Override
  public Footprint of(Schedule.Turn turn) {
    if (unknown.contains(turn.actor())) {
      return Footprint.EVERYTHING;
    }
    reads.clear();
    writes.clear();
    boolean known = noteStep(turn);
    for (String way : turn.reached()) {
      known &= noteWay(way);
    }
    if (!known) {
      unknown.add(turn.actor());
      return Footprint.EVERYTHING;
    }
    turn.woken().forEach(actor -> writes.add("mailbox of " + actor));
    return Footprint.of(reads, writes);
  }

  private boolean noteStep(Schedule.Turn turn) {
    if (turn.actor().equals(LOCK_TASK_QUEUE)) {
      return true;
    }
    if (PORT_TASK.matcher(turn.step()).matches()) {
      writes.add(PORTS);
      return true;
    }
    if (turn.step().equals(CHANNEL_TASK)) {
      writes.add(CHANNELS);
      return true;
    }
    return LOCAL_TASK.matcher(turn.step()).matches();
  }

  /** Returns whether it is known. */
  private boolean noteWay(String way) {
    if (LOCAL_FUNCTIONS.contains(way)) {
      return true;
    }
    String member = way.replaceFirst("/\\d+$", ""); // without the number of the overload
    int dot = member.indexOf('.');
    String owner = dot < 0 ? "" : member.substring(0, dot);
    if (LOCAL_INTERFACES.contains(owner) || LOCAL_MEMBER.matcher(member).matches()) {
      return true;
    }
    if (owner.equals("Storage")) {
      (STORAGE_READ.matcher(member).matches() ? reads : writes).add(STORAGE);
      return true;
    }
    if (owner.equals("BroadcastChannel")) {
      writes.add(CHANNELS);
      return true;
    }
    if (PORT_MEMBER.matcher(member).matches()) {
      writes.add(PORTS);
      return true;
    }
    return false;
  }
}
