package dev.weblocks.harness.stress;

import dev.weblocks.model.TraceEvent;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A simple, independent model that follows the lock steps of a trace. It reports each violation of
 * these rules: a lock has one exclusive holder or many shared ones; locks are granted in the order
 * of requests; ended clients get none; no request waits for a free lock. Does not support steal.
 */
final class LockLedger {

  private record Request(long id, String client, String key, boolean exclusive) {}

  private static final Pattern ID = Pattern.compile("requestId=(\\d+)");
  private static final Pattern CLIENT = Pattern.compile("ClientId\\[value=([^\\]]+)\\]");
  private static final Pattern MANAGER = Pattern.compile("ManagerId\\[value=([^\\]]+)\\]");
  private static final Pattern OPTIONS = Pattern.compile("name=(.*), mode=(\\w+), waitMode=(\\w+)");

  private final Consumer<String> complaints;
  private final Consumer<String> clientEnds;
  private final Map<Long, Request> requests = new HashMap<>();
  private final Map<String, ArrayDeque<Request>> queues = new HashMap<>();
  private final Map<String, Map<Long, Request>> held = new HashMap<>();
  private final Map<String, Set<Long>> ofClient = new HashMap<>();
  private final Set<String> endedClients = new HashSet<>();
  private final Set<String> touched = new HashSet<>();
  private long steps;
  private long grants;

  /**
   * Creates a ledger.
   *
   * @param clientEnds receives the id of each client whose end releases its locks
   */
  LockLedger(Consumer<String> complaints, Consumer<String> clientEnds) {
    this.complaints = complaints;
    this.clientEnds = clientEnds;
  }

  synchronized void on(TraceEvent event) {
    switch (event.kind()) {
      case LOCK_STEP -> step(event.detail());
      case LOCK_EFFECT -> effect(event.detail());
      default -> {}
    }
  }

  private void step(String detail) {
    checkTouched();
    steps++;
    String kind = detail.substring(0, detail.indexOf('['));
    switch (kind) {
      case "RequestLock" -> {
        String client = find(CLIENT, detail);
        if (endedClients.contains(client)) {
          return; // the request was in flight when its client ended
        }
        Matcher options = OPTIONS.matcher(detail);
        if (!options.find()) {
          throw unknown(detail);
        }
        if (options.group(3).equals("STEAL")) {
          throw new IllegalStateException("the ledger does not support steal: " + detail);
        }
        String key = find(MANAGER, detail) + " " + options.group(1);
        Request request =
            new Request(id(detail), client, key, options.group(2).equals("EXCLUSIVE"));
        requests.put(request.id, request);
        ofClient.computeIfAbsent(client, unknown -> new HashSet<>()).add(request.id);
        queues.computeIfAbsent(key, unknown -> new ArrayDeque<>()).add(request);
        touched.add(key);
      }
      case "ReleaseLock", "AbortRequest" -> {
        Request request = requests.get(id(detail));
        boolean holds = request != null && holds(request);
        if (request != null && holds == kind.equals("ReleaseLock")) {
          forget(request);
        }
      }
      case "EndClient" -> {
        String client = find(CLIENT, detail);
        endedClients.add(client);
        clientEnds.accept(client);
        Set<Long> all = ofClient.remove(client);
        if (all != null) {
          all.forEach(id -> forget(requests.get(id)));
        }
      }
      case "TakeSnapshot" -> {}
      default -> throw unknown(detail);
    }
  }

  private void effect(String detail) {
    switch (detail.substring(0, detail.indexOf('['))) {
      case "Granted" -> granted(requests.get(id(detail)), detail);
      case "Unavailable" -> forget(requests.get(id(detail)));
      default -> {}
    }
  }

  private void granted(@Nullable Request request, String detail) {
    grants++;
    if (request == null) {
      complaints.accept("granted to an unknown request or an ended client: " + detail);
      return;
    }
    ArrayDeque<Request> queue = queues.getOrDefault(request.key, new ArrayDeque<>());
    if (queue.peek() != request) {
      complaints.accept("granted before earlier requests: " + detail);
    }
    if (!isFree(request)) {
      complaints.accept("granted " + request + " while it is held by " + held.get(request.key));
    }
    queue.remove(request);
    held.computeIfAbsent(request.key, unknown -> new LinkedHashMap<>()).put(request.id, request);
    touched.add(request.key);
  }

  private boolean isFree(Request request) {
    Map<Long, Request> holders = held.getOrDefault(request.key, Map.of());
    return holders.isEmpty()
        || (!request.exclusive && holders.values().stream().noneMatch(Request::exclusive));
  }

  private boolean holds(Request request) {
    return held.getOrDefault(request.key, Map.of()).containsKey(request.id);
  }

  private void forget(@Nullable Request request) {
    if (request == null) {
      return;
    }
    requests.remove(request.id);
    Set<Long> siblings = ofClient.get(request.client);
    if (siblings != null) {
      siblings.remove(request.id);
      if (siblings.isEmpty()) {
        ofClient.remove(request.client);
      }
    }
    ArrayDeque<Request> queue = queues.get(request.key);
    if (queue != null) {
      queue.remove(request);
    }
    Map<Long, Request> holders = held.get(request.key);
    if (holders != null) {
      holders.remove(request.id);
    }
    touched.add(request.key);
  }

  private void checkTouched() {
    for (Iterator<String> keys = touched.iterator(); keys.hasNext(); keys.remove()) {
      String key = keys.next();
      ArrayDeque<Request> queue = queues.get(key);
      Request first = queue == null ? null : queue.peek();
      if (first != null && isFree(first)) {
        complaints.accept("grantable, but not granted: " + first);
      }
    }
  }

  synchronized void complainAboutTheRest() {
    checkTouched();
    if (!requests.isEmpty()) {
      complaints.accept("still held or requested at the end: " + requests.values());
    }
  }

  synchronized String waiting() {
    return "held "
        + held.values().stream().filter(map -> !map.isEmpty()).toList()
        + ", waiting "
        + queues.values().stream().filter(queue -> !queue.isEmpty()).toList();
  }

  synchronized long steps() {
    return steps;
  }

  synchronized long grants() {
    return grants;
  }

  private static long id(String detail) {
    return Long.parseLong(find(ID, detail));
  }

  private static String find(Pattern pattern, String detail) {
    Matcher matcher = pattern.matcher(detail);
    if (!matcher.find()) {
      throw unknown(detail);
    }
    return matcher.group(1);
  }

  private static IllegalStateException unknown(String detail) {
    return new IllegalStateException("unknown step: " + detail);
  }
}
