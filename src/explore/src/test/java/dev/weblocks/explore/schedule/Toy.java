package dev.weblocks.explore.schedule;

import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scenario of a small program: actors that share variables and send each other messages. Each
 * operation is one step.
 */
final class Toy implements Scenario {

  /** The operation of one step. */
  sealed interface Op {
    /** Changes a variable so that the result depends on the order of changes. */
    record Write(String variable, int value) implements Op {}

    /** Reads a variable into the actor's register, so that the outcome depends on the value. */
    record Read(String variable) implements Op {}

    /** Sends a message to an actor. */
    record Send(String to) implements Op {}

    /** Waits for a message and removes the oldest one. */
    record Receive() implements Op {}
  }

  static Op write(String variable, int value) {
    return new Op.Write(variable, value);
  }

  static Op read(String variable) {
    return new Op.Read(variable);
  }

  static Op send(String to) {
    return new Op.Send(to);
  }

  static Op receive() {
    return new Op.Receive();
  }

  private record Message(String from, int number, long turn) {}

  /** The state of a run. */
  static final class State {
    private final Map<String, List<Op>> program;
    private final Map<String, Integer> done = new HashMap<>();
    private final Map<String, Deque<Message>> mailboxes = new HashMap<>();
    private final Map<String, Integer> variables = new TreeMap<>();
    private final Map<String, Integer> registers = new TreeMap<>();
    private final List<String> order = new ArrayList<>();
    private int messages;

    State(Map<String, List<Op>> program) {
      this.program = program;
      for (String actor : program.keySet()) {
        done.put(actor, 0);
        mailboxes.put(actor, new ArrayDeque<>());
        registers.put(actor, 1);
      }
    }

    List<String> ready() {
      return program.keySet().stream().filter(actor -> next(actor) != null).toList();
    }

    @Nullable Op next(String actor) {
      List<Op> ops = program.get(actor);
      int at = done.get(actor);
      if (at == ops.size()) {
        return null;
      }
      Op op = ops.get(at);
      return op instanceof Op.Receive && mailboxes.get(actor).isEmpty() ? null : op;
    }

    /** Takes a step; returns the number of the turn that caused it. */
    long take(String actor, long turn, Set<String> reached, Set<String> woken) {
      Op op = next(actor);
      if (op == null) {
        throw new IllegalStateException(actor + " has nothing to do");
      }
      done.merge(actor, 1, Integer::sum);
      order.add(actor);
      switch (op) {
        case Op.Write(String variable, int value) -> {
          reached.add("write " + variable);
          variables.merge(variable, value, (old, added) -> old * 3 + added);
        }
        case Op.Read(String variable) -> {
          reached.add("read " + variable);
          registers.merge(
              actor, variables.getOrDefault(variable, 0), (old, seen) -> old * 31 + seen);
        }
        case Op.Send(String to) -> {
          woken.add(to);
          mailboxes.get(to).add(new Message(actor, done.get(actor), turn));
        }
        case Op.Receive() -> {
          Message message = mailboxes.get(actor).remove();
          registers.merge(
              actor, (message.from + message.number).hashCode(), (old, got) -> old * 31 + got);
          return message.turn;
        }
      }
      return 0;
    }

    /** Returns everything that depends on the order of dependent steps. */
    String outcome() {
      Map<String, List<String>> left = new TreeMap<>();
      mailboxes.forEach((actor, mailbox) ->
          left.put(actor, mailbox.stream().map(message -> message.from + message.number).toList()));
      return variables + " " + registers + " " + left + " " + new TreeMap<>(done);
    }

    /** Returns the actors in the order of their steps. */
    List<String> order() {
      return order;
    }
  }

  private final Map<String, List<Op>> program = new LinkedHashMap<>();
  private final Function<State, @Nullable String> check;

  /** The outcomes of the runs so far. */
  final List<String> outcomes = Collections.synchronizedList(new ArrayList<>());

  /** The orders of the runs so far. */
  final List<List<String>> orders = Collections.synchronizedList(new ArrayList<>());

  /**
   * Creates an empty program.
   *
   * @param check returns the problem at the end of a run; null if there is none
   */
  Toy(Function<State, @Nullable String> check) {
    this.check = check;
  }

  Toy() {
    this(state -> null);
  }

  Toy with(String actor, Op... ops) {
    program.put(actor, Arrays.asList(ops));
    return this;
  }

  State start() {
    return new State(program);
  }

  /** Copies the program to another toy. */
  void programInto(Toy other) {
    other.program.putAll(program);
  }

  /** Creates a program of some actors with random operations. */
  static Toy random(SplittableRandom random, int actors, int steps) {
    Toy toy = new Toy();
    for (int i = 0; i < actors; i++) {
      Op[] ops = new Op[steps];
      for (int k = 0; k < steps; k++) {
        String variable = random.nextBoolean() ? "x" : "y";
        ops[k] =
            switch (random.nextInt(6)) {
              case 0, 1 -> write(variable, 1 + i * 10 + k);
              case 2, 3 -> read(variable);
              case 4 -> send("abc".substring(random.nextInt(actors)).substring(0, 1));
              default -> receive();
            };
      }
      toy.with("abc".substring(i, i + 1), ops);
    }
    return toy;
  }

