package dev.weblocks.explore;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs all schedules of a scenario, depth first, but for those that only change the order of
 * independent steps. A run cannot be taken back to a state, so each one begins anew and repeats the
 * choices that lead to the state from which it goes another way.
 *
 * <p><b>What is left out.</b> Two steps are dependent if they are of one actor, if one has queued
 * what the other does, or if their {@linkplain Footprint footprints} meet. Any two schedules that
 * differ in the order of independent steps alone come to the same, step by step; of all of them one
 * is enough. Two means see to it that nearly no more than one is run:
 *
 * <ul>
 *   <li>Races (dynamic partial-order reduction with source sets; Abdulla, Aronis, Jonsson and
 *       Sagonas, POPL 2014). After a run it is known which steps were dependent. Where a step came
 *       after a dependent one of another actor, with nothing between them that put them into this
 *       order, the other order may be possible: then a step that leads there is to be tried at the
 *       point before the earlier one. Nothing else is tried.
 *   <li>Sleeping steps (Godefroid, 1996). When all that follows from taking a step at a point has
 *       been run, that step sleeps at this point while others are taken there, and goes on to sleep
 *       behind each of them that is independent of it: what it leads to there was run already. A
 *       run in which only sleeping steps are left is broken off.
 * </ul>
 *
 * <p>Both rest on nothing but this: independent steps that can both be taken lead to the same state
 * in either order, and neither of them makes the other possible, impossible, or another one. {@link
 * KnownFootprints} says why that holds; a step of which nothing is known has a footprint that meets
 * all others, and is never left out. If a step was queued by another one, the order of the two is
 * no race.
 *
 * <p><b>With a bound on preemptions</b> fewer schedules are run, and something else has to be kept
 * in mind: of two schedules that come to the same, one may be within the bound and the other not.
 * So races are not looked at, all that is ready is tried at each point, and a step sleeps only if
 * nothing that followed from it was left out because of the bound. Then each schedule within the
 * bound comes to the same as one that is run. A preemption is a step of another actor while the one
 * before has work, or of the clock while anybody has.
 */
final class DfsStrategy implements Strategy {

