package dev.weblocks.harness.differ.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run of a program: its agents, and the choices that the texts leave open. */
final class Machine implements Interpreter.World, LockQueue.Host {

  /** The decisions about a run. */
  interface Guide {
    /** Receives a line, and returns whether the run may go on. */
    boolean expects(ModelRealm realm, String line);

    /**
     * Chooses one of the possible next steps, the likely ones first.
     *
     * @param count more than 0
     * @throws Departed to end the run
     */
    int choose(Machine machine, int count);
  }

  /** The end of a run that is not of interest. */
  @SuppressWarnings("serial") // never serialized
  static final class Departed extends RuntimeException {
    Departed() {
      super(null, null, false, false);
    }
  }

  /**
   * A possible next step. Its label is for a trace, and empty if that shows nothing.
   *
   * @param agent the one whose state decides what the step logs; null if the step logs nothing
   * @param id equal in all runs in which the step has the same causes
   */
  private record Option(
      long age,
      String kind,
      @Nullable Agent agent,
      long id,
      @Nullable ModelRealm realm,
      Runnable steps) {
    String label() {
      return realm == null ? kind : kind + " of " + realm.name();
    }
  }

  /** The end of a realm that waits for its cleanup. */
  private record Ending(long age, ModelRealm realm) {}

  /** An order moves a step by 2 to the power of this number at most. */
  private static final int WIDEST = 6;

  private final Program program;
  private final Interpreter interpreter;
  private final Set<Deviation> deviations;
  private final int disorder;
  private final Guide guide;
  private final List<String> trace;
  private final boolean tracing;
  private final Map<String, ModelRealm> realms = new LinkedHashMap<>();
  private final List<Agent> agents = new ArrayList<>();
  private final List<Ending> endings = new ArrayList<>();

  /** The windows whose {@code open()} has not returned; the script has no reference to them yet. */
  private final Set<String> opening = new HashSet<>();

  private List<Option> open = List.of();
  private long age;
  private @Nullable Agent latest;

  /**
   * Creates a run.
   *
   * @param disorder which order the possible next steps have; 0 for that of their age
   * @param trace receives the steps as text; null if they are not needed
   */
  Machine(
      Program program,
      Set<Deviation> deviations,
      int disorder,
      Guide guide,
      @Nullable List<String> trace) {
    this.program = program;
    this.deviations = deviations;
    this.disorder = disorder;
    this.guide = guide;
    this.tracing = trace != null;
    this.trace = trace == null ? new ArrayList<>() : trace;
    this.interpreter = new Interpreter(this, this, deviations);
    create(program.realms().getFirst(), 1);
  }

  private void create(Program.Realm realm, long id) {
    Agent agent;
    if (realm.kind().isOfMainAgent() && !agents.isEmpty()) {
      agent = agents.getFirst();
    } else {
      agent = new Agent();
      agents.add(agent);
    }
    ModelRealm made = new ModelRealm(realm, agent);
    realms.put(realm.name(), made);
    agent.scripts.add(new Agent.Task(id, ++age, made, () -> begin(made)));
  }

  private void begin(ModelRealm realm) {
    realm.began = true;
    ModelRealm main = realms.get(Program.MAIN);
    if (main != null && main != realm && realm.agent == main.agent) {
      main.peers.put(realm.name(), realm);
      realm.peers.put(Program.MAIN, main);
    }
    interpreter.run(realm, realm.program.body());
  }

  ModelRealm realm(String name) {
    ModelRealm realm = realms.get(name);
    return realm == null ? new ModelRealm(program.realm(name), new Agent()) : realm;
  }

  /**
   * Runs the program.
   *
   * @throws Departed if the guide ends the run
   */
  void run() {
    for (List<Option> options = options(); !options.isEmpty(); options = options()) {
      perform(chosen(options));
    }
  }

  private Option chosen(List<Option> options) {
    open = options;
    return options.get(guide.choose(this, options.size()));
  }

  /**
   * Returns a fingerprint of a possible next step that is equal for steps that log equal lines.
   * Valid during the choice.
   */
  long fingerprint(int option) {
    Option step = open.get(option);
    long state = Agent.mix(step.id(), step.kind().hashCode());
    Agent agent = step.agent();
    return agent == null ? state : Agent.mix(state, scripts(agent));
  }

