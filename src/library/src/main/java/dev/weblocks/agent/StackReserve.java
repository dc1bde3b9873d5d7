package dev.weblocks.agent;

/**
 * A check for free stack space before an operation that a stack overflow must not interrupt. The
 * JVM reports no stack size, so the check descends some frames and returns.
 *
 * <p>A frame takes 90 to 250 bytes: less in optimised code, which also needs less stack for the
 * operation itself.
 */
public final class StackReserve {

  /** Enough for a few nested calls of Java, such as those of a {@code finally} block. */
  private static final int FRAMES = 32;

  /** Enough for a step of a parallel queue, its tasks, and a listener with some nested calls. */
  private static final int FRAMES_OF_STEP = 300;

  /** Enough for internal script that interprets the table of an interface. */
  private static final int FRAMES_OF_SCRIPT = 600;

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

  /**
   * Throws if too little stack is left for a step of a parallel queue, which may run on this thread
   * when it is enqueued. An overflow in a step would leave it half done.
   *
   * @throws StackOverflowError if too little stack is left
   */
  public static void requireForStep() {
    require(FRAMES_OF_STEP);
  }

  /**
   * Throws if too little stack is left for internal script that builds state once for many calls.
   * An overflow in it would leave objects half made: the engine changes no object atomically.
   *
   * @throws StackOverflowError if too little stack is left
   */
  public static void requireForScript() {
    require(FRAMES_OF_SCRIPT);
  }

  /** Throws if less stack is left than for some nested calls. */
  static void require(int frames) {
    long unused = descend(frames, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  /** Uses each argument after the call, so that the frame holds all of them in any compiler. */
  private static long descend(
      int frames, long a, long b, long c, long d, long e, long f, long g, long h) {
    return frames == 0
        ? a
        : descend(frames - 1, b, c, d, e, f, g, h, a) + a * b + c * d + e * f + g * h;
  }
}
