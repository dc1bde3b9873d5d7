package dev.weblocks.explore.trace;

import dev.weblocks.explore.trace.Recorded.End;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.WaitMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a recording as they are shown: lanes (agents, queues and Java clients), their
 * turns (tasks and steps of queues), requests with their life cycles, and the effects of one
 * request on another. A step is identified by its index in the recording, from 0; -1 means none.
 */
final class Timeline {

  static final int NONE = -1;

  enum LaneType {
    AGENT,
    QUEUE,
    /** Java code as a client of the lock task queue. */
    CLIENT
  }

  static final class Lane {
    final int number;
    final String actor;
    final LaneType type;

    /** The lane of the agent's creator. */
    int parent = NONE;

    int begun = NONE;
    int ended = NONE;
    String url = "";

    Lane(int number, String actor, LaneType type) {
      this.number = number;
      this.actor = actor;
      this.type = type;
    }
  }

  /**
   * A resource that requests contend for: a name or, in the early draft, several names.
   *
   * @param names sorted
   */
  record Resource(String manager, List<String> names) {

    String name() {
      return String.join(", ", names);
    }

    List<Resource> apart() {
      return names.stream().map(name -> new Resource(manager, List.of(name))).toList();
    }
  }

  enum Outcome {
    RELEASED,
    STOLEN,
    FORCE_RELEASED,
    ABORTED,
    MISSED
  }

  /** The life cycle of a request, however many names it has, and of its lock if granted. */
  static final class Life {
    final int number;
    final int lane;
    final int resource;
    final long requestId;
    final LockMode mode;
    final WaitMode wait;
    final @Nullable String clientId;
    final @Nullable String position;

    final int asked;
    int queued = NONE;
    int granted = NONE;
    int over = NONE;
    @Nullable Outcome outcome;
    boolean clientEnded;

    /** Whether another request's release or abort caused the grant; false if granted on arrival. */
    boolean waited;

    /** All steps of the request, and the tasks that they caused. */
    final List<Integer> steps = new ArrayList<>();

    Life(int number, int lane, int resource, TraceEvent.Lock lock, int asked) {
      this.number = number;
      this.lane = lane;
      this.resource = resource;
      this.asked = asked;
      requestId = lock.requestId();
      mode = lock.mode() == null ? LockMode.EXCLUSIVE : lock.mode();
      wait = lock.waitMode() == null ? WaitMode.WAIT : lock.waitMode();
      clientId = lock.clientId();
      position = lock.position();
    }

    /** Returns whether the request is in its queue when the recording ends. */
    boolean waitsAtEnd() {
      return queued >= 0 && granted < 0 && over < 0;
    }

    boolean isHeldAtEnd() {
      return granted >= 0 && over < 0;
    }
  }

  enum ArrowType {
    GRANT,
    STEAL,
    FORCE,
    ABORT
  }

  /**
   * An effect of one request or task on another request.
   *
   * @param from the step that caused the effect: a change of the lock state, a forced release, the
   *     arrival of a stealing request, the task that aborts or releases by force
   * @param to the step that is the effect
   * @param source life of the causing request; {@link #NONE} for an abort or a forced release
   * @param target life of the affected request
   */
  record Arrow(ArrowType type, int from, int to, int source, int target) {}

  /** A request that waits for a lock at the recording's end, directly or behind another request. */
  record Waiting(int waiter, int holder) {}

  /** A turn of a lane: a task or a step of a queue, from its first to its last traced step. */
  record Turn(int lane, int first, int last, long begin, long end, boolean over) {}

  final Recorded recorded;
  final List<TraceEvent> events;
  private final long[] nanos;
  private final int[] causes;
  private final int[] laneOf;
  private final int[] lifeOf;

  /** The lane of the client of each step about a lock; {@link #NONE} for steps without a client. */
  private final int[] agentOf;

  /** The first task that each step caused directly. */
  private final int[] taskAfter;

  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Map<Resource, Integer> resources = new LinkedHashMap<>();

  /** The life cycles of all requests whose arrival is recorded. */
  final List<Life> lives = new ArrayList<>();