  private long scripts(Agent agent) {
    long state = agent.joining == null ? 0 : agent.joining.name().hashCode();
    for (ModelRealm realm : realms.values()) {
      if (realm.agent == agent) {
        state = Agent.mix(state, realm.ownFingerprint());
      }
    }
    return state;
  }

  /** Returns the possible next steps, the likely ones first. */
  private List<Option> options() {
    List<Option> found = new ArrayList<>();
    for (Agent agent : agents) {
      if (!addAction(agent, found) && !agent.ended) {
        addTasks(agent, found);
      }
    }
    for (Ending ending : endings) {
      Agent agent = ending.realm().agent;
      if (ending.realm().terminated || !agent.closing || agent.actions.isEmpty()) {
        found.add(new Option(ending.age(), "cleanup", null, 0, null, () -> cleanUp(ending)));
      }
    }
    if (found.size() > 1) {
      found.sort(Comparator.comparingLong(this::order));
    }
    return found;
  }

  private long order(Option option) {
    return disorder == 0
        ? option.age()
        : option.age() + Math.floorMod(Agent.mix(option.age(), disorder), 2L << disorder % WIDEST);
  }

  private boolean addAction(Agent agent, List<Option> found) {
    Agent.Task action = agent.actions.peek();
    if (action != null) {
      // the agent that has just run performs its actions first
      long order = agent == latest ? -action.age() - 1 : -1;
      found.add(
          new Option(order, agent == latest ? "" : "action", null, 0, null, () -> act(agent)));
    }
    return action != null;
  }

  private void addTasks(Agent agent, List<Option> found) {
    for (ModelRealm client : realms.values()) {
      Agent.Task step = client.steps.peek();
      if (step != null && client.agent == agent) {
        found.add(new Option(step.age(), "lock step", null, 0, client, () -> send(client)));
      }
    }
    addFirst(agent, agent.locks, "web locks task", found);
    for (ModelRealm client : realms.values()) {
      if (client.agent == agent && (agent.joining == null || agent.joining == client)) {
        addJoinable(agent, client, client.calls, found);
        addJoinable(agent, client, client.thefts, found);
      }
    }
    if (agent.joining != null) {
      return;
    }
    addFirst(agent, agent.messages, "message", found);
    for (Agent.Task script : agent.scripts) {
      if (script.realm().active) {
        found.add(
            new Option(
                script.age(),
                "script",
                agent,
                script.id(),
                script.realm(),
                () -> {
                  agent.scripts.remove(script);
                  run(agent, script, null);
                }));
      }
    }
    for (ModelRealm realm : realms.values()) {
      if (realm.agent == agent) {
        addFirst(agent, realm.timers, "timer", found);
        addFirst(agent, realm.checks, "result of a check", found);
        if (realm.name().equals(Program.MAIN)
            && !realm.checked
            && deviations.contains(Deviation.CHECKS_ACCESS)) {
          found.add(
              new Option(age + 1, "query by the runtime", agent, 0, null, () -> check(realm)));
        }
      }
    }
  }

  /** Adds the first lock task of a client, and the same without a microtask checkpoint. */
  private void addJoinable(
      Agent agent, ModelRealm client, Deque<Agent.Task> queue, List<Option> found) {
    addFirst(agent, queue, "web locks task", found);
    Agent.Task task = queue.peek();
    if (deviations.contains(Deviation.JOINS_LOCK_TASKS)
        && task != null
        && client.calls.size() + client.thefts.size() > 1) {
      found.add(
          new Option(
              task.age(),
              "web locks task without checkpoint",
              agent,
              task.id(),
              task.realm(),
              () -> {
                queue.remove();
                run(agent, task, client);
              }));
    }
  }

  /** Adds the first task whose document is fully active; others never run again. */
  private void addFirst(Agent agent, Deque<Agent.Task> queue, String kind, List<Option> found) {
    Agent.Task first = queue.peek();
    while (first != null && !first.realm().active) {
      queue.remove();
      first = queue.peek();
    }
    if (first != null) {
      Agent.Task task = first;
      found.add(
          new Option(
              task.age(),
              kind,
              agent,
              task.id(),
              task.realm(),
              () -> {
                queue.remove();
                run(agent, task, null);
              }));
    }
  }

