package dev.weblocks.agent;

/** A check for free stack space before an operation whose cleanup must not overflow the stack. */
final class StackReserve {

  private static final int FRAMES = 32;

  private StackReserve() {}

  /**
   * Throws if too little stack is left for a few nested calls, so that a later {@code finally}
   * block of the caller does not overflow it.
   *
   * @throws StackOverflowError if too little stack is left
   */
  static void require() {
    require(FRAMES);
  }

  /** Throws if less stack is left than for some nested calls of one argument. */
  static void require(int frames) {
    int unused = descend(frames);
  }

  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
