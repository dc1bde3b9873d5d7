package dev.weblocks.agent;

/** The treatment of resources that others could wait for when an agent freezes. */
public enum FreezePolicy {
  /** The agent keeps them; others wait until it resumes or ends. */
  KEEP,
  /** The agent releases them, so that no other agent waits for a frozen one. */
  RELEASE,
  /** The agent does not freeze while it has any. */
  REFUSE
}
