package dev.weblocks.harness.differ.model;

import dev.weblocks.harness.differ.model.JsValues.LockObject;
import dev.weblocks.harness.differ.model.JsValues.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lock manager of the origin and the lock task queue, by section 4 of the Working Draft. A step
 * runs as soon as it is enqueued: it reaches script only by tasks of one source, whose order is
 * that of the steps, and these tasks run at any later time.
 */
final class LockQueue {

  /** The event loops, and the way that a program calls back. */
  interface Host {
    /**
     * Queues a task of a client on the web locks task source of a realm.
     *
     * @param caller the realm that made the request or query
     */
    void queue(
        Purpose purpose,
        ModelRealm client,
        ModelRealm realm,
        ModelRealm caller,
        long id,
        Runnable steps);

    /** Performs an action of a script that uses the lock manager of a client. */
    void enter(ModelRealm client, ModelRealm caller, Runnable action);

    /**
     * Performs an action of a script: a step on the lock task queue, by the lock manager of a
     * client.
     */
    void enqueue(ModelRealm caller, ModelRealm client, Supplier<String> label, Runnable step);

    /** Records a step of the draft. */
    void trace(Supplier<String> step);

    /**
     * <a href="https://webidl.spec.whatwg.org/#invoke-a-callback-function">Invokes</a> the callback
     * of a request, and returns the promise of its result: a new promise, unless an engine uses one
     * that it has.
     *
     * @param into the new promise
     */
    ModelPromise invoke(Request request, Object argument, ModelPromise into);
  }

  /** The purpose of a task. */
  enum Purpose {
    CALL,
    SETTLE,
    ANSWER_QUERY
  }

  /** A lock request, and later the lock. */
  static final class Request {
    final long id;
    final ModelRealm client;
    final ModelRealm callbackRealm;
    final Statement.Request statement;
    final Function<Object, Object> callback;
    final String mode;
    final ModelPromise promise;
    final ModelPromise waiting;
    final @Nullable Signal signal;
    private @Nullable Runnable abortAlgorithm;

    Request(
        long id,
        ModelRealm client,
        ModelRealm callbackRealm,
        Statement.Request statement,
        Function<Object, Object> callback,
        String mode,
        @Nullable Signal signal) {
      this.id = id;
      this.client = client;
      this.callbackRealm = callbackRealm;
      this.statement = statement;
      this.callback = callback;
      this.mode = mode;
      this.signal = signal;
      this.promise = new ModelPromise(client);
      this.waiting = new ModelPromise(callbackRealm);
    }

    String name() {
      return statement.name().text();
    }

    @Override
    public String toString() {
      return name() + " " + mode;
    }
  }

  private static final long GRANTED = 1;
  private static final long UNAVAILABLE = 2;
  private static final long STOLEN = 3;
  private static final long RELEASED = 4;
  private static final long SNAPSHOT = 5;

  private final Host host;
  private final ModelPromise.Script script;
  private final Set<Deviation> deviations;
  private final Map<String, List<Request>> queues = new TreeMap<>();
  private final List<Request> held = new ArrayList<>();

  LockQueue(Host host, ModelPromise.Script script, Set<Deviation> deviations) {
    this.host = host;
    this.script = script;
    this.deviations = deviations;
  }

  private List<Request> queue(String name) {
    return queues.computeIfAbsent(name, key -> new ArrayList<>());
  }

  /** Returns a fingerprint of the held locks and of the queues. */
  long fingerprint() {
    long fingerprint = 0;
    for (Map.Entry<String, List<Request>> each : queues.entrySet()) {
      long queue = each.getKey().hashCode();
      for (Request request : each.getValue()) {
        queue = Agent.mix(queue, request.id);
      }
      fingerprint += queue;
    }
    for (Request lock : held) {
      fingerprint += Agent.mix(lock.id, GRANTED);
    }
    return fingerprint;
  }

  /** <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-request-lock">4.1</a> */
  void request(Request request, boolean ifAvailable, boolean steal) {
    host.enter(request.client, request.callbackRealm, () -> enter(request, ifAvailable, steal));
  }

