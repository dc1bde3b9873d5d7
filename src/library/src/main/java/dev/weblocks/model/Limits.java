package dev.weblocks.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits of what scripts of one user agent may use, and of how long it waits for them.
 * Immutable. The defaults are wide enough for pages that work in browsers.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="limits"}
 */
public final class Limits {

  /** The limits of a user agent for which none are set. */
  public static final Limits DEFAULT = newBuilder().build();

  private final Duration endLimit;
  private final Optional<Duration> turnLimit;
  private final int abandonedAgents;
  private final int abandonedAgentsPerOrigin;
  private final int agents;
  private final int agentsPerOrigin;
  private final int workersPerAgent;
  private final int framesPerWindow;
  private final int timersPerGlobal;
  private final int lockRequestsPerClient;
  private final int lockRequestsPerOrigin;
  private final int lockNameLength;
  private final int messageSize;
  private final int connectionsPerHost;
  private final int connectionsPerSite;
  private final OptionalLong statements;

  private Limits(Builder builder) {
    endLimit = builder.endLimit;
    turnLimit = builder.turnLimit;
    abandonedAgents = builder.abandonedAgents;
    abandonedAgentsPerOrigin = builder.abandonedAgentsPerOrigin;
    agents = builder.agents;
    agentsPerOrigin = builder.agentsPerOrigin;
    workersPerAgent = builder.workersPerAgent;
    framesPerWindow = builder.framesPerWindow;
    timersPerGlobal = builder.timersPerGlobal;
    lockRequestsPerClient = builder.lockRequestsPerClient;
    lockRequestsPerOrigin = builder.lockRequestsPerOrigin;
    lockNameLength = builder.lockNameLength;
    messageSize = builder.messageSize;
    connectionsPerHost = builder.connectionsPerHost;
    connectionsPerSite = builder.connectionsPerSite;
    statements = builder.statements;
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

  /** Returns the limit that {@link Builder#abandonedAgentsPerOrigin} sets. */
  public int abandonedAgentsPerOrigin() {
    return abandonedAgentsPerOrigin;
  }

  /** Returns the limit that {@link Builder#agents} sets. */
  public int agents() {
    return agents;
  }

  /** Returns the limit that {@link Builder#agentsPerOrigin} sets. */
  public int agentsPerOrigin() {
    return agentsPerOrigin;
  }

  /** Returns the limit that {@link Builder#workersPerAgent} sets. */
  public int workersPerAgent() {
    return workersPerAgent;
  }

  /** Returns the limit that {@link Builder#framesPerWindow} sets. */
  public int framesPerWindow() {
    return framesPerWindow;
  }

  /** Returns the limit that {@link Builder#timersPerGlobal} sets. */
  public int timersPerGlobal() {
    return timersPerGlobal;
  }

  /** Returns the limit that {@link Builder#lockRequestsPerClient} sets. */
  public int lockRequestsPerClient() {
    return lockRequestsPerClient;
  }

  /** Returns the limit that {@link Builder#lockRequestsPerOrigin} sets. */
  public int lockRequestsPerOrigin() {
    return lockRequestsPerOrigin;
  }

  /** Returns the limit that {@link Builder#lockNameLength} sets. */
  public int lockNameLength() {
    return lockNameLength;
  }

  /** Returns the limit that {@link Builder#messageSize} sets. */
  public int messageSize() {
    return messageSize;
  }

  /** Returns the limit that {@link Builder#connectionsPerHost} sets. */
  public int connectionsPerHost() {
    return connectionsPerHost;
  }

  /** Returns the limit that {@link Builder#connectionsPerSite} sets. */
  public int connectionsPerSite() {
    return connectionsPerSite;
  }

  /** Returns the limit that {@link Builder#statements} sets; empty for none. */
  public OptionalLong statements() {
    return statements;
  }

  /** A builder for limits. Not thread-safe. */
  public static final class Builder {

    private static final Duration LONGEST = Duration.ofDays(365L * 100);

    private Duration endLimit = Duration.ofSeconds(2);
    private Optional<Duration> turnLimit = Optional.empty();
    private int abandonedAgents = 32;
    private int abandonedAgentsPerOrigin = 8;
    private int agents = 10_000;
    private int agentsPerOrigin = 2_500;
    private int workersPerAgent = 512;
    private int framesPerWindow = 1_000;
    private int timersPerGlobal = 1_000_000;
    private int lockRequestsPerClient = 1_000_000;
    private int lockRequestsPerOrigin = 1_000_000;
    private int lockNameLength = 1 << 20;
    private int messageSize = 1 << 28;
    private int connectionsPerHost = 6;
    private int connectionsPerSite = 256;
    private OptionalLong statements = OptionalLong.empty();

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
      abandonedAgents = requireCount("abandonedAgents", count);
      return this;
    }

    /**
     * Sets the maximum number of agents of one origin at a time as for {@link #abandonedAgents},
     * with origins as for {@link #agentsPerOrigin}; default is 8. If it is reached, no agent that
     * counts for that origin can be made.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder abandonedAgentsPerOrigin(int count) {
      abandonedAgentsPerOrigin = requireCount("abandonedAgentsPerOrigin", count);
      return this;
    }

    /**
     * Sets the maximum number of agents at a time: of windows, counted once for each origin in a
     * group of windows that can reach each other, of workers of all kinds, and of installations.
     * Default is 10,000. If it is reached, opening a window or installing throws an {@link
     * IllegalStateException}; script that makes a window or worker gets a QuotaExceededError.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder agents(int count) {
      agents = requireCount("agents", count);
      return this;
    }

    /**
     * Sets the maximum number of agents at a time that script of one origin has made: windows,
     * frames and workers, counted as for {@link #agents}; default is 2,500. An agent counts for the
     * origin of the window or installation of Java code from which it follows, through any number
     * of popups, frames, navigations and workers. So script cannot avoid the limit by other
     * origins. If it is reached, script that makes a window or worker gets a QuotaExceededError,
     * and a document of another origin is not loaded.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder agentsPerOrigin(int count) {
      agentsPerOrigin = requireCount("agentsPerOrigin", count);
      return this;
    }

    /**
     * Sets the maximum number of dedicated workers that one window or worker has at a time; default
     * is 512, as in Firefox. If it is reached, {@code new Worker()} throws a QuotaExceededError.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder workersPerAgent(int count) {
      workersPerAgent = requireCount("workersPerAgent", count);
      return this;
    }

    /**
     * Sets the maximum number of frames at a time in the document of a top-level window, including
     * frames in frames; default is 1,000, as in Chromium. A further {@code iframe} element stays
     * without a document: its {@code contentWindow} is null, and it fires no load event.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder framesPerWindow(int count) {
      framesPerWindow = requireCount("framesPerWindow", count);
      return this;
    }

    /**
     * Sets the maximum number of pending timeouts and intervals of one global; default is a
     * million. If it is reached, {@code setTimeout()} throws a QuotaExceededError.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder timersPerGlobal(int count) {
      timersPerGlobal = requireCount("timersPerGlobal", count);
      return this;
    }

    /**
     * Sets the maximum number of held locks and waiting requests of one client together; default is
     * a million. If it is reached, {@code request()} rejects with a QuotaExceededError. Does not
     * apply to Java code.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder lockRequestsPerClient(int count) {
      lockRequestsPerClient = requireCount("lockRequestsPerClient", count);
      return this;
    }

    /**
     * Sets the maximum number of held locks and waiting requests of all clients of one origin, in
     * all of its storage buckets; default is a million. If it is reached, {@code request()} rejects
     * with a QuotaExceededError. Agents that request at the same moment may exceed it by one each.
     * Does not apply to Java code, whose locks do not count.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder lockRequestsPerOrigin(int count) {
      lockRequestsPerOrigin = requireCount("lockRequestsPerOrigin", count);
      return this;
    }

    /**
     * Sets the maximum length of the name of a lock, in UTF-16 code units; default is 1,048,576. A
     * request for a longer name rejects with a QuotaExceededError. Does not apply to Java code.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder lockNameLength(int length) {
      lockNameLength = requireCount("lockNameLength", length);
      return this;
    }

    /**
     * Sets the maximum size of a message to another agent or window, or of the state of a history
     * entry, in bytes; default is 256 MiB. A code unit of a string counts two bytes, other values
     * eight or more. If it is exceeded, {@code postMessage()} and {@code pushState()} throw a
     * DataCloneError, and transferred objects stay with the sender.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder messageSize(int bytes) {
      messageSize = requireCount("messageSize", bytes);
      return this;
    }

    /**
     * Sets the maximum number of requests to one scheme, host and port at a time that the resource
     * loader has not answered; default is 6. Further requests are queued in their order. As in
     * browsers, the pages of each top-level site have a number of their own, and frames of other
     * sites in such pages another one. A navigation counts for the page that initiates it.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder connectionsPerHost(int count) {
      connectionsPerHost = requirePositive("connectionsPerHost", count);
      return this;
    }

    /**
     * Sets the maximum number of requests to all hosts at a time that the resource loader has not
     * answered; default is 256. Further requests are queued. The pages of each top-level site have
     * a number of their own, as with {@link #connectionsPerHost}, so that none can use up the
     * places of others.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder connectionsPerSite(int count) {
      connectionsPerSite = requirePositive("connectionsPerSite", count);
      return this;
    }

    /**
     * Sets the maximum number of statements that the script of one window or worker runs in total;
     * default is none, which costs nothing. The agent ends when it is reached, which is reported to
     * the error listener. Windows of one origin that can reach each other are one agent. With a
     * limit, the engine counts in all contexts of the {@code Environment}. One statement can run
     * for any time: use it with {@link #turnLimit}. Does not apply to installations: set {@code
     * ResourceLimits} for their context.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder statements(long count) {
      if (count < 1) {
        throw new IllegalArgumentException("statements is " + count + "; use at least 1");
      }
      statements = OptionalLong.of(count);
      return this;
    }

    private static int requirePositive(String name, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " is " + value + "; use at least 1");
      }
      return value;
    }

    private static int requireCount(String name, int count) {
      if (count < 0) {
        throw new IllegalArgumentException(name + " is " + count + "; use at least 0");
      }
      return count;
    }

    private static Duration requireDuration(String name, Duration limit) {
      Objects.requireNonNull(limit, "limit");
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
