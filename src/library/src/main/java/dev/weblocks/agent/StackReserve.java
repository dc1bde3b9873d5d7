package dev.weblocks.agent;

/**
 * A check for free stack space before an operation that a stack overflow must not interrupt. The
 * JVM reports no stack size, so the check descends some frames and returns.
 */
public final class StackReserve {

  /** Enough for a few nested calls of Java, such as those of a {@code finally} block. */
  private static final int BYTES = 8 << 10;

  /** Enough for a step of a parallel queue, its tasks, and a listener with some nested calls. */
  private static final int BYTES_OF_STEP = 32 << 10;

  /** Enough for internal script that evaluates the code of an interface. */
  private static final int BYTES_OF_SCRIPT = 128 << 10;

  /** The number of long values that a frame has room for. */
  private static final int WIDTH = 64;

  /** The size of a frame in optimised code; in other code it is greater, as that of callers is. */
  private static final int FRAME_BYTES = WIDTH * Long.BYTES;

  /** Values to keep; the first counts calls. Races between threads are harmless. */
  private static final long[] VALUES = new long[WIDTH];

  private StackReserve() {}

  /**
   * Throws if too little stack is left for a few nested calls, so that a later {@code finally}
   * block of the caller does not overflow it.
   *
   * @throws StackOverflowError if too little stack is left
   */
  static void require() {
    require(BYTES);
  }

  /**
   * Throws if too little stack is left for a step of a parallel queue, which may run on this thread
   * when it is enqueued. An overflow in a step would leave it half done.
   *
   * @throws StackOverflowError if too little stack is left
   */
  public static void requireForStep() {
    require(BYTES_OF_STEP);
  }

  /**
   * Throws if too little stack is left for internal script that builds state once for many calls.
   * An overflow in it would leave objects half made: the engine changes no object atomically.
   *
   * @throws StackOverflowError if too little stack is left
   */
  public static void requireForScript() {
    require(BYTES_OF_SCRIPT);
  }

  /** Throws if less stack is left than a number of bytes. */
  static void require(int bytes) {
    long unused = descend(bytes / FRAME_BYTES, (int) VALUES[0]++, VALUES);
  }

  /**
   * Descends in large frames, most of which store nothing, as frames and stores are what the check
   * costs. A frame has room for all values, since every 64th one keeps them over a call. Frames
   * that never did would be small in optimised code.
   */
  private static long descend(int frames, int number, long[] from) {
    if (frames == 0) {
      return number;
    }
    if (number % 64 == 0) {
      long v0 = from[0];
      long v1 = from[1];
      long v2 = from[2];
      long v3 = from[3];
      long v4 = from[4];
      long v5 = from[5];
      long v6 = from[6];
      long v7 = from[7];
      long v8 = from[8];
      long v9 = from[9];
      long v10 = from[10];
      long v11 = from[11];
      long v12 = from[12];
      long v13 = from[13];
      long v14 = from[14];
      long v15 = from[15];
      long v16 = from[16];
      long v17 = from[17];
      long v18 = from[18];
      long v19 = from[19];
      long v20 = from[20];
      long v21 = from[21];
      long v22 = from[22];
      long v23 = from[23];
      long v24 = from[24];
      long v25 = from[25];
      long v26 = from[26];
      long v27 = from[27];
      long v28 = from[28];
      long v29 = from[29];
      long v30 = from[30];
      long v31 = from[31];
      long v32 = from[32];
      long v33 = from[33];
      long v34 = from[34];
      long v35 = from[35];
      long v36 = from[36];
      long v37 = from[37];
      long v38 = from[38];
      long v39 = from[39];
      long v40 = from[40];
      long v41 = from[41];
      long v42 = from[42];
      long v43 = from[43];
      long v44 = from[44];
      long v45 = from[45];
      long v46 = from[46];
      long v47 = from[47];
      long v48 = from[48];
      long v49 = from[49];
      long v50 = from[50];
      long v51 = from[51];
      long v52 = from[52];
      long v53 = from[53];
      long v54 = from[54];
      long v55 = from[55];
      long v56 = from[56];
      long v57 = from[57];
      long v58 = from[58];
      long v59 = from[59];
      long v60 = from[60];
      long v61 = from[61];
      long v62 = from[62];
      long v63 = from[63];
      return descend(frames - 1, number + 1, from)
          ^ v0
          ^ v1
          ^ v2
          ^ v3
          ^ v4
          ^ v5
          ^ v6
          ^ v7
          ^ v8
          ^ v9
          ^ v10
          ^ v11
          ^ v12
          ^ v13
          ^ v14
          ^ v15
          ^ v16
          ^ v17
          ^ v18
          ^ v19
          ^ v20
          ^ v21
          ^ v22
          ^ v23
          ^ v24
          ^ v25
          ^ v26
          ^ v27
          ^ v28
          ^ v29
          ^ v30
          ^ v31
          ^ v32
          ^ v33
          ^ v34
          ^ v35
          ^ v36
          ^ v37
          ^ v38
          ^ v39
          ^ v40
          ^ v41
          ^ v42
          ^ v43
          ^ v44
          ^ v45
          ^ v46
          ^ v47
          ^ v48
          ^ v49
          ^ v50
          ^ v51
          ^ v52
          ^ v53
          ^ v54
          ^ v55
          ^ v56
          ^ v57
          ^ v58
          ^ v59
          ^ v60
          ^ v61
          ^ v62
          ^ v63;
    }
    return descend(frames - 1, number + 1, from) + 1;
  }
}