  private void enter(Request request, boolean ifAvailable, boolean steal) {
    Signal signal = request.signal;
    if (signal != null && !signal.aborted) {
      Runnable algorithm = () -> signalToAbort(request, signal);
      request.abortAlgorithm = algorithm;
      signal.algorithms.add(algorithm); // 2
    }
    host.enqueue(
        request.callbackRealm,
        request.client,
        () -> "4.1 step 3, request " + request,
        () -> {
          List<Request> queue = queue(request.name()); // 3.2
          if (steal) { // 3.4
            for (Request lock : List.copyOf(held)) {
              if (lock.name().equals(request.name())) {
                host.trace(() -> "4.1 step 3.4.1.1, steal " + lock);
                held.remove(lock);
                host.queue(
                    Purpose.SETTLE,
                    lock.client,
                    lock.client,
                    lock.callbackRealm,
                    Agent.mix(Agent.mix(lock.id, STOLEN), request.id),
                    () -> lock.promise.resolver().reject(lock.client.error("AbortError")));
              }
            }
            queue.addFirst(request); // 3.4.2
          } else {
            if (ifAvailable && !isGrantable(request, queue)) { // 3.5.1
              host.trace(() -> "4.1 step 3.5.1, not available " + request);
              queueCallback(request, UNAVAILABLE, () -> unavailable(request));
              return;
            }
            queue.add(request); // 3.5.2
          }
          process(queue); // 3.6
        });
  }

  /** <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#lock-request-grantable">2.5</a> */
  private boolean isGrantable(Request request, List<Request> queue) {
    if (!queue.isEmpty() && queue.getFirst() != request) {
      return false; // 7
    }
    return held.stream()
        .filter(lock -> lock.name().equals(request.name()))
        .allMatch(lock -> request.mode.equals("shared") && lock.mode.equals("shared")); // 8, 9
  }

  /**
   * <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-process-request">4.4</a>
   */
  private void process(List<Request> queue) {
    while (!queue.isEmpty()) { // 2
      Request request = queue.getFirst();
      if (!isGrantable(request, queue)) {
        return; // 2.1
      }
      queue.removeFirst(); // 2.2
      held.add(request); // 2.13
      host.trace(() -> "4.4 step 2.14, grant " + request);
      queueCallback(request, GRANTED, () -> granted(request));
    }
  }

  /** Queues a task on the event loop of the callback. */
  private void queueCallback(Request request, long kind, Runnable steps) {
    boolean releases = deviations.contains(Deviation.REMOVED_CALLBACK_RELEASES);
    boolean ofLiving = deviations.contains(Deviation.ENDED_CLIENT_CALLS_NOTHING);
    host.queue(
        Purpose.CALL,
        request.client,
        releases ? request.client : request.callbackRealm,
        request.callbackRealm,
        Agent.mix(request.id, kind),
        () -> {
          if (releases && !request.callbackRealm.active) {
            ModelRealm caller = request.callbackRealm;
            host.enqueue(
                caller, request.client, () -> "release " + request, () -> release(request));
            request.promise.resolver().reject(request.client.error("NotSupportedError"));
          } else if (!ofLiving || !request.client.ended) {
            steps.run();
          }
        });
  }

  /** Runs the task of 4.1 step 3.5.1. */
  private void unavailable(Request request) {
    boolean converts = !deviations.contains(Deviation.USES_PROMISE_AS_IT_IS);
    ModelPromise into = converts ? new ModelPromise(request.callbackRealm) : request.promise;
    ModelPromise result = host.invoke(request, JsValues.Primitive.NULL, into);
    if (result != request.promise) {
      request.promise.resolver().resolve(result, script);
    }
  }

