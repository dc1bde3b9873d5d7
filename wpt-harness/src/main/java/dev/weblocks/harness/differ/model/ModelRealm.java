package dev.weblocks.harness.differ.model;

import dev.weblocks.harness.differ.model.JsValues.ErrorObject;
import dev.weblocks.harness.differ.model.JsValues.Signal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A realm with its global object and the client of its lock manager. */
final class ModelRealm {
  final Program.Realm program;
  final Agent agent;

  /** Whether the script of the realm has begun. */
  boolean began;

  /** Whether its document is fully active; always true for workers. */
  boolean active = true;

  /** Whether its end has begun. */
  boolean ending;

  /** Whether its locks and requests have ended. */
  boolean ended;

  /** Whether it is a worker that {@code terminate()} ends, at any point of its script. */
  boolean terminated;

  /** The realms whose lock managers this realm can use, by name. */
  final Map<String, ModelRealm> peers = new HashMap<>();

  final Map<Integer, ModelPromise> requests = new HashMap<>();
  final List<ModelPromise> deferreds = new ArrayList<>();
  final List<Signal> signals = new ArrayList<>();
  final Deque<Agent.Task> timers = new ArrayDeque<>();

  /** The steps on the way to the lock manager, by {@link Deviation#SEVERAL_CONNECTIONS}. */
  final Deque<Agent.Task> steps = new ArrayDeque<>();

  /** The callbacks and results of queries, by {@link Deviation#SEVERAL_LOCK_SOURCES}. */
  final Deque<Agent.Task> calls = new ArrayDeque<>();

  /** The thefts and releases that wait, by {@link Deviation#SEVERAL_LOCK_SOURCES}. */
  final Deque<Agent.Task> thefts = new ArrayDeque<>();

  /** The requests and queries whose check has no result, by {@link Deviation#CHECKS_ACCESS}. */
  final Deque<Agent.Task> checks = new ArrayDeque<>();

  /** Whether the first check has its result. */
  boolean checked;

  /** The fingerprint of all that the script of the realm depends on, so far. */
  long history;

  private long created;

  /** How many lines the realm has logged. */
  int lines;

  ModelRealm(Program.Realm program, Agent agent) {
    this.program = program;
    this.agent = agent;
    this.history = program.name().hashCode();
    for (int i = 0; i < Program.DEFERREDS; i++) {
      deferreds.add(new ModelPromise(this));
    }
    for (int i = 0; i < Program.CONTROLLERS; i++) {
      signals.add(new Signal());
    }
  }

  /** Records something that the script of the realm depends on, such as a task that begins. */
  void observe(long fact) {
    history = Agent.mix(history, fact);
    created = 0;
  }

  /** Returns an id for something that the script of the realm creates. */
  long newId() {
    return Agent.mix(history, ++created);
  }

  /** Returns a fingerprint of the realm and of the tasks that wait for it. */
  long fingerprint() {
    long fingerprint = ownFingerprint();
    for (Deque<Agent.Task> queue : List.of(steps, calls, thefts, checks)) {
      fingerprint = Agent.mix(fingerprint, Machine.fingerprint(queue));
    }
    return fingerprint;
  }

  /** Returns a fingerprint of all that decides what a task of the realm logs. */
  long ownFingerprint() {
    long flags = began ? 1 : 0;
    for (boolean flag : new boolean[] {active, ending, ended, terminated, checked, agent.closing}) {
      flags = 2 * flags + (flag ? 1 : 0);
    }
    return Agent.mix(Agent.mix(history, flags), lines);
  }

  String name() {
    return program.name();
  }

  ErrorObject error(String name) {
    return new ErrorObject(name, this);
  }
}
