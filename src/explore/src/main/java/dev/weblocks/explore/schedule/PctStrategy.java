package dev.weblocks.explore.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A strategy for probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte,
 * ASPLOS 2010). Each actor gets a random priority when it is first seen. Of the actors with work,
 * the one with the highest priority takes the next step. At {@code depth - 1} steps, drawn
 * uniformly from a run, the actor about to take the step gets a priority below all others.
 *
 * <p>A bug has depth d if d ordering constraints between steps are enough to trigger it. The depth
 * is 1 if a certain step must come before another, and 2 for most races and for a deadlock of two
 * locks. With n actors and runs of k steps, one schedule finds a bug of depth d with a probability
 * of at least 1/(n·k^(d-1)), whatever else the scenario does. So s schedules miss it with a
 * probability of at most (1 - 1/(n·k^(d-1)))^s. Here n and k are the actual numbers, which are not
 * known in advance. The steps with a priority change are drawn among those of the longest run so
 * far. Its length is updated once for each group of {@value #GROUP} schedules, so that a group can
 * run concurrently. The first schedule has no priority changes, because no length is known. A shard
 * knows only the lengths of its own runs.
 */
final class PctStrategy implements Strategy {

  private static final int GROUP = 16;

  private final ShardSeeds seeds;
  private final int depth;

  /** Number of steps of the longest run so far. */
  private int longest;

  /** Number of steps of the longest run when the current group began. */
  private int steps;

  /** Number of schedules left in the current group; the first schedule is a group of its own. */
  private int left;

  PctStrategy(long seed, int depth, Shard shard) {
    if (depth < 1) {
      throw new IllegalArgumentException("depth is " + depth + "; it must be at least 1");
    }
    this.seeds = new ShardSeeds(seed, shard);
    this.depth = depth;
  }

  @Override
  public Chooser next() {
    if (left == 0) {
      steps = longest;
      left = steps == 0 ? 1 : GROUP;
    }
    left--;
    SplittableRandom random = seeds.next();
    int[] changes = new int[steps == 0 ? 0 : depth - 1];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = random.nextInt(steps);
    }
    return new Priorities(random, changes);
  }

  @Override
  public long numberOf(long nth) {
    return seeds.numberOf(nth);
  }

  @Override
  public boolean awaits() {
    return left == 0;
  }

  @Override
  public void ran(Execution execution) {
    longest = Math.max(longest, execution.steps().size());
  }

  private static final class Priorities implements Chooser {
    private final SplittableRandom random;

    /** The numbers of the steps at which an actor is moved to low priority; each is used once. */
    private final int[] changes;

    /** The actors not moved to low priority, from highest to lowest priority. */
    private final List<String> high = new ArrayList<>();

    /**
     * The actors moved to low priority, lowest first; index {@code i} is for {@code changes[i]}.
     */
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
        boolean unused = falls(step, actor); // takes effect at the next step
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
      throw new IllegalStateException("no actor of " + ready + " has a priority");
    }

    /** Moves an actor to low priority if the step is in {@link #changes}. Returns whether it is. */
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