  final List<Arrow> arrows = new ArrayList<>();

  /** All turns, in the order of their first steps. */
  final List<Turn> turns = new ArrayList<>();

  final List<Waiting> waits = new ArrayList<>();

  /** The cycles of lanes, each of which waits for a lock of the next. */
  final List<List<Waiting>> cycles = new ArrayList<>();

  Timeline(Recorded recorded) {
    this.recorded = recorded;
    events = recorded.steps();
    nanos = new long[events.size()];
    causes = new int[events.size()];
    laneOf = new int[events.size()];
    lifeOf = new int[events.size()];
    agentOf = new int[events.size()];
    taskAfter = new int[events.size()];
    times();
    lanes();
    lives();
    turns();
    arrows();
    waits();
  }

  /** Returns the time since the first step, in nanoseconds; never decreases. */
  long nanos(int step) {
    return nanos[step];
  }

  int cause(int step) {
    return causes[step];
  }

  int laneOf(int step) {
    return laneOf[step];
  }

  int lifeOf(int step) {
    return lifeOf[step];
  }

  int agentOf(int step) {
    return agentOf[step];
  }

  List<Lane> allLanes() {
    return List.copyOf(lanes.values());
  }

  List<Resource> allResources() {
    return List.copyOf(resources.keySet());
  }

  String label(Lane lane) {
    return lane.type == LaneType.AGENT ? recorded.names().agent(lane.actor, lane.url) : lane.actor;
  }

  long lastNanos() {
    long last = nanos.length == 0 ? 0 : nanos[nanos.length - 1];
    for (Turn turn : turns) {
      last = Math.max(last, turn.end());
    }
    return last;
  }

  private void times() {
    Arrays.fill(taskAfter, NONE);
    long begin = events.isEmpty() ? 0 : events.getFirst().time().toNanos();
    long now = 0;
    for (int i = 0; i < events.size(); i++) {
      now =
          Math.max(
              now, events.get(i).time().toNanos() - begin); // slightly out of order across threads
      nanos[i] = now;
      int cause = placeOf(events.get(i).cause());
      causes[i] = cause;
      if (cause >= 0 && events.get(i).kind() == TraceKind.TASK && taskAfter[cause] < 0) {
        taskAfter[cause] = i;
      }
    }
  }

