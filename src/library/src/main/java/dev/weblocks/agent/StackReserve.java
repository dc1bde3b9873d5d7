package dev.weblocks.agent;

/** A check that some stack is left, before something begins that must also end. */
final class StackReserve {

  private static final int FRAMES = 32;

  private StackReserve() {}

  /**
   * Throws now what would otherwise be thrown in a {@code finally} block of the caller: a few calls
   * from there find as much stack as this has found.
   *
   * @throws StackOverflowError if less is left
   */
  static void require() {
    int unused = descend(FRAMES);
  }

  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
