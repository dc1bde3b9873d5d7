package dev.weblocks.agent;

import dev.weblocks.model.Limit;
import dev.weblocks.model.Limits;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of agents by the origin that they count for, with limits, so that script of one
 * origin cannot use up the agents of all. Thread-safe.
 */
final class AgentsByOrigin {

  /**
   * The origin that an agent counts for: a supplement of the agent.
   *
   * @param byScript whether script has made the agent
   */
  record Member(Origin origin, boolean byScript) {}

  private static final class Counts {
    int agents;
    int byScript;
    int abandoned;
  }

  private final Limits limits;

  /** Guarded by this. An origin without agents has no entry. */
  private final Map<Origin, Counts> counts = new HashMap<>();

  AgentsByOrigin(Limits limits) {
    this.limits = limits;
  }

  /** Adds an agent; returns the limit that forbids it, and adds nothing then. */
  synchronized @Nullable Limit add(Member member) {
    Counts known = counts.get(member.origin);
    int abandoned = known == null ? 0 : known.abandoned;
    if (abandoned > 0 && abandoned >= limits.abandonedAgentsPerOrigin()) {
      return Limit.ABANDONED_AGENTS_PER_ORIGIN;
    }
    int byScript = known == null ? 0 : known.byScript;
    if (member.byScript && byScript >= limits.agentsPerOrigin()) {
      return Limit.AGENTS_PER_ORIGIN;
    }
    Counts changed = known == null ? new Counts() : known;
    if (known == null) {
      counts.put(member.origin, changed);
    }
    changed.agents++;
    changed.byScript += member.byScript ? 1 : 0;
    return null;
  }

  /** Returns why an agent is refused. */
  String message(Limit reached) {
    return reached == Limit.AGENTS_PER_ORIGIN
        ? "script of one origin has made "
            + limits.agentsPerOrigin()
            + " agents (windows, workers), which is the limit; close some, or raise"
            + " Limits.agentsPerOrigin"
        : "scripts of "
            + limits.abandonedAgentsPerOrigin()
            + " ended agents of one origin still run and cannot be stopped; wait until they end,"
            + " raise Limits.abandonedAgentsPerOrigin, or restart the process";
  }

  /** Removes an agent that has ended. */
  synchronized void remove(Member member) {
    Counts known = counts.get(member.origin);
    if (known != null) {
      known.agents--;
      known.byScript -= member.byScript ? 1 : 0;
      removeIfUnused(member.origin, known);
    }
  }

  /** Counts an agent, not yet removed, that was cut off and whose script still runs. */
  synchronized void abandon(Member member) {
    Counts known = counts.get(member.origin);
    if (known != null) {
      known.abandoned++;
    }
  }

  synchronized void abandonedHasStopped(Member member) {
    Counts known = counts.get(member.origin);
    if (known != null) {
      known.abandoned--;
      removeIfUnused(member.origin, known);
    }
  }

  private void removeIfUnused(Origin origin, Counts known) {
    if (known.agents == 0 && known.abandoned == 0) {
      counts.remove(origin);
    }
  }
}