  /** Returns the footprints of the steps of such programs. */
  static Footprints footprints() {
    return turn -> {
      Set<String> reads = new HashSet<>();
      Set<String> writes = new HashSet<>();
      for (String way : turn.reached()) {
        (way.startsWith("read ") ? reads : writes).add(way.replaceFirst("\\w+ ", ""));
      }
      turn.woken().forEach(actor -> writes.add("mailbox of " + actor));
      return Footprint.of(reads, writes);
    };
  }

  @Override
  public Play begin(Schedule schedule, @Nullable TraceListener trace) {
    return new ToyPlay(schedule);
  }

  private final class ToyPlay implements Play {
    private final Schedule schedule;
    private final State state = start();
    private final List<String> events = new ArrayList<>();
    private long turns;

    ToyPlay(Schedule schedule) {
      this.schedule = schedule;
    }

    @Override
    public boolean step() {
      List<Schedule.Actor> ready =
          state.ready().stream().map(name -> new Schedule.Actor(name, shown(name))).toList();
      if (ready.isEmpty()) {
        return false;
      }
      Schedule.Actor chosen = ready.get(ready.size() == 1 ? 0 : schedule.choose(ready));
      long number = ++turns;
      schedule.turnBegins(number, chosen, ready);
      Set<String> reached = new HashSet<>();
      Set<String> woken = new HashSet<>();
      long cause = state.take(chosen.name(), number, reached, woken);
      events.add(chosen.name() + " did " + chosen.nextStep());
      schedule.turnEnded(
          new Schedule.Turn(number, chosen.name(), chosen.nextStep(), cause, woken, reached));
      return true;
    }

    private String shown(String actor) {
      return String.valueOf(state.next(actor));
    }

    @Override
    public @Nullable Finding finding() {
      return null;
    }

    @Override
    public @Nullable Finding findingAtRest() {
      outcomes.add(state.outcome());
      orders.add(List.copyOf(state.order()));
      String wrong = check.apply(state);
      return wrong == null ? null : new Finding(Finding.Kind.ASSERTION, wrong, wrong);
    }

    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public long state() {
      return Coverage.mix(Coverage.START, state.outcome());
    }

    @Override
    public List<String> takeEvents() {
      List<String> taken = List.copyOf(events);
      events.clear();
      return taken;
    }

    @Override
    public String label(String actor) {
      return "actor " + actor;
    }

    @Override
    public void close() {}
  }

  /** Returns the final states of all orders, by brute force. */
  List<State> all() {
    List<State> all = new ArrayList<>();
    collect(new ArrayList<>(), all);
    return all;
  }

  private void collect(List<String> prefix, List<State> all) {
    State state = start();
    for (String actor : prefix) {
      long unused = state.take(actor, 0, new HashSet<>(), new HashSet<>());
    }
    List<String> ready = state.ready();
    if (ready.isEmpty()) {
      all.add(state);
    }
    for (String actor : ready) {
      prefix.add(actor);
      collect(prefix, all);
      prefix.removeLast();
    }
  }

  /** Returns the number of preemptions in an order. */
  int preemptions(List<String> order) {
    State state = start();
    int preemptions = 0;
    String previous = null;
    for (String actor : order) {
      preemptions += Execution.isPreemption(previous, actor, state.ready()) ? 1 : 0;
      long unused = state.take(actor, 0, new HashSet<>(), new HashSet<>());
      previous = actor;
    }
    return preemptions;
  }

  static int switches(List<String> order) {
    int switches = 0;
    for (int i = 1; i < order.size(); i++) {
      switches += order.get(i).equals(order.get(i - 1)) ? 0 : 1;
    }
    return switches;
  }

  /**
   * Returns a text that is equal for orders that differ only in independent steps: the order of the
   * dependent steps, by variable and mailbox.
   */
  String dependencies(List<String> order) {
    State state = start();
    Map<String, List<String>> touched = new TreeMap<>();
    Map<String, Integer> taken = new HashMap<>();
    for (String actor : order) {
      String step = actor + taken.merge(actor, 1, Integer::sum);
      Set<String> reached = new HashSet<>();
      Set<String> woken = new HashSet<>();
      long unused = state.take(actor, 0, reached, woken);
      for (String way : reached) {
        String variable = way.replaceFirst("\\w+ ", "");
        List<String> uses = touched.computeIfAbsent(variable, made -> new ArrayList<>());
        if (way.startsWith("write ")) {
          uses.add("write " + step);
        } else {
          // reads between two writes are unordered
          int end = uses.size();
          int at = end;
          while (at > 0 && !uses.get(at - 1).startsWith("write ")) {
            at--;
          }
          List<String> reads = new ArrayList<>(uses.subList(at, end));
          reads.add("read " + step);
          reads.sort(null);
          while (uses.size() > at) {
            uses.removeLast();
          }
          uses.addAll(reads);
        }
      }
      woken.forEach(
          to -> touched.computeIfAbsent("mailbox " + to, made -> new ArrayList<>()).add(step));
    }
    return touched.toString();
  }
}
