package dev.weblocks.explore.schedule;

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
 * A strategy that runs all schedules of a scenario, depth first. A run cannot be rewound, so each
 * run starts from the beginning and repeats the choices up to the point where it differs.
 *
 * <p><b>Reduction.</b> Two steps are dependent if they are of one actor, if one has queued the task
 * of the other, or if their {@linkplain Footprint footprints} conflict. Schedules that differ only
 * in the order of independent steps have the same results, step by step; one of them is enough. Two
 * techniques avoid almost all of the others:
 *
 * <ul>
 *   <li>Races (dynamic partial-order reduction with source sets; Abdulla, Aronis, Jonsson and
 *       Sagonas, POPL 2014). Two dependent steps of different actors in a run are a race if no step
 *       between them enforces their order; then the reverse order may be possible. Only a step that
 *       leads to the reverse order is then tried at the point before the earlier step.
 *   <li>Sleep sets (Godefroid, 1996). When all continuations of a step at a point have been run,
 *       that step sleeps at this point while other steps are taken there. It continues to sleep
 *       after each independent step, because its continuations were run already. A run with only
 *       sleeping steps left is aborted.
 * </ul>
 *
 * <p>Both rely on one property: if two independent steps are possible, they lead to the same state
 * in either order, and neither of them enables, disables or changes the other. {@link
 * KnownFootprints} explains why this holds. The footprint of an unknown step conflicts with all
 * others, so such a step is never left out. If one step has queued the other, they are not a race.
 *
 * <p><b>With a bound on preemptions</b> fewer schedules are run. Of two equivalent schedules one
 * may be within the bound and the other not. So races are not used: all ready actors are tried at
 * each point, and a step sleeps only if none of its continuations was left out because of the
 * bound. Then each schedule within the bound is equivalent to one that is run. A preemption is a
 * step of another actor while the previous has work, or of the clock while any other has work.
 *
 * <p><b>Shards.</b> Near the root of the tree, down to a number of choices, all shards try all
 * steps that do not sleep, so no race is needed there. The subtrees below, and the runs that end
 * above, are numbered in the order of the search, and each shard runs those of its own numbers. It
 * enters each other subtree only to learn the footprint of the step before. Such a step sleeps
 * afterwards as if its continuations had been run, which another shard does. With a bound on
 * preemptions it does not sleep, since a shard cannot know whether another one left out a
 * continuation.
 */
final class DfsStrategy implements Strategy {

