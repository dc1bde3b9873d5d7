package dev.weblocks.agent;

/** What becomes, when an agent freezes, of what others could wait for. */
public enum FreezePolicy {
  /** It stays as it is; others wait until the agent resumes or ends. */
  KEEP,
  /** It is given up, so that nobody waits for an agent that does nothing. */
  RELEASE,
  /** The agent does not freeze while there is anything of the kind. */
  REFUSE
}
