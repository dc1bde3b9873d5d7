package dev.weblocks.harness.differ.model;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * An agent with its event loop. A task and the microtasks after it run without a pause; what they
 * do to others are actions, which reach the others one by one.
 */
final class Agent {

  /**
   * A task, or an action.
   *
   * @param id equal in all runs in which the task has the same causes
   * @param age order of creation in a run
   * @param realm the one whose document has to be active
   * @param script the one whose script runs; no task runs scripts of two
   */
  record Task(long id, long age, ModelRealm realm, ModelRealm script, Runnable steps) {
    Task(long id, long age, ModelRealm realm, Runnable steps) {
      this(id, age, realm, realm, steps);
    }
  }

  private record Job(@Nullable ModelRealm realm, Runnable steps) {}

  private final Deque<Job> microtasks = new ArrayDeque<>();
  private boolean performingCheckpoint;

  /** The web locks task source. */
  final Deque<Task> locks = new ArrayDeque<>();

  /** The DOM manipulation task source, with messages of channels. */
  final Deque<Task> messages = new ArrayDeque<>();

  /** The networking task source, with scripts that begin; their order is open. */
  final Deque<Task> scripts = new ArrayDeque<>();

  /** The actions of the current task that have not reached others. */
  final Deque<Task> actions = new ArrayDeque<>();

  /** Whether a worker has called {@code close()}. */
  boolean closing;

  /** The client of the next lock task, since no checkpoint has followed the previous; or null. */
  @Nullable ModelRealm joining;

  /** Whether tasks run inside a script, by {@link Deviation#OPEN_RUNS_TASKS}. */
  boolean nested;

  /** Whether no task runs any more. */
  boolean ended;

  static long mix(long a, long b) {
    long z = (a ^ Long.rotateLeft(b * 0x9E3779B97F4A7C15L, 31)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 29)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 32);
  }

  /**
   * Runs a task.
   *
   * @param joined the client whose next lock task follows without a microtask checkpoint, or null
   */
  void run(Task task, @Nullable ModelRealm joined) {
    boolean outer = performingCheckpoint; // true in a script that runs tasks
    performingCheckpoint = false;
    task.script().observe(task.id());
    task.steps().run();
    joining = joined;
    if (joined != null) {
      task.script().observe(1);
    } else {
      performCheckpoint();
    }
    performingCheckpoint = outer;
  }

  /** Queues a microtask; a realm whose document is not fully active runs none. */
  void queueMicrotask(@Nullable ModelRealm realm, Runnable steps) {
    microtasks.add(new Job(realm, steps));
  }

  /**
   * <a href="https://html.spec.whatwg.org/#perform-a-microtask-checkpoint">perform a microtask
   * checkpoint</a>
   */
  void performCheckpoint() {
    if (performingCheckpoint) {
      return; // 1
    }
    performingCheckpoint = true; // 2
    for (Job job = microtasks.poll(); job != null; job = microtasks.poll()) { // 3
      if (job.realm() == null || job.realm().active) {
        job.steps().run();
      }
    }
    performingCheckpoint = false; // 7
  }

  /** Performs a microtask checkpoint inside a script or a microtask. */
  void checkpointInScript() {
    boolean outer = performingCheckpoint;
    performingCheckpoint = false;
    performCheckpoint();
    performingCheckpoint = outer;
  }

  /** Ends the agent: nothing of it runs any more, and no action is performed. */
  void end() {
    ended = true;
    locks.clear();
    messages.clear();
    scripts.clear();
    actions.clear();
  }
}
