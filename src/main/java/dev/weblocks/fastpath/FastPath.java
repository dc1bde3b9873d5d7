package dev.weblocks.fastpath;

/**
 * A way around work whose result is known already or is not needed. With and without it, the same
 * program takes the same steps in the same order: only the time that they take differs.
 */
public enum FastPath {
  /** Queries get the same snapshot until something changes; else each makes one. */
  LOCK_SNAPSHOT,

  /**
   * The client and the manager that became idle last are kept, and an id above all known ones is a
   * new one; else both go at once, and each id is looked up.
   */
  LOCK_LOOKUPS,

  /**
   * What an environment's first lock request found out is used by the next ones; else each finds it
   * out.
   */
  LOCK_REQUESTS,

  /** An agent that has never had but one realm is not asked for the realm of a callback. */
  ONE_REALM,

  /** Interface objects are made when script reads them; else all together with their realm. */
  LATER_INTERFACES,

  /** Script makes the promise of an operation before it calls Java; else Java asks for one. */
  OFFERED_PROMISES,

  /** Script makes the argument of a callback in the call of it; else it is made before. */
  ARGUMENT_IN_CALL,

  /** Lists of dictionaries cross once and are made in one call; else each in a call of its own. */
  DICTIONARY_LISTS,

  /** Objects that have nothing but slots and a prototype get these alone. */
  PLAIN_OBJECTS,

  /** An agent that a turn wakes runs next on the thread of that turn; else it is queued. */
  WOKEN_LANES,

  /** Classes of the engine are initialized by name where they are known; else by a script. */
  WARM_UP_BY_NAME
}
