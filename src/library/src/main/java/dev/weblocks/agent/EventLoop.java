package dev.weblocks.agent;

import dev.weblocks.model.TraceKind;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of one agent: task queues by source, and timers. Any thread may queue tasks;
 * timers are set and cancelled only on the thread that runs a turn. Tasks run in order of arrival
 * over all sources. The microtask checkpoint is elsewhere: a context drains its promise jobs
 * whenever its outermost call returns (see {@link Agent#call}).
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#event-loops">HTML</a>
 */
public final class EventLoop implements Actor {

  /** A pending timer; {@link EventLoop#cancelTimer} cancels it. */
  public static final class Timer implements Comparable<Timer> {
    private long deadline;
    private final long order;
    private final Runnable onDue;
    private boolean cancelled;
    private boolean observed = true;

    Timer(long deadline, long order, Runnable onDue) {
      this.deadline = deadline;
      this.order = order;
      this.onDue = onDue;
    }

    @Override
    public int compareTo(Timer other) {
      int byDeadline = Long.compare(deadline, other.deadline);
      return byDeadline != 0 ? byDeadline : Long.compare(order, other.order);
    }
  }

  /** A task, its order of arrival, and the {@link TurnLog} number of the turn that queued it. */
  private static final class Queued {
    final Task task;
    final long cause;
    long order;
    @Nullable Queued next;

    Queued(Task task, long cause) {
      this.task = task;
      this.cause = cause;
    }
  }

  /** A queue of tasks. Linked by the tasks, so that no change of it allocates. */
  private static final class TaskQueue {
    private @Nullable Queued first;
    private @Nullable Queued last;

    boolean isEmpty() {
      return first == null;
    }

    Queued first() {
      return Objects.requireNonNull(first);
    }

    void add(Queued task) {
      if (last == null) {
        first = task;
      } else {
        last.next = task;
      }
      last = task;
    }

    Queued removeFirst() {
      Queued removed = first();
      first = removed.next;
      removed.next = null; // an old object would keep the later ones from being collected
      if (first == null) {
        last = null;
      }
      return removed;
    }

    void clear() {
      first = null;
      last = null;
    }
  }

  private static final TaskSource[] SOURCES = TaskSource.values();

  private final String name;
  private final Driver driver;
  private final Activity activity;
  private final @Nullable Trace trace;
  private final @Nullable TurnLog turns;
  private final Driver.Lane lane;
  private final UncaughtFailure failures;

  // guarded by queues
  private final TaskQueue[] queues = new TaskQueue[SOURCES.length];

  /** A bit set of the sources whose queue is not empty; there is rarely more than one. */
  private int waiting;

  private long arrivals;
  private int size;
  private boolean closed;
  private final TaskQueue beforeOthers = new TaskQueue();

  /** Whether tasks and timers are suspended; changed on the loop only. */
  private volatile boolean frozen;

  /** The time at which the loop was frozen last. */
  private long frozenAt;

  // the thread of the turn only
  private volatile PriorityQueue<Timer> timers = new PriorityQueue<>();

  /** The deadline of the first timer, which other threads may read. */
  private volatile long firstDeadline = NEVER;

  private int cancelledTimers;

  /** The number of pending timers that are {@linkplain #setObserved observed}. */
  private int observedTimers;

  private long timerOrder;
  private volatile @Nullable Thread runner;
  private @Nullable Runnable afterTurn;
  private final Gate gate;

  interface Gate {

    Gate OPEN = new Gate() {};

    /** Returns whether a turn may begin on this thread; if so, {@link #close()} must follow. */
    default boolean open() {
      return true;
    }

    /** Called after each turn. */
    default void close() {}
  }

  /** A handler for exceptions of tasks and timers: defects of Weblocks, not errors of script. */
  @FunctionalInterface
  interface UncaughtFailure {
    void in(String where, Throwable failure);
  }

  EventLoop(
      String name,
      Driver driver,
      Activity activity,
      @Nullable Trace trace,
      UncaughtFailure failures,
      Gate gate) {
    this.gate = gate;
    this.name = name;
    this.driver = driver;
    this.activity = activity;
    this.trace = trace;
    this.failures = failures;
    this.turns = driver.turnLog();
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new TaskQueue();
    }
    this.lane = activity.attach(driver, this, Driver.Kind.EVENT_LOOP);
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * Queues a task. Callable on any thread. Does nothing once the loop is closed.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html#queue-a-task">queue a
   *     task</a>
   */
  public void queueTask(TaskSource source, @Nullable Realm realm, String label, Runnable steps) {
    Runnable caused = trace == null ? steps : trace.caused(steps);
    long cause = turns == null ? 0 : turns.current();
    Queued queued = new Queued(new Task(source, realm, label, caused), cause);
    synchronized (queues) { // nothing below allocates
      if (closed) {
        return;
      }
      queued.order = arrivals++;
      queues[source.ordinal()].add(queued);
      waiting |= 1 << source.ordinal();
      size++;
    }
    lane.wake();
  }

  /**
   * Queues a task that runs first, even if the loop is frozen. Callable on any thread; no-op once
   * closed.
   */
  void runBeforeOthers(String label, Runnable steps) {
    Runnable caused = trace == null ? steps : trace.caused(steps);
    Queued queued = new Queued(new Task(TaskSource.DOM_MANIPULATION, null, label, caused), 0);
    synchronized (queues) {
      if (closed) {
        return;
      }
      beforeOthers.add(queued);
    }
    lane.wake();
  }

  /** Suspends all tasks and timers from the end of this turn on. Called on the loop. */
  void freeze() {
    assertOnLoop();
    frozen = true;
    frozenAt = driver.clock().nanoTime();
  }

  /**
   * Resumes tasks and timers; in the next turn, each timer that is due fires once. Called on the
   * loop.
   */
  void thaw() {
    assertOnLoop();
    frozen = false;
    lane.wake();
  }

  /**
   * Moves all timers, so that the time since the freeze does not count for them. Called on the
   * loop, before script runs again and starts others.
   */
  void postponeTimers() {
    assertOnLoop();
    long passed = driver.clock().nanoTime() - frozenAt;
    // all move alike, so the heap stays in order
    timers.forEach(timer -> timer.deadline = Math.min(timer.deadline, NEVER - passed) + passed);
    dropCancelled();
  }

  /**
   * Starts a timer. Called on the loop only.
   *
   * @param delayNanos the delay, not negative; the timer never fires if the clock cannot count so
   *     far
   * @param onDue called on the loop, outside any task, when the timer is due; usually queues a task
   */
  public Timer startTimer(long delayNanos, Runnable onDue) {
    assertOnLoop();
    Runnable caused = trace == null ? onDue : trace.caused(onDue);
    Timer timer = new Timer(driver.clock().after(delayNanos), timerOrder++, caused);
    if (timer.deadline == NEVER) {
      timer.cancelled = true;
      return timer;
    }
    timers.add(timer);
    observedTimers++;
    firstDeadline = Math.min(firstDeadline, timer.deadline);
    return timer;
  }

  /**
   * Sets whether script can observe that a timer fires; initially true. Other timers leave this
   * loop inactive. No-op if the timer is not pending. Called on the loop only.
   */
  public void setObserved(Timer timer, boolean observed) {
    assertOnLoop();
    if (!timer.cancelled && timer.observed != observed) {
      timer.observed = observed;
      observedTimers += observed ? 1 : -1;
    }
  }

  /** Marks a timer as fired or cancelled. */
  private void end(Timer timer) {
    timer.cancelled = true;
    if (timer.observed) {
      observedTimers--;
    }
  }

  /**
   * Returns the number of pending timers. Callable on any thread, where the number may be out of
   * date.
   */
  public int timerCount() {
    return Math.max(0, timers.size() - cancelledTimers);
  }

  /** Cancels a timer; no-op if it has fired already. Called on the loop only. */
  public void cancelTimer(Timer timer) {
    assertOnLoop();
    if (timer.cancelled) {
      return;
    }
    end(timer);
    cancelledTimers++;
    dropCancelled();
  }

  /**
   * Removes cancelled timers from the top of the heap, so that the first one is always live. Other
   * cancelled timers stay until most of the heap is cancelled, since finding one takes linear time.
   */
  private void dropCancelled() {
    PriorityQueue<Timer> heap = timers; // the end of the agent replaces it
    if (cancelledTimers > 32 && cancelledTimers * 2 > heap.size()) {
      heap.removeIf(timer -> timer.cancelled);
      cancelledTimers = 0;
    }
    Timer first = heap.peek();
    while (first != null && first.cancelled) {
      heap.remove();
      cancelledTimers--;
      first = heap.peek();
    }
    firstDeadline = first == null ? NEVER : first.deadline;
  }

  @Override
  public boolean runTurn() {
    if (!gate.open()) {
      return false;
    }
    runner = Thread.currentThread();
    try {
      if (!frozen) {
        fireDueTimers();
      }
      Task task = takeTask();
      if (task == null) {
        return false;
      }
      run(task);
      return true;
    } catch (Throwable failure) {
      failures.in("turn", failure); // the task or timer is lost
      return true;
    } finally {
      runner = null;
      try {
        if (afterTurn != null) {
          afterTurn.run();
        }
      } finally {
        gate.close();
      }
    }
  }

  /** Runs steps as if in a turn; the caller ensures that no turn runs meanwhile. */
  <T extends @Nullable Object> T runOutsideOfTurns(Supplier<T> steps) {
    long before = nextDeadline();
    int observedBefore = observedTimers;
    runner = Thread.currentThread();
    try {
      return steps.get();
    } finally {
      runner = null;
      if (nextDeadline() != before || observedTimers != observedBefore) {
        lane.wake(); // both are read after turns only
      }
    }
  }

  /** Drops all tasks and timers, and runs an action after the current turn. Called on the loop. */
  void closeAfterThisTurn(Runnable action) {
    dropTasks();
    timers.clear();
    firstDeadline = NEVER;
    afterTurn = action;
  }

  private void dropTasks() {
    synchronized (queues) {
      closed = true;
      for (int i = 0; i < queues.length; i++) {
        queues[i].clear();
      }
      waiting = 0;
      beforeOthers.clear();
      size = 0;
    }
  }

  private void fireDueTimers() {
    PriorityQueue<Timer> heap = timers; // the end of the agent replaces it
    if (heap.isEmpty()) {
      return;
    }
    long now = driver.clock().nanoTime();
    Timer first = heap.peek();
    while (first != null && first.deadline <= now) {
      heap.remove();
      end(first);
      dropCancelled();
      run("timer", first.onDue);
      first = heap.peek();
    }
  }

  private @Nullable Task takeTask() {
    synchronized (queues) {
      if (closed) {
        return null;
      }
      if (!beforeOthers.isEmpty()) {
        if (turns != null) {
          turns.reaches("driver: before others");
        }
        return beforeOthers.removeFirst().task;
      }
      if (size == 0 || frozen) {
        return null;
      }
      size--;
      Queued oldest = takeOldest();
      if (turns != null) {
        turns.takes(oldest.cause);
      }
      return oldest.task;
    }
  }

  private TaskQueue queueOf(TaskSource source) {
    return queues[source.ordinal()];
  }

  private TaskSource sourceOfOldest() {
    TaskSource from = SOURCES[Integer.numberOfTrailingZeros(waiting)];
    for (int others = waiting & (waiting - 1); others != 0; others &= others - 1) {
      TaskSource other = SOURCES[Integer.numberOfTrailingZeros(others)];
      if (queueOf(other).first().order < queueOf(from).first().order) {
        from = other;
      }
    }
    return from;
  }

  private Queued takeOldest() {
    TaskSource from = sourceOfOldest();
    TaskQueue queue = queueOf(from);
    Queued oldest = queue.removeFirst();
    if (queue.isEmpty()) {
      waiting &= ~(1 << from.ordinal());
    }
    return oldest;
  }

  private void run(Task task) {
    Realm realm = task.realm();
    if (realm != null && realm.isDiscarded()) {
      return;
    }
    activity.taskRuns();
    if (trace == null) {
      run(task.label(), task.steps());
    } else {
      runTraced(task, trace);
    }
  }

  private void runTraced(Task task, Trace active) {
    Runnable steps = task.steps();
    long cause = 0;
    if (steps instanceof Trace.Caused caused) {
      cause = caused.cause();
      steps = caused.steps();
    }
    String detail = described(task);
    long id = active.report(TraceKind.TASK, name, detail, cause, null);
    long before = active.enter(id);
    try {
      run(task.label(), steps);
    } finally {
      active.leave(before);
      active.ended(id);
    }
  }

  private void run(String label, Runnable steps) {
    try {
      steps.run();
    } catch (Throwable failure) {
      failures.in(label, failure);
    }
  }

  private static String described(Task task) {
    return task.source().label() + ": " + task.label();
  }

  /** Returns the description of the first task; due timers queue their tasks behind that task. */
  @Override
  public String nextStep() {
    synchronized (queues) {
      if (!beforeOthers.isEmpty()) {
        return described(beforeOthers.first().task);
      }
      if (size > 0 && !frozen) {
        return described(queueOf(sourceOfOldest()).first().task);
      }
    }
    return nextDeadline() == NEVER ? "" : "timer";
  }

  @Override
  public boolean hasWork() {
    synchronized (queues) {
      return !closed && (!beforeOthers.isEmpty() || (size > 0 && !frozen));
    }
  }

  @Override
  public long nextDeadline() {
    return frozen ? NEVER : firstDeadline;
  }

  @Override
  public boolean isActive() {
    return hasWork() || (nextDeadline() != NEVER && observedTimers > 0);
  }

  /**
   * Drops all timers, so that an ended agent does not retain their actions. Callable on any thread.
   */
  void forgetTimers() {
    timers = new PriorityQueue<>();
    firstDeadline = NEVER;
  }

  /**
   * Returns whether all tasks were dropped and no new ones are accepted. Callable on any thread.
   */
  public boolean isClosed() {
    synchronized (queues) {
      return closed;
    }
  }

  /** Drops all tasks, accepts no more and runs no more turns. Callable on any thread. */
  void close() {
    dropTasks();
    lane.detach();
  }

  /** Returns whether the current thread runs a turn of this loop now. */
  public boolean isOnLoop() {
    return runner == Thread.currentThread();
  }

  /** Throws an {@link IllegalStateException} if the current thread runs no turn of this loop. */
  public void assertOnLoop() {
    if (!isOnLoop()) {
      throw new IllegalStateException(
          "thread %s is not on the event loop of %s; queue a task instead"
              .formatted(Thread.currentThread().getName(), name));
    }
  }
}
