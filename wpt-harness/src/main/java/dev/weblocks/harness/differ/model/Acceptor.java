package dev.weblocks.harness.differ.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The search for a schedule of the model that gives the observed lines. It goes depth first, by
 * runs from the start, and leaves a run when a line differs, or when an earlier run has been in the
 * same state.
 */
public final class Acceptor {

  /** The result of a search. */
  public enum Verdict {
    /** A schedule gives exactly the observed lines. */
    CONFORMS,
    /** A schedule gives the observed lines and then further ones: the observation ended early. */
    CUT_OFF,
    /** No schedule gives the observed lines. */
    DIFFERS,
    /** The search has reached its limit. */
    UNDECIDED
  }

  /**
   * A result.
   *
   * @param steps how many steps of the model the search has taken
   * @param closest the schedule that gives most observed lines, as text: choices, steps of the
   *     draft and lines; empty unless the observation differs
   */
  public record Result(Verdict verdict, long steps, List<String> closest) {}

  private static final class Choice {
    int taken;
    final int count;

    Choice(int count) {
      this.count = count;
    }
  }

  private final Program program;
  private final SortedMap<String, List<String>> observed;
  private final Set<Deviation> deviations;
  private final int total;
  private final Set<String> mayBeTerminated = new HashSet<>();
  private final Set<Long> states = new HashSet<>();
  private List<Choice> path = new ArrayList<>();
  private List<Integer> best = List.of();
  private int bestLines = -1;
  private String bestProblem = "";
  private long steps;

  /** The lines of the current run that were observed, and those that were not. */
  private int matched;

  private int surplus;
  private boolean allLinesMayEnd;
  private String problem = "";

  private Acceptor(
      Program program, SortedMap<String, List<String>> observed, Set<Deviation> deviations) {
    this.program = program;
    this.observed = observed;
    this.deviations = deviations;
    this.total = observed.values().stream().mapToInt(List::size).sum();
    program
        .statements()
        .forEach(each -> {
          if (each instanceof Statement.End end) {
            mayBeTerminated.add(end.realm());
          }
        });
  }

  /**
   * Searches.
   *
   * @param observed the lines by realm
   * @param limit the maximum number of steps of the model
   */
  public static Result search(
      Program program,
      SortedMap<String, List<String>> observed,
      Set<Deviation> deviations,
      long limit) {
    Acceptor whole = new Acceptor(program, observed, deviations);
    Verdict verdict = whole.search(limit);
    long steps = whole.steps;
    if (verdict != Verdict.DIFFERS) {
      return new Result(verdict, steps, List.of());
    }
    Acceptor part = new Acceptor(program, observed, deviations);
    part.allLinesMayEnd = true;
    boolean isPart = part.search(limit) == Verdict.CONFORMS;
    return new Result(
        isPart ? Verdict.CUT_OFF : Verdict.DIFFERS, steps + part.steps, whole.closest());
  }

  /** Returns the lines of the first schedule, in which each step comes as early as it can. */
  public static SortedMap<String, List<String>> firstSchedule(
      Program program, Set<Deviation> deviations) {
    SortedMap<String, List<String>> lines = new TreeMap<>();
    Machine machine =
        new Machine(
            program,
            deviations,
            (realm, line) ->
                lines.computeIfAbsent(realm.name(), name -> new ArrayList<>()).add(line),
            null);
    while (machine.optionCount() > 0) {
      machine.perform(0);
    }
    return lines;
  }

  private Verdict search(long limit) {
    while (true) {
      if (run(null)) {
        return Verdict.CONFORMS;
      }
      while (!path.isEmpty() && path.getLast().taken + 1 >= path.getLast().count) {
        path.removeLast();
      }
      if (path.isEmpty()) {
        return Verdict.DIFFERS;
      }
      if (steps > limit) {
        return Verdict.UNDECIDED;
      }
      path.getLast().taken++;
    }
  }

  /** Runs the program by the path, which it extends by first choices. */
  private boolean run(@Nullable List<String> trace) {
    matched = 0;
    surplus = 0;
    problem = "the model has nothing left to do";
    Machine machine = new Machine(program, deviations, this::expects, trace);
    int at = 0;
    boolean accepted = false;
    try {
      while (true) {
        int count = machine.optionCount();
        if (count == 0) {
          accepted = matched == total && (surplus == 0 || onlyTerminatedHaveSurplus(machine));
          break;
        }
        if (allLinesMayEnd && matched == total) {
          accepted = true;
          break;
        }
        int taken = 0;
        if (count > 1) {
          if (at < path.size()) {
            taken = path.get(at).taken;
          } else {
            if (!states.add(machine.fingerprint())) {
              return false;
            }
            path.add(new Choice(count));
          }
          at++;
        }
        steps++;
        machine.perform(taken);
      }
    } catch (Machine.Departed departed) {
      accepted = allLinesMayEnd && matched == total;
    }
    if (!accepted && matched > bestLines) {
      bestLines = matched;
      bestProblem = problem;
      best = path.stream().map(choice -> choice.taken).toList();
    }
    return accepted;
  }

  private boolean onlyTerminatedHaveSurplus(Machine machine) {
    boolean only =
        program.realms().stream()
            .allMatch(each -> {
              ModelRealm realm = machine.realm(each.name());
              return realm.terminated || realm.lines <= lines(each.name()).size();
            });
    if (!only) {
      problem = "a terminated worker would have logged more";
    }
    return only;
  }

  private List<String> lines(String realm) {
    return observed.getOrDefault(realm, List.of());
  }

  private boolean expects(ModelRealm realm, String line) {
    List<String> lines = lines(realm.name());
    int index = realm.lines++;
    if (index < lines.size()) {
      if (!lines.get(index).equals(line)) {
        problem = realm.name() + " logged '" + lines.get(index) + "', the model '" + line + "'";
        return false;
      }
      matched++;
      return true;
    }
    surplus++;
    problem = realm.name() + " logged nothing, the model '" + line + "'";
    return allLinesMayEnd || mayBeTerminated.contains(realm.name());
  }

  /** Repeats the run with most observed lines, and returns its steps. */
  private List<String> closest() {
    List<String> trace = new ArrayList<>();
    path = new ArrayList<>();
    for (int taken : best) {
      Choice choice = new Choice(Integer.MAX_VALUE);
      choice.taken = taken;
      path.add(choice);
    }
    states.clear();
    boolean unused = run(trace);
    trace.add("=> " + bestProblem);
    return trace;
  }
}