  /** Thrown if the scenario has behaved differently under the same choices. */
  static final class NotRepeatableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotRepeatableException(String message) {
      super(message);
    }
  }

  /** A point of the current run, with or without a choice. */
  private static final class Node {
    final List<String> ready;
    final @Nullable String previous;

    /** Number of preemptions before this point. */
    final int preemptions;

    /** Number of points up to this one at which several actors had work and did not sleep. */
    final int choices;

    /** Whether all shards visit this point. */
    final boolean shared;

    /** Sleeping steps inherited from earlier points, with their footprints. */
    final Map<String, Footprint> asleep;

    /** Steps fully explored here, which sleep now, with their footprints. */
    final Map<String, Footprint> done = new HashMap<>();

    /** Steps to be taken here, or already taken. */
    final Set<String> wanted = new LinkedHashSet<>();

    final Set<String> taken = new HashSet<>();
    String chosen;
    @Nullable Footprint footprint;
    int cause = -1;

    /** Whether a continuation from this point was left out because of the bound on preemptions. */
    boolean cut;

    /** Whether a continuation of {@link #chosen} was left out because of the preemption bound. */
    boolean chosenIsCut;

    Node(
        List<String> ready,
        @Nullable String previous,
        int preemptions,
        int choices,
        boolean shared,
        Map<String, Footprint> asleep,
        String chosen) {
      this.ready = ready;
      this.previous = previous;
      this.preemptions = preemptions;
      this.choices = choices;
      this.shared = shared;
      this.asleep = asleep;
      this.chosen = chosen;
      wanted.add(chosen);
      if (shared) {
        wanted.addAll(ready);
      }
      taken.add(chosen);
    }

    boolean sleeps(String actor) {
      return asleep.containsKey(actor) || done.containsKey(actor);
    }

    int preemptionsWith(String actor) {
      return preemptions + (Execution.isPreemption(previous, actor, ready) ? 1 : 0);
    }
  }

  /** How many subtrees there are for each shard, at least, if each choice has two branches. */
  private static final int SUBTREES = 16;

  private final int bound;
  private final Shard shard;

  /** Number of choices after which subtrees belong to one shard; 0 if there is only one. */
  private final int sharedChoices;

  /** Number of subtrees and of runs above them so far. */
  private long parts;

  /** Whether the current run belongs to another shard. */
  private boolean foreign;

  private final List<Node> stack = new ArrayList<>();

  /** The index of the first point at which the current run differs from the previous one. */
  private int fresh;

  private boolean exhausted;

  /** Whether a run had too many steps, so that the search is not exhaustive. */
  private boolean gaveUp;

  /** Whether the last run is still to be evaluated. */
  private boolean unlearned;

  /** Creates a search with a maximum number of preemptions per schedule; negative for no limit. */
  DfsStrategy(int preemptions, Shard shard) {
    this.bound = preemptions;
    this.shard = shard;
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(SUBTREES * shard.total() - 1);
    this.sharedChoices = shard.total() == 1 ? 0 : bits;
  }

  private boolean isBounded() {
    return bound >= 0;
  }

  @Override
  public @Nullable Chooser next() {
    learn();
    foreign = false;
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
    boolean endsAbove = stack.isEmpty() ? sharedChoices > 0 : stack.getLast().shared;
    if (!foreign && endsAbove && execution.end() != Execution.End.KNOWN) {
      foreign = !shard.has(parts++);
    }
    gaveUp |= execution.end() == Execution.End.TOO_LONG && !foreign;
    unlearned = true;
  }

  @Override
  public boolean isForeign() {
    return foreign;
  }

  /**
   * Evaluates the last run to find the next one. Needs memory quadratic in the number of steps, so
   * it is done only if another run is requested.
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

  /** A chooser that repeats the choices on the stack, then adds new choices to the stack. */
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
      if (!known && step == stack.size()) { // without a choice
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
            "the scenario is not deterministic: before step "
                + (step + 1)
                + " there was work for "
                + node.ready
                + ", and after the same choices there is work for "
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

  /**
   * Adds a point to the stack; returns false if all its steps sleep or exceed the bound, or if it
   * belongs to another shard.
   */
  private boolean extend(List<String> ready) {
    Node before = stack.isEmpty() ? null : stack.getLast();
    Map<String, Footprint> asleep = new HashMap<>();
    if (before != null) {
      before.asleep.forEach((actor, footprint) -> keepAsleep(before, actor, footprint, asleep));
      before.done.forEach((actor, footprint) -> keepAsleep(before, actor, footprint, asleep));
    }
    String previous = before == null ? null : before.chosen;
    int preemptions = before == null ? 0 : before.preemptionsWith(before.chosen);
    int choices = before == null ? 0 : before.choices;
    boolean shared = choices < sharedChoices;
    choices += ready.stream().filter(actor -> !asleep.containsKey(actor)).count() > 1 ? 1 : 0;
    List<String> order = new ArrayList<>(ready);
    if (previous != null && order.remove(previous)) {
      order.addFirst(previous); // continuing is no preemption
    }
    boolean cut = false;
    for (String actor : order) {
      if (!asleep.containsKey(actor)) {
        Node node =
            new Node(List.copyOf(ready), previous, preemptions, choices, shared, asleep, actor);
        if (!isBounded() || node.preemptionsWith(actor) <= bound) {
          if (before != null && before.shared && !shared && !shard.has(parts++)) {
            foreign = true;
            return false;
          }
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
    if (!actor.equals(before.chosen) && !footprint.conflictsWith(taken)) {
      asleep.put(actor, footprint);
    }
  }

  private Footprint footprint(int step) {
    Footprint known = stack.get(step).footprint;
    return known == null ? Footprint.EVERYTHING : known;
  }

  /**
   * Makes later runs reverse, if possible, those races of the last run that did not occur in the
   * run before it.
   */
  private void findRaces() {
    List<BitSet> before =
        new ArrayList<>(); // for each step, all its direct and indirect dependencies
    for (int i = 0; i < stack.size(); i++) {
      Node later = stack.get(i);
      BitSet causes = new BitSet(i);
      for (int j = i - 1; j >= 0; j--) {
        if (causes.get(j)) {
          continue;
        }
        boolean sameActor = stack.get(j).chosen.equals(later.chosen);
        boolean isCause = later.cause == j;
        if (sameActor || isCause || footprint(j).conflictsWith(footprint(i))) {
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
   * Adds a step to {@link Node#wanted} at the point of the earlier step, so that a later run takes
   * the later step first. No-op if such a step was added before, or the earlier enabled the later.
   *
   * @param before for each step before the later one, its direct and indirect dependencies
   */
  private void reverse(int earlier, int later, List<BitSet> before) {
    Node node = stack.get(earlier);
    // Steps between the two that do not depend on the earlier one; the later step follows them.
    List<Integer> way = new ArrayList<>();
    for (int k = earlier + 1; k < later; k++) {
      if (!before.get(k).get(earlier)) {
        way.add(k);
      }
    }
    Set<String> firsts = new LinkedHashSet<>(); // actors that can take the first of these steps
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
        return; // is scheduled, or was run
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
    // no actor can take it: the earlier step enabled the later one
  }

  private static boolean dependsOnAny(BitSet causes, List<Integer> steps) {
    return steps.stream().anyMatch(causes::get);
  }

  /** Returns whether a step directly depends on one of the given other steps. */
  private boolean dependsDirectly(int step, List<Integer> steps) {
    Node node = stack.get(step);
    return steps.stream()
        .anyMatch(other ->
            stack.get(other).chosen.equals(node.chosen)
                || node.cause == other
                || footprint(other).conflictsWith(footprint(step)));
  }

  /** Goes back to the last point with an untried step, and chooses that step. */
  private void goBack() {
    while (!stack.isEmpty()) {
      Node node = stack.getLast();
      node.cut |= node.chosenIsCut;
      if (!node.chosenIsCut && !(isBounded() && node.shared)) {
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
