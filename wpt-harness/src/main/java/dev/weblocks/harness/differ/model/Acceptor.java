package dev.weblocks.harness.differ.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

    /** The fingerprints of the possible next steps. */
    final long[] steps;

    Choice(long[] steps) {
      this.steps = steps;
    }
  }

  /** How many steps the search in the first order may take. */
  private static final long FIRST_PART = 5_000;

  private final Program program;
  private final SortedMap<String, List<String>> observed;
  private final Set<Deviation> deviations;
  private final int total;
  private final Set<String> mayBeTerminated = new HashSet<>();
  private final Set<Long> states = new HashSet<>();

  /** The first wrong line of each step that is known to log one, by fingerprint. */
  private final Map<Long, String> failures = new HashMap<>();

  private List<Choice> path = new ArrayList<>();
  private List<Integer> best = List.of();
  private int bestLines = -1;
  private int bestDisorder;
  private String bestProblem = "";
  private long steps;
  private int disorder;

  /** The number of choices of the current run so far. */
  private int at;

  /** The lines of the current run that were observed, and those that were not. */
  private int matched;

  private int surplus;
  private boolean allLinesMayEnd;
  private String problem = "";

  /** The fingerprint of the step that runs; 0 if it is not known. */
  private long running;

  private Acceptor(
      Program program, SortedMap<String, List<String>> observed, Set<Deviation> deviations) {
    this.program = program;
    this.observed = observed;
    this.deviations =
        deviations.isEmpty() ? Set.of() : EnumSet.copyOf(deviations); // looked up at each step
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
            0,
            new Machine.Guide() {
              @Override
              public boolean expects(ModelRealm realm, String line) {
                return lines.computeIfAbsent(realm.name(), name -> new ArrayList<>()).add(line);
              }

              @Override
              public int choose(Machine ignored, int count) {
                return 0;
              }
            },
            null);
    machine.run();
    return lines;
  }

  /**
   * Searches in many orders, each for longer than the one before: one order may meet the right
   * schedule much later than another, and only a long search can end without one.
   */
  private Verdict search(long limit) {
    Verdict verdict = Verdict.UNDECIDED;
    long part = FIRST_PART;
    for (disorder = 0; verdict == Verdict.UNDECIDED && steps < limit; disorder++) {
      path.clear();
      states.clear();
      verdict = searchInOrder(Math.min(limit, steps + part));
      part += part / 8;
    }
    return verdict;
  }

  private Verdict searchInOrder(long limit) {
    while (true) {
      if (run(null)) {
        return Verdict.CONFORMS;
      }
      while (!path.isEmpty() && !advance(path.getLast())) {
        path.removeLast();
      }
      if (path.isEmpty()) {
        return Verdict.DIFFERS;
      }
      if (steps > limit) {
        return Verdict.UNDECIDED;
      }
    }
  }

  /** Goes to the next step of a choice that is not known to fail; returns whether there is one. */
  private boolean advance(Choice choice) {
    do {
      choice.taken++;
    } while (choice.taken < choice.steps.length
        && failures.containsKey(choice.steps[choice.taken]));
    return choice.taken < choice.steps.length;
  }

  /** Runs the program by the path, which it extends by first choices. */
  private boolean run(@Nullable List<String> trace) {
    matched = 0;
    surplus = 0;
    problem = "the model has nothing left to do";
    at = 0;
    running = 0;
    Machine machine = new Machine(program, deviations, disorder, new Search(), trace);
    boolean accepted;
    try {
      machine.run();
      accepted = matched == total && (surplus == 0 || onlyTerminatedHaveSurplus(machine));
    } catch (Machine.Departed departed) {
      accepted = allLinesMayEnd && matched == total;
    }
    if (!accepted && matched > bestLines) {
      bestLines = matched;
      bestDisorder = disorder;
      bestProblem = problem;
      best = path.stream().map(choice -> choice.taken).toList();
    }
    return accepted;
  }

  private final class Search implements Machine.Guide {
    @Override
    public boolean expects(ModelRealm realm, String line) {
      List<String> lines = lines(realm.name());
      int index = realm.lines++;
      if (index < lines.size()) {
        if (!lines.get(index).equals(line)) {
          fails(realm.name() + " logged '" + lines.get(index) + "', the model '" + line + "'");
          return false;
        }
        matched++;
        return true;
      }
      surplus++;
      problem = realm.name() + " logged nothing, the model '" + line + "'";
      boolean mayEnd = allLinesMayEnd || mayBeTerminated.contains(realm.name());
      if (!mayEnd) {
        fails(problem);
      }
      return mayEnd;
    }

    private void fails(String why) {
      problem = why;
      if (running != 0) {
        failures.put(running, why);
      }
    }

    @Override
    public int choose(Machine machine, int count) {
      if (allLinesMayEnd && matched == total) {
        throw new Machine.Departed();
      }
      steps++;
      running = 0;
      if (count == 1) {
        return 0;
      }
      if (at == path.size()) {
        if (!states.add(machine.fingerprint())) {
          throw new Machine.Departed();
        }
        Choice choice = new Choice(fingerprints(machine, count));
        choice.taken = -1;
        if (!advance(choice)) {
          problem = failures.getOrDefault(choice.steps[0], problem);
          throw new Machine.Departed();
        }
        path.add(choice);
      }
      Choice choice = path.get(at++);
      running = choice.steps.length == 0 ? 0 : choice.steps[choice.taken];
      return choice.taken;
    }
  }

  private static long[] fingerprints(Machine machine, int count) {
    long[] fingerprints = new long[count];
    Arrays.setAll(fingerprints, machine::fingerprint);
    return fingerprints;
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

  /** Repeats the run with most observed lines, and returns its steps. */
  private List<String> closest() {
    List<String> trace = new ArrayList<>();
    path = new ArrayList<>();
    for (int taken : best) {
      Choice choice = new Choice(new long[0]);
      choice.taken = taken;
      path.add(choice);
    }
    states.clear();
    disorder = bestDisorder;
    boolean unused = run(trace);
    trace.add("=> " + bestProblem);
    return trace;
  }
}
