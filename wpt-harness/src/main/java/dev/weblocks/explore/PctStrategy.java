package dev.weblocks.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010).
 * Each actor gets a random priority when it is first seen, and the one with the highest priority
 * that has work takes the next step. At {@code depth - 1} steps, drawn evenly among all steps of a
 * run, the actor that is about to take the step falls below all others.
 *
 * <p>A bug has depth d if d ordering constraints between steps are enough for it: 1 for one that
 * needs a certain step before another one, 2 for most races and for a deadlock of two locks. With n
 * actors and runs of k steps, one schedule finds a bug of depth d with a probability of at least
 * 1/(n·k^(d-1)), whatever else the scenario does; so s schedules miss it with a probability of at
 * most (1 - 1/(n·k^(d-1)))^s. Here n and k are what happens, not what is known before: a change is
 * drawn among as many steps as the longest run so far has had, looked at once for each {@value
 * #GROUP} schedules, which can so be run at once, and the first schedule, before anything is known,
 * has no change.
 */
final class PctStrategy implements Strategy {

  private static final int GROUP = 16;

  private final SplittableRandom seeds;
  private final int depth;

  /** Of the longest run so far. */
  private int longest;

  /** Of the longest run when the present group began. */
  private int steps;

  /** How many schedules of the present group are left; the first one is a group of its own. */
  private int left;

  PctStrategy(long seed, int depth) {
    if (depth < 1) {
      throw new IllegalArgumentException("depth is " + depth + "; it must be at least 1");
    }
    this.seeds = new SplittableRandom(seed);
    this.depth = depth;
  }

  @Override
  public Chooser next() {
    if (left == 0) {
      steps = longest;
      left = steps == 0 ? 1 : GROUP;
    }
    left--;
    SplittableRandom random = seeds.split();
    int[] changes = new int[steps == 0 ? 0 : depth - 1];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = random.nextInt(steps);
    }
    return new Priorities(random, changes);
  }

  @Override
  public boolean awaits() {
    return left == 0;
  }

  @Override
  public void ran(Execution execution) {
    longest = Math.max(longest, execution.steps().size());
  }

  @Override
  public boolean isExhausted() {
    return false;
  }

  private static final class Priorities implements Chooser {
    private final SplittableRandom random;

    /** At which steps somebody falls; each is used once. */
    private final int[] changes;

    /** Those that have not fallen, the highest first. */
    private final List<String> high = new ArrayList<>();

    /** Those that have fallen, each at the place of its change, the lowest first. */
    private final @Nullable String[] low;

    Priorities(SplittableRandom random, int[] changes) {
      this.random = random;
      this.changes = changes;
      this.low = new @Nullable String[changes.length];
    }

    @Override
    public int choose(Point point) {
      List<String> ready = point.names();
      String first = highest(ready);
      while (falls(point.step(), first)) {
        first = highest(ready);
      }
      return point.indexOf(first);
    }

    @Override
    public void begins(int step, String actor, List<String> ready) {
      if (ready.size() == 1) {
        boolean known = high.contains(actor) || Arrays.asList(low).contains(actor);
        if (!known) {
          meet(actor);
        }
        boolean unused = falls(step, actor); // which counts from the next step on
      }
    }

    private void meet(String actor) {
      high.add(random.nextInt(high.size() + 1), actor);
    }

    private String highest(List<String> ready) {
      for (String actor : ready) {
        if (!high.contains(actor) && !Arrays.asList(low).contains(actor)) {
          meet(actor);
        }
      }
      for (String actor : high) {
        if (ready.contains(actor)) {
          return actor;
        }
      }
      for (int i = low.length - 1; i >= 0; i--) {
        String actor = low[i];
        if (actor != null && ready.contains(actor)) {
          return actor;
        }
      }
      throw new IllegalStateException("nobody of " + ready + " has a priority");
    }

    /** Lets an actor fall if this is a step at which somebody does. */
    private boolean falls(int step, String actor) {
      for (int i = 0; i < changes.length; i++) {
        if (changes[i] == step) {
          changes[i] = -1;
          high.remove(actor);
          for (int k = 0; k < low.length; k++) {
            if (actor.equals(low[k])) {
              low[k] = null;
            }
          }
          low[i] = actor;
          return true;
        }
      }
      return false;
    }
  }
}
