package dev.weblocks.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The limits of what scripts of one user agent may use, and of how long it waits for them.
 * Immutable. The defaults are wide enough for pages that work in browsers.
 *
 * <pre>{@code
 * Limits limits = Limits.newBuilder().turnLimit(Duration.ofSeconds(10)).build();
 * }</pre>
 */
public final class Limits {

  /** The limits of a user agent for which none are set. */
  public static final Limits DEFAULT = newBuilder().build();

  private final Duration endLimit;
  private final Optional<Duration> turnLimit;
  private final int abandonedAgents;

  private Limits(Builder builder) {
    endLimit = builder.endLimit;
    turnLimit = builder.turnLimit;
    abandonedAgents = builder.abandonedAgents;
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /** Returns the limit that {@link Builder#endLimit} sets. */
  public Duration endLimit() {
    return endLimit;
  }

  /** Returns the limit that {@link Builder#turnLimit} sets; empty for none. */
  public Optional<Duration> turnLimit() {
    return turnLimit;
  }

  /** Returns the limit that {@link Builder#abandonedAgents} sets. */
  public int abandonedAgents() {
    return abandonedAgents;
  }

  /** A builder for limits. Not thread-safe. */
  public static final class Builder {

    private static final Duration LONGEST = Duration.ofDays(365L * 100);

    private Duration endLimit = Duration.ofSeconds(2);
    private Optional<Duration> turnLimit = Optional.empty();
    private int abandonedAgents = 32;

    private Builder() {}

    /**
     * Sets how long the end of an agent waits until its script stops; default is two seconds. The
     * engine stops almost all script within milliseconds. It cannot stop a few long operations,
     * such as the multiplication of very large BigInts, nor Java code that script has called. After
     * the limit, script is cut off: {@link Ending#CUT_OFF}. Real time, also with a deterministic
     * driver.
     *
     * @throws IllegalArgumentException if it is not positive, or longer than 100 years
     */
    public Builder endLimit(Duration limit) {
      endLimit = requireDuration("endLimit", limit);
      return this;
    }

    /**
     * Sets the maximum duration of a turn, that is, of a task with its microtasks; default is none.
     * A longer turn ends its agent, and so the windows and workers that the agent runs; of an
     * installation, it ends the installation, whose context stays open. The end is reported to the
     * error listener. Real time, also with a deterministic driver, whose runs then depend on it.
     *
     * @throws IllegalArgumentException if it is not positive, or longer than 100 years
     */
    public Builder turnLimit(Duration limit) {
      turnLimit = Optional.of(requireDuration("turnLimit", limit));
      return this;
    }

    /**
     * Sets the maximum number of agents at a time that were cut off and whose script still occupies
     * a thread; default is 32. If it is reached, no agent can be made: opening a window, making a
     * worker or installing fails. Each such agent occupies up to two threads.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder abandonedAgents(int count) {
      if (count < 0) {
        throw new IllegalArgumentException("abandonedAgents is " + count + "; use at least 0");
      }
      abandonedAgents = count;
      return this;
    }

    private static Duration requireDuration(String name, Duration limit) {
      Objects.requireNonNull(limit, name);
      if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            name + " is " + limit + "; use a positive duration of at most 100 years");
      }
      return limit;
    }

    /** Returns the limits; later changes of this builder do not affect them. */
    public Limits build() {
      return new Limits(this);
    }
  }
}
