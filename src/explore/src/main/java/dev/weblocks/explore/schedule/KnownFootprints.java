package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The footprints of turns, computed from lists of the tasks and interface members that affect only
 * their own agent or a known shared place. Everything else is assumed to reach all shared state.
 *
 * <p>This is sound because agents of a user agent share only Java state: each has its own context.
 * A turn reaches that state in three ways. The first is its task, whose label identifies its Java
 * code. The second is script, which enters Java only through members of interfaces and a few
 * functions of Weblocks; the driver reports all of them. The third is Java code that was passed to
 * script earlier, such as a reaction to a promise; its calls are not visible in the turn. So once
 * an agent has used something unknown, all its later turns count as unknown. Known shared places:
 *
 * <ul>
 *   <li>the mailbox of each actor: two turns that queue work for the same actor do not commute,
 *       since tasks keep their order. Removing the oldest work commutes with adding other work. The
 *       order of adding and removing the same work is given by causes, not footprints;
 *   <li>the lock task queue, a mailbox like others. Requests for two names are in one queue; the
 *       order of their answers is visible, so requests are dependent even if their names differ.
 *       The steps of the queue do not share the state of the lock managers with other actors, and
 *       are ordered by their mailbox anyway. They queue work for the agents that they answer;
 *   <li>storage, all of it one place; two reads commute;
 *   <li>message ports, all of them one place, and broadcast channels;
 *   <li>the state of Java code that a scenario gives to its scripts, all of it one place.
 * </ul>
 *
 * <p>The clock is another actor; its footprint conflicts with every other. The order of output of
 * consoles and error reports is ignored, and so are the values of ids.
 */
final class KnownFootprints implements Footprints {

  private static final String LOCK_TASK_QUEUE = "lock task queue";
  private static final String STORAGE = "storage";
  private static final String PORTS = "message ports";
  private static final String CHANNELS = "broadcast channels";

  /**
   * Tasks whose Java code affects only their own agent and mailboxes. Other patterns match the
   * calls that script makes in these tasks.
   */
  private static final Pattern LOCAL_TASK =
      Pattern.compile(
          "timer(: .*)?|web locks: (grant|unavailable|stolen|released|snapshot)"
              + "|networking: (response|network error|module) .*"
              + "|DOM manipulation: (DOMContentLoaded|load|storage|unhandled rejection)|"
              + Scenario.SCRIPT,
          Pattern.DOTALL);

  private static final Pattern PORT_TASK = Pattern.compile("posted message: (message|close)");

  private static final String CHANNEL_TASK = "DOM manipulation: broadcast";

  /** Functions that are not interface members and affect only their own agent. */
  private static final Pattern LOCAL_FUNCTION =
      Pattern.compile(
          "errorTitle|reportException|fulfilled|rejected"
              + "|host: (error test|part|take failure|error|window|unhandled rejection|steps"
              + "|script|proxy test|count of microtasks)"
              + "|driver: attach "
              + LOCK_TASK_QUEUE); // called by the first actor with work for it

  private static final Pattern LOCAL_INTERFACE =
      Pattern.compile(
          "AbortController|AbortSignal|CustomEvent|DOMException|ErrorEvent|Event|EventTarget"
              + "|MessageEvent|Performance|PromiseRejectionEvent|StorageEvent|TextDecoder"
              + "|TextEncoder|URLSearchParams|console");

  private static final Pattern LOCAL_MEMBER =
      Pattern.compile(
          "(Window|DedicatedWorkerGlobalScope|SharedWorkerGlobalScope|InstalledGlobalScope)\\."
              + "((get|set) on[a-z]+"
              + "|get (window|self|navigator|document|performance|localStorage|sessionStorage"
              + "|origin|isSecureContext)"
              + "|call (setTimeout|setInterval|clearTimeout|clearInterval|queueMicrotask|reportError"
              + "|atob|btoa|requestAnimationFrame|cancelAnimationFrame))"
              + "|(Navigator|WorkerNavigator)\\."
              + "get (locks|userAgent|language|languages|onLine|hardwareConcurrency|platform)"
              + "|Document\\.get (currentScript|readyState|hidden|visibilityState)"
              + "|Lock\\.get (name|mode)"
              + "|LockManager\\.call (request|query)" // apart from waking the queue
              + "|URL\\.(constructor|call toJSON|call toString|[gs]et [a-zA-Z]+"
              + "|static (canParse|parse))");

  private static final Pattern PORT_MEMBER =
      Pattern.compile(
          "(MessagePort|MessageChannel)\\..*"
              + "|(Window|DedicatedWorkerGlobalScope|SharedWorkerGlobalScope|InstalledGlobalScope)"
              + "\\.call structuredClone"
              + "|host: structured clone");

  private static final Pattern STORAGE_READ =
      Pattern.compile("Storage\\.(get length|call key|call getItem|names|supports name|indices)");

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

  /** Adds the shared places that a member or function reaches. Returns false if it is unknown. */
  private boolean noteWay(String way) {
    if (LOCAL_FUNCTION.matcher(way).matches()) {
      return true;
    }
    if (way.equals(Scenario.SHARED_STATE)) {
      writes.add(way);
      return true;
    }
    String member = way.replaceFirst("/\\d+$", ""); // without the number of the overload
    int dot = member.indexOf('.');
    String owner = dot < 0 ? "" : member.substring(0, dot);
    if (LOCAL_INTERFACE.matcher(owner).matches() || LOCAL_MEMBER.matcher(member).matches()) {
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