  private void perform(Option chosen) {
    if (tracing && !chosen.label().isEmpty()) {
      trace.add("-- " + chosen.label());
    }
    chosen.steps().run();
  }

  private void run(Agent agent, Agent.Task task, @Nullable ModelRealm joined) {
    latest = agent;
    agent.run(task, joined);
    if (!agent.actions.isEmpty() && !mayEnd(agent)) {
      act(agent); // other agents cannot tell whether they have run before this task or after it
    }
  }

  private static void check(ModelRealm client) {
    client.checked = true;
  }

  private static void send(ModelRealm client) {
    client.steps.remove().steps().run();
  }

  private void act(Agent agent) {
    agent.actions.remove().steps().run();
  }

  /** Returns whether the next step may be the end of a realm of this agent. */
  private boolean mayEnd(Agent agent) {
    return endings.stream().anyMatch(each -> each.realm().agent == agent);
  }

  private void cleanUp(Ending ending) {
    endings.remove(ending);
    ModelRealm realm = ending.realm();
    if (realm.program.kind().isOfMainAgent()) {
      realm.active = false;
    } else {
      realm.agent.end();
    }
    realm.history = 0;
    interpreter.locks().end(realm);
  }

  /** Returns a fingerprint that is equal for runs that continue equally. */
  long fingerprint() {
    long state = interpreter.locks().fingerprint();
    for (Agent agent : agents) {
      long each = fingerprint(agent.locks);
      each = Agent.mix(each, fingerprint(agent.messages));
      each = Agent.mix(each, fingerprint(agent.actions));
      each = Agent.mix(each, agent.joining == null ? 0 : agent.joining.name().hashCode());
      for (ModelRealm realm : realms.values()) {
        if (realm.agent == agent) {
          each = Agent.mix(each, realm.fingerprint());
        }
      }
      for (Agent.Task script : agent.scripts) {
        each += script.id();
      }
      state = Agent.mix(state, each);
    }
    for (Ending ending : endings) {
      state += Agent.mix(ending.realm().name().hashCode(), ending.realm().terminated ? 1 : 2);
    }
    return state;
  }

  static long fingerprint(Deque<Agent.Task> queue) {
    long fingerprint = 0;
    for (Agent.Task task : queue) {
      fingerprint = Agent.mix(fingerprint, task.id());
    }
    return fingerprint;
  }

  @Override
  public void log(ModelRealm realm, String line) {
    if (!realm.active || realm.agent.closing) {
      return;
    }
    if (tracing) {
      trace.add("   " + realm.name() + ": " + line);
    }
    if (!guide.expects(realm, line)) {
      throw new Departed();
    }
  }

  @Override
  public void trace(Supplier<String> step) {
    if (tracing) {
      trace.add("   " + step.get());
    }
  }

  @Override
  public void timer(ModelRealm realm, Runnable steps) {
    if (!realm.agent.closing) {
      realm.timers.add(new Agent.Task(realm.newId(), ++age, realm, steps));
    }
  }

  private void act(Agent agent, long id, ModelRealm realm, Runnable steps) {
    agent.actions.add(new Agent.Task(id, ++age, realm, steps));
  }

  @Override
  public void enqueue(ModelRealm caller, ModelRealm client, Supplier<String> label, Runnable step) {
    boolean several = deviations.contains(Deviation.SEVERAL_CONNECTIONS);
    (several ? client.steps : caller.agent.actions)
        .add(
            new Agent.Task(
                caller.newId(),
                ++age,
                caller,
                () -> {
                  trace(label);
                  step.run();
                }));
  }