  /** Returns the index of the step with an id, or of the last recorded step before it. */
  private int atOrBefore(long id) {
    int low = 0;
    int high = events.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (events.get(middle).id() <= id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private int placeOf(long id) {
    int place = atOrBefore(id);
    return place >= 0 && events.get(place).id() == id ? place : NONE;
  }

  private Lane lane(String actor, LaneType type) {
    return lanes.computeIfAbsent(actor, name -> new Lane(lanes.size(), name, type));
  }

  private void lanes() {
    Arrays.fill(agentOf, NONE);
    for (int i = 0; i < events.size(); i++) {
      TraceEvent event = events.get(i);
      boolean isAgent =
          switch (event.kind()) {
            case TASK, CHECKPOINT, AGENT -> true;
            case LOCK_STEP, LOCK_CHANGE, LOCK_EFFECT, PARALLEL_STEP -> false;
          };
      Lane lane = lane(event.actor(), isAgent ? LaneType.AGENT : LaneType.QUEUE);
      laneOf[i] = lane.number;
      if (event.kind() == TraceKind.AGENT && event.detail().equals("begins")) {
        lane.begun = i;
        if (causes[i] >= 0) {
          lane.parent = laneOf[causes[i]];
        }
      } else if (event.kind() == TraceKind.AGENT && event.detail().equals("has ended")) {
        lane.ended = i;
      }
      TraceEvent.Lock lock = event.lock();
      if (lock != null && lock.agent() != null) {
        Lane whose = lane(lock.agent(), LaneType.CLIENT);
        agentOf[i] = whose.number;
        if (whose.url.isEmpty() && lock.url() != null) {
          whose.url = lock.url();
        }
      }
    }
  }

  private void lives() {
    Arrays.fill(lifeOf, NONE);
    Map<Long, Life> byRequest = new HashMap<>();
    for (int i = 0; i < events.size(); i++) {
      TraceEvent event = events.get(i);
      TraceEvent.Lock lock = event.lock();
      if (lock == null) {
        int cause = causes[i];
        if (cause >= 0
            && event.kind() == TraceKind.TASK
            && events.get(cause).kind() == TraceKind.LOCK_EFFECT
            && lifeOf[cause] >= 0) {
          lifeOf[i] = lifeOf[cause];
          lives.get(lifeOf[i]).steps.add(i);
        }
        continue;
      }
      if (lock.action() == LockAction.ASKED && !lock.names().isEmpty() && agentOf[i] >= 0) {
        String manager = lock.manager() == null ? "" : lock.manager();
        Resource resource = new Resource(manager, lock.names().stream().sorted().toList());
        int number = resources.computeIfAbsent(resource, any -> resources.size());
        Life life = new Life(lives.size(), agentOf[i], number, lock, i);
        lives.add(life);
        byRequest.put(lock.requestId(), life);
      }
      Life life = byRequest.get(lock.requestId());
      if (life != null) {
        lifeOf[i] = life.number;
        life.steps.add(i);
        addLaterStep(life, i, lock);
      }
    }
  }

  private void addLaterStep(Life life, int step, TraceEvent.Lock lock) {
    switch (lock.action()) {
      case QUEUED -> life.queued = step;
      case GRANTED -> {
        life.granted = step;
        life.waited = causes[step] != life.queued;
      }
      case MISSED -> end(life, step, Outcome.MISSED, lock);
      case STOLEN -> end(life, step, Outcome.STOLEN, lock);
      case FORCE_RELEASED -> end(life, step, Outcome.FORCE_RELEASED, lock);
      case RELEASED -> end(life, step, Outcome.RELEASED, lock);
      case ABORTED -> end(life, step, Outcome.ABORTED, lock);
      case ASKED, GIVEN_BACK, SETTLED, WITHDRAWN, REJECTED -> {}
      case PROCEEDED, FORCED, CLIENT_ENDED, QUERIED, ANSWERED -> {} // concern no single request
    }
  }

  private static void end(Life life, int step, Outcome outcome, TraceEvent.Lock lock) {
    life.over = step;
    life.outcome = outcome;
    life.clientEnded = lock.clientEnded();
  }

  private void turns() {
    long begin = events.isEmpty() ? 0 : events.getFirst().time().toNanos();
    for (int i = 0; i < events.size(); i++) {
      TraceEvent event = events.get(i);
      TraceKind kind = event.kind();
      if (kind != TraceKind.TASK
          && kind != TraceKind.LOCK_STEP
          && kind != TraceKind.PARALLEL_STEP) {
        continue;
      }
      End end = recorded.ends().get(event.id());
      if (end == null) {
        int last = events.size() - 1;
        turns.add(new Turn(laneOf[i], i, last, nanos[i], nanos[last], false));
      } else {
        turns.add(
            new Turn(
                laneOf[i],
                i,
                Math.max(i, atOrBefore(end.lastId())),
                nanos[i],
                Math.max(nanos[i], end.nanos() - begin),
                true));
      }
    }
  }

  private void arrows() {
    for (Life life : lives) {
      if (life.granted >= 0 && life.waited) {
        int from = causes[life.granted];
        if (from >= 0 && lifeOf[from] >= 0) {
          arrows.add(new Arrow(ArrowType.GRANT, from, life.granted, lifeOf[from], life.number));
        }
      }
      if (life.outcome == Outcome.STOLEN && causes[life.over] >= 0) {
        int thief = causes[life.over];
        if (lifeOf[thief] >= 0) {
          arrows.add(new Arrow(ArrowType.STEAL, thief, life.over, lifeOf[thief], life.number));
        }
      }
      if (life.outcome == Outcome.ABORTED || life.outcome == Outcome.FORCE_RELEASED) {
        int from = taskOf(causes[life.over]);
        if (from >= 0) {
          ArrowType type = life.outcome == Outcome.ABORTED ? ArrowType.ABORT : ArrowType.FORCE;
          arrows.add(new Arrow(type, from, life.over, NONE, life.number));
        }
      }
    }
  }

  /** Returns the task that a step belongs to, or that caused it. */
  int taskOf(int step) {
    int place = step;
    while (place >= 0 && events.get(place).kind() != TraceKind.TASK) {
      place = causes[place];
    }
    return place;
  }

  /** Returns the first task that a step caused directly, such as the one that calls a callback. */
  int taskAfter(int step) {
    return taskAfter[step];
  }

  private void waits() {
    List<Resource> all = allResources();
    Map<Resource, List<Life>> holders = new HashMap<>();
    for (Life life : lives) {
      if (life.isHeldAtEnd()) {
        for (Resource name : all.get(life.resource).apart()) {
          holders.computeIfAbsent(name, any -> new ArrayList<>()).add(life);
        }
      }
    }
    // for each name, the locks that the requests so far wait for; the second map for exclusive ones
    Map<Resource, Set<Integer>> behindAll = new HashMap<>();
    Map<Resource, Set<Integer>> behindExclusive = new HashMap<>();
    for (Life waiter : lives) {
      if (!waiter.waitsAtEnd()) {
        continue;
      }
      List<Resource> names = all.get(waiter.resource).apart();
      boolean shared = waiter.mode == LockMode.SHARED;
      Set<Integer> found = new LinkedHashSet<>();
      for (Resource name : names) {
        for (Life holder : holders.getOrDefault(name, List.of())) {
          if (!shared || holder.mode == LockMode.EXCLUSIVE) {
            found.add(holder.number);
          }
        }
        found.addAll((shared ? behindExclusive : behindAll).getOrDefault(name, Set.of()));
      }
      for (Resource name : names) {
        behindAll.computeIfAbsent(name, any -> new LinkedHashSet<>()).addAll(found);
        if (!shared) {
          behindExclusive.computeIfAbsent(name, any -> new LinkedHashSet<>()).addAll(found);
        }
      }
      found.forEach(holder -> waits.add(new Waiting(waiter.number, holder)));
    }
    Map<Integer, List<Waiting>> byLane = new HashMap<>();
    for (Waiting wait : waits) {
      byLane.computeIfAbsent(lives.get(wait.waiter()).lane, lane -> new ArrayList<>()).add(wait);
    }
    Set<Integer> reported = new HashSet<>();
    for (Waiting wait : waits) {
      int lane = lives.get(wait.waiter()).lane;
      if (!reported.contains(lane)) {
        List<Waiting> cycle = cycle(lane, byLane);
        cycle.forEach(each -> reported.add(lives.get(each.waiter()).lane));
        if (!cycle.isEmpty()) {
          cycles.add(cycle);
        }
      }
    }
  }

  /** Returns the shortest cycle of waiting lanes through a lane; empty if there is none. */
  private List<Waiting> cycle(int start, Map<Integer, List<Waiting>> byLane) {
    Map<Integer, Waiting> reachedBy = new HashMap<>();
    Deque<Integer> next = new ArrayDeque<>(List.of(start));
    while (!next.isEmpty()) {
      for (Waiting wait : byLane.getOrDefault(next.remove(), List.of())) {
        int lane = lives.get(wait.holder()).lane;
        if (reachedBy.putIfAbsent(lane, wait) == null) {
          if (lane == start) {
            return wayBack(start, reachedBy);
          }
          next.add(lane);
        }
      }
    }
    return List.of();
  }

  private List<Waiting> wayBack(int start, Map<Integer, Waiting> reachedBy) {
    Deque<Waiting> cycle = new ArrayDeque<>();
    int lane = start;
    do {
      Waiting wait = reachedBy.get(lane);
      if (wait == null) {
        throw new IllegalStateException("a lane has no step");
      }
      cycle.addFirst(wait);
      lane = lives.get(wait.waiter()).lane;
    } while (lane != start);
    return List.copyOf(cycle);
  }
}