  /** The scenario has taken another way than before, under the same choices. */
  static final class NotRepeatableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotRepeatableException(String message) {
      super(message);
    }
  }

  /** A point on the way of the run under way, with or without a choice. */
  private static final class Node {
    final List<String> ready;
    final @Nullable String previous;

    /** Preemptions before this point. */
    final int preemptions;

    /** What need not be taken here, with its footprint. */
    final Map<String, Footprint> asleep;

    /** What has been taken here before and sleeps now. */
    final Map<String, Footprint> done = new HashMap<>();

    /** What is to be taken here at some time, or was. */
    final Set<String> wanted = new LinkedHashSet<>();

    /** What was taken here. */
    final Set<String> taken = new HashSet<>();

    String chosen;
    @Nullable Footprint footprint;
    int cause = -1;

    /** Whether something behind this point was left out because of the bound. */
    boolean cut;

    /** As above, behind what is chosen now. */
    boolean chosenIsCut;

    Node(
        List<String> ready,
        @Nullable String previous,
        int preemptions,
        Map<String, Footprint> asleep,
        String chosen) {
      this.ready = ready;
      this.previous = previous;
      this.preemptions = preemptions;
      this.asleep = asleep;
      this.chosen = chosen;
      wanted.add(chosen);
      taken.add(chosen);
    }

    boolean sleeps(String actor) {
      return asleep.containsKey(actor) || done.containsKey(actor);
    }

    int preemptionsWith(String actor) {
      return preemptions + (Execution.isPreemption(previous, actor, ready) ? 1 : 0);
    }
  }

  private final int bound;
  private final List<Node> stack = new ArrayList<>();

  /** The first point at which the run under way differs from the one before. */
  private int fresh;

  private boolean exhausted;

  /** Whether a run was not followed to its end. */
  private boolean gaveUp;

  /** Whether there is something to learn from the last run. */
  private boolean unlearned;

  /**
   * Makes a search.
   *
   * @param preemptions how many there may be in a schedule; negative for any number
   */
  DfsStrategy(int preemptions) {
    this.bound = preemptions;
  }

  private boolean isBounded() {
    return bound >= 0;
  }

  @Override
  public @Nullable Chooser next() {
    learn();
    return exhausted ? null : new Walk();
  }

  @Override
  public boolean isExhausted() {
    learn();
    return exhausted && !gaveUp;
  }

  @Override
  public boolean awaits() {
    return true;
  }

  @Override
  public void ran(Execution execution) {
    gaveUp |= execution.end() == Execution.End.TOO_LONG;
    unlearned = true;
  }

  /**
   * Finds out from the last run where to go next. That takes memory with the square of its steps,
   * so it is not done where nobody wants to go on.
   */
  private void learn() {
    if (!unlearned) {
      return;
    }
    unlearned = false;
    if (!isBounded()) {
      findRaces();
    }
    goBack();
  }

  /** One run: along the stack, and then on. */
  private final class Walk implements Chooser {
    private boolean known;

    @Override
    public int choose(Point point) {
      List<String> ready = point.names();
      if (!known && point.step() == stack.size()) {
        known = !extend(ready);
      }
      if (known) {
        return point.onward();
      }
      Node node = stack.get(point.step());
      requireSame(point.step(), ready, node);
      return point.indexOf(node.chosen);
    }

    @Override
    public void begins(int step, String actor, List<String> ready) {
      if (!known && step == stack.size()) { // there was no choice
        known = !extend(ready);
      }
      if (!known) {
        Node node = stack.get(step);
        requireSame(step, ready, node);
        if (!node.chosen.equals(actor)) {
          throw new IllegalStateException(actor + " runs instead of " + node.chosen);
        }
      }
    }

    private void requireSame(int step, List<String> ready, Node node) {
      if (!node.ready.equals(ready)) {
        throw new NotRepeatableException(
            "the scenario does not repeat itself: before step "
                + (step + 1)
                + " there was work for "
                + node.ready
                + ", and under the same choices there is work for "
                + ready);
      }
    }

    @Override
    public void ended(int step, Footprint footprint, int cause) {
      if (step < stack.size()) {
        stack.get(step).footprint = footprint;
        stack.get(step).cause = cause;
      }
    }

    @Override
    public boolean isDone() {
      return known;
    }
  }

  /** Adds a point to the stack; returns false if nothing that is of interest can be taken there. */
  private boolean extend(List<String> ready) {
    Node before = stack.isEmpty() ? null : stack.getLast();
    Map<String, Footprint> asleep = new HashMap<>();
    if (before != null) {
      before.asleep.forEach((actor, footprint) -> keepAsleep(before, actor, footprint, asleep));
      before.done.forEach((actor, footprint) -> keepAsleep(before, actor, footprint, asleep));
    }
    String previous = before == null ? null : before.chosen;
    int preemptions = before == null ? 0 : before.preemptionsWith(before.chosen);
    List<String> order = new ArrayList<>(ready);
    if (previous != null && order.remove(previous)) {
      order.addFirst(previous); // to go on is no preemption
    }
    boolean cut = false;
    for (String actor : order) {
      if (!asleep.containsKey(actor)) {
        Node node = new Node(List.copyOf(ready), previous, preemptions, asleep, actor);
        if (!isBounded() || node.preemptionsWith(actor) <= bound) {
          node.cut = cut;
          stack.add(node);
          return true;
        }
        cut = true;
      }
    }
    if (before != null) {
      before.chosenIsCut |= cut;
    }
    return false;
  }

  private static void keepAsleep(
      Node before, String actor, Footprint footprint, Map<String, Footprint> asleep) {
    Footprint taken = before.footprint == null ? Footprint.EVERYTHING : before.footprint;
    if (!actor.equals(before.chosen) && !footprint.meets(taken)) {
      asleep.put(actor, footprint);
    }
  }

  private Footprint footprint(int step) {
    Footprint known = stack.get(step).footprint;
    return known == null ? Footprint.EVERYTHING : known;
  }

  /** Has the other order of each race tried that the run under way was the first one to show. */
  private void findRaces() {
    List<BitSet> before =
        new ArrayList<>(); // of each step those that it depends on, in whatever way
    for (int i = 0; i < stack.size(); i++) {
      Node later = stack.get(i);
      BitSet causes = new BitSet(i);
      for (int j = i - 1; j >= 0; j--) {
        if (causes.get(j)) {
          continue;
        }
        boolean sameActor = stack.get(j).chosen.equals(later.chosen);
        boolean isCause = later.cause == j;
        if (sameActor || isCause || footprint(j).meets(footprint(i))) {
          if (i >= fresh && !sameActor && !isCause) {
            reverse(j, i, before);
          }
          causes.or(before.get(j));
          causes.set(j);
        }
      }
      before.add(causes);
    }
  }

  /**
   * Has a way tried at the point of a step on which a dependent later one comes before it.
   *
   * @param before what the steps up to the later one depend on; of the later one itself not all
   */
  private void reverse(int earlier, int later, List<BitSet> before) {
    Node node = stack.get(earlier);
    // Steps between the two that do not depend on the earlier one, and then the later one.
    List<Integer> way = new ArrayList<>();
    for (int k = earlier + 1; k < later; k++) {
      if (!before.get(k).get(earlier)) {
        way.add(k);
      }
    }
    Set<String> firsts = new LinkedHashSet<>(); // who could take the first step of that
    for (int i = 0; i < way.size(); i++) {
      if (!dependsOnAny(before.get(way.get(i)), way.subList(0, i))) {
        firsts.add(stack.get(way.get(i)).chosen);
      }
    }
    if (!dependsDirectly(later, way)) {
      firsts.add(stack.get(later).chosen);
    }
    for (String actor : firsts) {
      if (node.wanted.contains(actor) || node.sleeps(actor)) {
        return; // is tried, or was
      }
    }
    String own = stack.get(later).chosen;
    if (firsts.contains(own) && node.ready.contains(own)) {
      node.wanted.add(own);
      return;
    }
    for (String actor : firsts) {
      if (node.ready.contains(actor)) {
        node.wanted.add(actor);
        return;
      }
    }
    // nobody could: the earlier step made the later one possible
  }

  private static boolean dependsOnAny(BitSet causes, List<Integer> steps) {
    return steps.stream().anyMatch(causes::get);
  }

  /** A step that any of these must come before, be it by way of others of these. */
  private boolean dependsDirectly(int step, List<Integer> steps) {
    Node node = stack.get(step);
    return steps.stream()
        .anyMatch(other ->
            stack.get(other).chosen.equals(node.chosen)
                || node.cause == other
                || footprint(other).meets(footprint(step)));
  }

  /** Goes back to the last point at which something is left to be tried, and chooses that. */
  private void goBack() {
    while (!stack.isEmpty()) {
      Node node = stack.getLast();
      node.cut |= node.chosenIsCut;
      if (!node.chosenIsCut) {
        node.done.put(node.chosen, footprint(stack.size() - 1));
      }
      String next = nextOf(node);
      if (next != null) {
        node.chosen = next;
        node.taken.add(next);
        node.footprint = null;
        node.cause = -1;
        node.chosenIsCut = false;
        fresh = stack.size() - 1;
        return;
      }
      stack.removeLast();
      if (!stack.isEmpty()) {
        stack.getLast().chosenIsCut |= node.cut;
      }
    }
    exhausted = true;
  }

  private @Nullable String nextOf(Node node) {
    for (String actor : isBounded() ? node.ready : List.copyOf(node.wanted)) {
      if (node.taken.contains(actor) || node.sleeps(actor)) {
        continue;
      }
      if (!isBounded() || node.preemptionsWith(actor) <= bound) {
        return actor;
      }
      node.cut = true;
    }
    return null;
  }
}