  @Override
  public void queue(
      LockQueue.Purpose purpose,
      ModelRealm client,
      ModelRealm realm,
      ModelRealm caller,
      long id,
      Runnable steps) {
    if (realm.agent.closing || realm.agent.ended) {
      return;
    }
    Deque<Agent.Task> queue =
        !deviations.contains(Deviation.SEVERAL_LOCK_SOURCES)
            ? realm.agent.locks
            : switch (purpose) {
              case CALL, ANSWER_QUERY -> client.calls;
              case SETTLE -> client.thefts;
            };
    queue.add(new Agent.Task(id, ++age, realm, caller, steps));
  }

  @Override
  public void enter(ModelRealm client, ModelRealm caller, Runnable action) {
    caller.observe(client.checked ? 5 : 6);
    if (!deviations.contains(Deviation.CHECKS_ACCESS) || client.checked) {
      action.run();
    } else {
      client.checks.add(
          new Agent.Task(
              caller.newId(),
              ++age,
              client,
              caller,
              () -> {
                client.checked = true;
                action.run();
              }));
    }
  }

  @Override
  public ModelPromise invoke(LockQueue.Request request, Object argument, ModelPromise into) {
    return interpreter.invoke(request, argument, into);
  }

  @Override
  public void send(ModelRealm from, String to, int message) {
    if (!from.active || from.agent.closing) {
      return;
    }
    long id = from.newId();
    act(
        from.agent,
        id,
        from,
        () -> {
          ModelRealm target = realm(to);
          if (target.began
              && target.active
              && !target.agent.closing
              && !target.agent.ended
              && message < target.program.handlers().size()) {
            target.agent.messages.add(
                new Agent.Task(
                    id,
                    ++age,
                    target,
                    () -> interpreter.run(target, target.program.handlers().get(message))));
          }
        });
  }

  @Override
  public void start(ModelRealm from, String realm) {
    long id = from.newId();
    act(
        from.agent,
        id,
        from,
        () -> {
          if (!realms.containsKey(realm)) {
            create(program.realm(realm), id);
          }
        });
    if (program.realm(realm).kind() == Program.Kind.WINDOW
        && deviations.contains(Deviation.OPEN_RUNS_TASKS)) {
      opening.add(realm);
      spin(from);
      opening.remove(realm);
    }
  }

  /** Takes any steps before a call in a script of the agent returns. */
  private void spin(ModelRealm caller) {
    Agent agent = caller.agent;
    boolean outer = agent.nested;
    agent.nested = true;
    Option end = new Option(0, "end of a loop in open()", agent, 0, null, () -> {});
    Option task = new Option(0, "task without effect", agent, 0, null, agent::checkpointInScript);
    Option chosen = null;
    while (chosen != end) {
      caller.observe(7); // its microtasks may have run
      List<Option> options = options();
      if (chosen == null) {
        options.addFirst(task);
      }
      options.addFirst(end);
      chosen = chosen(options);
      perform(chosen);
    }
    agent.nested = outer;
    caller.observe(8);
  }

  /** Ends a realm. A frame is not fully active at once; the rest happens at any later moment. */
  @Override
  public void end(ModelRealm from, String name) {
    Program.Kind kind = program.realm(name).kind();
    if (kind == Program.Kind.SHARED_WORKER || opening.contains(name)) {
      return;
    }
    if (kind == Program.Kind.FRAME && realms.containsKey(name)) {
      realm(name).active = false;
    }
    act(
        from.agent,
        from.newId(),
        from,
        () -> {
          ModelRealm realm = realms.get(name);
          if (realm == null) {
            return;
          }
          realm.terminated = kind == Program.Kind.WORKER;
          if (!realm.ending) {
            realm.ending = true;
            if (kind == Program.Kind.FRAME) {
              realm.active = false; // a frame that the same task has created
            }
            endings.add(new Ending(++age, realm));
          }
        });
  }

  /** <a href="https://html.spec.whatwg.org/#close-a-worker">close a worker</a> */
  @Override
  public void close(ModelRealm worker) {
    Agent agent = worker.agent;
    if (agent.closing) {
      return;
    }
    agent.closing = true; // 2
    agent.locks.clear(); // 1
    worker.calls.clear();
    worker.thefts.clear();
    agent.messages.clear();
    worker.timers.clear();
    if (!worker.ending) {
      worker.ending = true;
      endings.add(new Ending(++age, worker));
    }
  }
}