  /** Runs the task of 4.4 step 2.14. */
  private void granted(Request request) {
    ModelRealm caller = request.callbackRealm;
    Signal signal = request.signal;
    if (signal != null && request.abortAlgorithm != null) { // 2.14.1
      if (signal.aborted) { // 2.14.1.1
        host.enqueue(
            caller,
            request.client,
            () -> "4.4 step 2.14.1.1.1.1, release aborted " + request,
            () -> release(request));
        return;
      }
      signal.algorithms.remove(request.abortAlgorithm); // 2.14.1.2
    }
    LockObject lock = new LockObject(request.name(), request.mode); // 2.14.2
    ModelPromise result = host.invoke(request, lock, new ModelPromise(request.callbackRealm));
    if (deviations.contains(Deviation.RESOLVES_BY_REACTION)) {
      reactTo(request, result);
      return;
    }
    request.waiting.resolver().resolve(result, script); // 2.14.3
    request.waiting.whenSettled(() -> {
      host.enqueue(
          caller,
          request.client,
          () -> "2.4, the waiting promise of " + request + " has settled",
          () -> {
            release(request); // 2.4 step 1
            host.queue( // 2.4 step 2
                Purpose.SETTLE,
                request.client,
                request.client,
                request.callbackRealm,
                Agent.mix(request.id, RELEASED),
                () -> request.promise.resolver().resolve(request.waiting, script));
          });
    });
  }

  /**
   * Settles the promise of a request by a reaction to the promise of its callback; not when the
   * document of the promise is gone, whose task would not run by the text either.
   */
  private void reactTo(Request request, ModelPromise result) {
    ModelPromise waiting = result;
    if (!deviations.contains(Deviation.USES_PROMISE_AS_IT_IS)) {
      waiting = request.waiting;
      waiting.resolver().resolve(result, script);
    }
    Runnable release =
        () ->
            host.enqueue(
                request.callbackRealm,
                request.client,
                () -> "2.4, the waiting promise of " + request + " has settled",
                () -> release(request));
    waiting.perform(
        request.callbackRealm,
        value -> {
          release.run();
          if (request.client.active) {
            request.promise.resolver().resolve(value, script);
          }
        },
        reason -> {
          release.run();
          if (request.client.active) {
            request.promise.resolver().reject(reason);
          }
        });
  }

  /** <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-release-lock">4.2</a> */
  private void release(Request lock) {
    host.trace(() -> "4.2, release " + lock);
    held.remove(lock); // 6
    process(queue(lock.name())); // 7
  }

  /**
   * <a
   * href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#signal-to-abort-the-request">4.3</a>,
   * signal to abort the request.
   */
  private void signalToAbort(Request request, Signal signal) {
    host.enqueue(
        request.callbackRealm,
        request.client,
        () -> "4.3, abort " + request,
        () -> {
          queue(request.name()).remove(request); // abort the request 6
          if (deviations.contains(Deviation.ABORT_RELEASES_LOCK)) {
            held.remove(request);
          }
          process(queue(request.name())); // abort the request 7
        });
    request.promise.resolver().reject(signal.reason); // 2
  }

  /**
   * Runs "terminate remaining locks and requests" of 2.6 for a client, as a step of the lock task
   * queue. All requests leave before a queue is processed, so that none of them is granted.
   */
  void end(ModelRealm client) {
    host.trace(() -> "2.6, end of " + client.name());
    client.ended = true;
    List<List<Request>> changed = new ArrayList<>();
    for (List<Request> queue : queues.values()) {
      if (queue.removeIf(request -> request.client == client)) {
        changed.add(queue);
      }
    }
    if (!deviations.contains(Deviation.ENDED_CLIENT_KEEPS_QUEUES)) {
      changed.forEach(this::process);
    }
    for (Request lock : List.copyOf(held)) {
      if (lock.client == client) {
        release(lock);
      }
    }
  }

  /** <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-snapshot-lock">4.5</a> */
  void query(ModelRealm client, ModelRealm caller, ModelPromise promise, long id) {
    host.enter(client, caller, () -> enqueueQuery(client, caller, promise, id));
  }

  private void enqueueQuery(ModelRealm client, ModelRealm caller, ModelPromise promise, long id) {
    host.enqueue(
        caller,
        client,
        () -> "4.5, snapshot",
        () -> {
          String text =
              "held "
                  + list(held.stream().map(Request::toString).sorted().toList())
                  + " pending "
                  + list(
                      queues.values().stream()
                          .flatMap(List::stream)
                          .map(Request::toString)
                          .toList());
          host.queue(
              Purpose.ANSWER_QUERY,
              client,
              client,
              caller,
              Agent.mix(Agent.mix(id, SNAPSHOT), text.hashCode()),
              () -> promise.resolver().resolve(text, script));
        });
  }

  private static String list(List<String> texts) {
    return texts.stream().collect(Collectors.joining(",", "[", "]"));
  }
}
