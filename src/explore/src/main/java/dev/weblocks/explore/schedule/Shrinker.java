package dev.weblocks.explore.schedule;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The search for the simplest schedule with a finding. The simplest one has the lowest {@link
 * Cost}. The result has been run, and has led to the same finding.
 *
 * <p>First it tries the default choices. Then it reorders independent steps, which keeps the
 * finding and removes most switches of a random schedule. Then it leaves out parts of the schedule:
 * its end, then segments of steps of one actor, by delta debugging. It stops when no segment can be
 * left out, extended, or joined with the previous segment of the same actor, or after a number of
 * runs. Choices that a schedule does not contain are the default, see {@link Point#onward()}.
 */
final class Shrinker {

  /** The most steps a reordered run may have; for more, reordering takes longer than the run. */
  private static final int MOST_STEPS = 1_000;

  private final Function<Chooser, Execution> runner;
  private final int maxRuns;
  private int runs;
  private final Set<List<Plan.Segment>> tried = new HashSet<>();

  Shrinker(Function<Chooser, Execution> runner, int maxRuns) {
    this.runner = runner;
    this.maxRuns = maxRuns;
  }

  int runs() {
    return runs;
  }

  /** Returns the simplest run found, or the given run if none is simpler. */
  Execution shrink(Execution failing) {
    Finding finding = failing.finding();
    if (finding == null) {
      throw new IllegalArgumentException("the execution has no finding");
    }
    Execution best = failing;
    best = better(best, finding, List.of());
    if (failing.steps().size() <= MOST_STEPS) {
      best = better(best, finding, inOrder(failing));
    }
    best = better(best, finding, failing.segments());
    boolean improved = true;
    while (improved && runs < maxRuns) {
      Cost before = best.cost();
      best = shorten(best, finding);
      best = leaveOut(best, finding);
      best = lengthen(best, finding);
      best = move(best, finding);
      improved = best.cost().compareTo(before) < 0;
    }
    return best;
  }

  /** Runs a plan; returns its run if simpler with the same finding, otherwise {@code best}. */
  private Execution better(Execution best, Finding finding, List<Plan.Segment> plan) {
    if (runs >= maxRuns || !tried.add(List.copyOf(plan))) {
      return best;
    }
    runs++;
    Execution run = runner.apply(new Plan(plan));
    Finding found = run.finding();
    return found != null && found.isSameAs(finding) && run.cost().compareTo(best.cost()) < 0
        ? run
        : best;
  }

  /** Returns the segments of a run up to its last choice that is not the default. */
  private static List<Plan.Segment> planOf(Execution run) {
    int given = run.givenChoices().size();
    List<Plan.Segment> plan = new ArrayList<>();
    int choice = 0;
    for (Step step : run.steps()) {
      if (choice >= given) {
        break;
      }
      Plan.add(plan, step.actor());
      choice += step.ready().size() > 1 ? 1 : 0;
    }
    return plan;
  }

  private Execution shorten(Execution start, Finding finding) {
    Execution best = start;
    int low = 0;
    int high = planOf(best).size();
    while (low < high && runs < maxRuns) {
      int length = (low + high) / 2;
      Execution next = better(best, finding, planOf(best).subList(0, length));
      if (next == best) {
        low = length + 1;
      } else {
        best = next;
        high = Math.min(length, planOf(best).size());
      }
    }
    return best;
  }

  private Execution leaveOut(Execution start, Finding finding) {
    Execution best = start;
    List<Plan.Segment> plan = planOf(best);
    int chunk = Math.max(1, plan.size() / 2);
    while (runs < maxRuns) {
      Execution next = best;
      for (int from = 0; next == best && from < plan.size(); from += chunk) {
        List<Plan.Segment> rest = new ArrayList<>(plan.subList(0, from));
        plan.subList(Math.min(from + chunk, plan.size()), plan.size())
            .forEach(segment -> append(rest, segment));
        next = better(best, finding, rest);
      }
      if (next != best) {
        best = next;
        plan = planOf(best);
        chunk = Math.max(1, Math.min(chunk, plan.size()));
      } else if (chunk == 1) {
        break;
      } else {
        chunk /= 2;
      }
    }
    return best;
  }

  private static void append(List<Plan.Segment> plan, Plan.Segment segment) {
    if (!plan.isEmpty() && plan.getLast().actor().equals(segment.actor())) {
      long sum = (long) plan.removeLast().steps() + segment.steps();
      plan.add(new Plan.Segment(segment.actor(), (int) Math.min(sum, Integer.MAX_VALUE)));
    } else {
      plan.add(segment);
    }
  }

  /** Tries to extend each segment until its actor has no more work. */
  private Execution lengthen(Execution start, Finding finding) {
    Execution best = start;
    for (int i = 0; i < planOf(best).size() && runs < maxRuns; i++) {
      List<Plan.Segment> plan = planOf(best);
      plan.set(i, new Plan.Segment(plan.get(i).actor(), Integer.MAX_VALUE));
      best = better(best, finding, plan);
    }
    return best;
  }

  /** Tries to join each segment with the next one of the same actor. */
  private Execution move(Execution start, Finding finding) {
    Execution best = start;
    for (int i = 0; i < planOf(best).size() && runs < maxRuns; i++) {
      List<Plan.Segment> plan = planOf(best);
      int next = -1;
      for (int j = i + 1; next < 0 && j < plan.size(); j++) {
        next = plan.get(j).actor().equals(plan.get(i).actor()) ? j : -1;
      }
      if (next > 0) {
        List<Plan.Segment> moved = new ArrayList<>();
        for (int k = 0; k < plan.size(); k++) {
          if (k != next) {
            append(moved, plan.get(k));
          }
          if (k == i) {
            append(moved, plan.get(next));
          }
        }
        best = better(best, finding, moved);
      }
    }
    return best;
  }

  /** Returns a run's steps, reordered for few switches; only independent steps change places. */
  private static List<Plan.Segment> inOrder(Execution run) {
    List<Step> steps = run.steps();
    List<BitSet> before = new ArrayList<>(); // direct dependencies
    for (int i = 0; i < steps.size(); i++) {
      BitSet needed = new BitSet(i);
      for (int j = 0; j < i; j++) {
        needed.set(j, isNeeded(steps.get(j), j, steps.get(i)));
      }
      before.add(needed);
    }
    List<Plan.Segment> order = new ArrayList<>();
    BitSet taken = new BitSet();
    String last = null;
    while (taken.cardinality() < steps.size()) {
      int next = next(steps, before, taken, last);
      taken.set(next);
      last = steps.get(next).actor();
      Plan.add(order, last);
    }
    return order;
  }

  private static boolean isNeeded(Step earlier, int number, Step later) {
    return later.cause() == number
        || earlier.actor().equals(later.actor())
        || earlier.footprint().conflictsWith(later.footprint());
  }

  /** Returns the first step without open dependencies, preferably of the actor of the last step. */
  private static int next(
      List<Step> steps, List<BitSet> before, BitSet taken, @Nullable String last) {
    int first = -1;
    for (int i = 0; i < steps.size(); i++) {
      if (taken.get(i)) {
        continue;
      }
      BitSet missing = (BitSet) before.get(i).clone();
      missing.andNot(taken);
      if (missing.isEmpty()) {
        if (steps.get(i).actor().equals(last)) {
          return i;
        }
        first = first < 0 ? i : first;
      }
    }
    return first;
  }
}
