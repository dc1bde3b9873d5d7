package dev.weblocks.agent;

import dev.weblocks.model.TraceKind;
import java.util.LinkedList;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of one agent: a queue of tasks, and timers. Any thread may queue tasks; timers are
 * set and cancelled only on the thread that runs a turn. Tasks of all sources run in order of
 * arrival. The microtask checkpoint is elsewhere: a context drains its promise jobs whenever its
 * outermost call returns (see {@link Agent#call}).
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

  /**
   * A queued task.
   *
   * @param realm the realm whose script the task runs; a task of a discarded realm is dropped; null
   *     for tasks of the agent itself
   * @param cause the trace step that queued it; 0 for none
   * @param turn the {@link TurnLog} number of the turn that queued it; 0 for none
   */
  private record Task(
      TaskSource source,
      @Nullable Realm realm,
      String label,
      Runnable steps,
      long cause,
      long turn) {

    String description() {
      return source.label() + ": " + label;
    }
  }

  private final String name;
  private final Driver driver;
  private final Activity activity;
  private final @Nullable Trace trace;
  private final @Nullable TurnLog turns;
  private final Driver.Lane lane;
  private final UncaughtFailure failures;

  /** The tasks in order of arrival. This monitor guards the next two fields too. */
  private final Queue<Task> tasks = newQueue();

  /** The tasks that run before the others, even if the loop is frozen. */
  private final Queue<Task> beforeOthers = newQueue();

  private boolean closed;

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
    this.lane = activity.attach(driver, this, Driver.Kind.EVENT_LOOP);
  }

  /** Returns a queue that stays intact if memory is exhausted while it grows. */
  @SuppressWarnings("JdkObsolete") // an ArrayDeque would lose its tasks
  private static Queue<Task> newQueue() {
    return new LinkedList<>();
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
    add(tasks, source, realm, label, steps);
  }

  /**
   * Queues a task that runs first, even if the loop is frozen. Callable on any thread; no-op once
   * closed.
   */
  void runBeforeOthers(String label, Runnable steps) {
    add(beforeOthers, TaskSource.DOM_MANIPULATION, null, label, steps);
  }

  private void add(
      Queue<Task> queue, TaskSource source, @Nullable Realm realm, String label, Runnable steps) {
    long cause = trace == null ? 0 : trace.current();
    long turn = turns == null ? 0 : turns.current();
    Task task = new Task(source, realm, label, steps, cause, turn);
    synchronized (tasks) {
      if (closed) {
        return;
      }
      queue.add(task);
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
    synchronized (tasks) {
      closed = true;
      tasks.clear();
      beforeOthers.clear();
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
    synchronized (tasks) {
      Task first = beforeOthers.poll();
      if (first != null) {
        if (turns != null) {
          turns.reaches("driver: before others");
        }
        return first;
      }
      Task task = frozen ? null : tasks.poll();
      if (task != null && turns != null) {
        turns.takes(task.turn);
      }
      return task;
    }
  }

  /** Returns the task of the next turn; null for none. */
  private @Nullable Task nextTask() {
    synchronized (tasks) {
      Task first = beforeOthers.peek();
      return first != null || frozen ? first : tasks.peek();
    }
  }

  private void run(Task task) {
    if (task.realm != null && task.realm.isDiscarded()) {
      return;
    }
    activity.taskRuns();
    if (trace == null) {
      run(task.label, task.steps);
      return;
    }
    long id = trace.report(TraceKind.TASK, name, task.description(), task.cause);
    long before = trace.enter(id);
    try {
      run(task.label, task.steps);
    } finally {
      trace.leave(before);
      trace.ended(id);
    }
  }

  private void run(String label, Runnable steps) {
    try {
      steps.run();
    } catch (Throwable failure) {
      failures.in(label, failure);
    }
  }

  /** Returns the description of the first task; due timers queue their tasks behind that task. */
  @Override
  public String nextStep() {
    Task task = nextTask();
    return task != null ? task.description() : nextDeadline() == NEVER ? "" : "timer";
  }

  @Override
  public boolean hasWork() {
    return nextTask() != null;
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
    synchronized (tasks) {
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
