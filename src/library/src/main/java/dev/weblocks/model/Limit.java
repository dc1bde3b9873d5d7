package dev.weblocks.model;

/** One of the {@link Limits}, named after its method in the builder. */
public enum Limit {
  /** {@link Limits.Builder#endLimit}; reached when script is cut off. */
  END_LIMIT,
  /** {@link Limits.Builder#turnLimit}. */
  TURN_LIMIT,
  /** {@link Limits.Builder#abandonedAgents}. */
  ABANDONED_AGENTS,
  /** {@link Limits.Builder#abandonedAgentsPerOrigin}. */
  ABANDONED_AGENTS_PER_ORIGIN,
  /** {@link Limits.Builder#agents}. */
  AGENTS,
  /** {@link Limits.Builder#agentsPerOrigin}. */
  AGENTS_PER_ORIGIN,
  /** {@link Limits.Builder#workersPerAgent}. */
  WORKERS_PER_AGENT,
  /** {@link Limits.Builder#framesPerWindow}. */
  FRAMES_PER_WINDOW,
  /** {@link Limits.Builder#timersPerGlobal}. */
  TIMERS_PER_GLOBAL,
  /** {@link Limits.Builder#lockRequestsPerClient}. */
  LOCK_REQUESTS_PER_CLIENT,
  /** {@link Limits.Builder#lockRequestsPerOrigin}. */
  LOCK_REQUESTS_PER_ORIGIN,
  /** {@link Limits.Builder#lockNameLength}. */
  LOCK_NAME_LENGTH,
  /** {@link Limits.Builder#messageSize}. */
  MESSAGE_SIZE,
  /** {@link Limits.Builder#connectionsPerHost}; reached when a request has to wait. */
  CONNECTIONS_PER_HOST,
  /** {@link Limits.Builder#connectionsPerSite}; reached when a request has to wait. */
  CONNECTIONS_PER_SITE,
  /** {@link Limits.Builder#statements}. */
  STATEMENTS
}
