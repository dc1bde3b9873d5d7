package dev.weblocks.run;

import dev.weblocks.embed.TraceListener;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that can be seen of a run, line by line: its steps, what its agents write, and what is left
 * at its end; either as it is, or compared with that of an earlier run. On one thread at a time.
 */
public final class Transcript implements ScriptRun.Output {

  /**
   * Where two runs begin to differ.
   *
   * @param line counted from 1
   * @param before what both have right before, a few lines at most
   * @param earlier the line of the earlier run; null if that has ended
   * @param later the line of the later run; null if that has ended
   */
  public record Difference(
      int line, List<String> before, @Nullable String earlier, @Nullable String later) {}

  private static final int LINES_BEFORE = 3;

  /** Of the earlier run; of this one, if there is none. */
  private final List<String> lines;

  private final boolean compares;
  private int count;
  private boolean outOfMemory;
  private @Nullable Difference difference;

  /** The transcript of a first run. */
  Transcript() {
    lines = new ArrayList<>();
    compares = false;
  }

  /** One that is compared with that of an earlier run. */
  Transcript(Transcript earlier) {
    lines = earlier.lines;
    compares = true;
  }

  /** What is to hear of the steps of the user agent. */
  public TraceListener steps() {
    return step -> add("step: " + step);
  }

  @Override
  public void out(String text) {
    add("out: " + text);
  }

  @Override
  public void err(String text) {
    add("err: " + text);
  }

  @Override
  public void outOfMemory() {
    outOfMemory = true;
  }

  /** Whether the memory of the process has run out, of which no other run would tell the same. */
  boolean isOutOfMemory() {
    return outOfMemory;
  }

  void add(String line) {
    if (!compares) {
      lines.add(line);
    } else if (difference == null && (count >= lines.size() || !lines.get(count).equals(line))) {
      difference = differenceHere(line);
    }
    count++;
  }

  private Difference differenceHere(@Nullable String later) {
    return new Difference(
        count + 1,
        List.copyOf(lines.subList(Math.max(0, count - LINES_BEFORE), count)),
        count < lines.size() ? lines.get(count) : null,
        later);
  }

  /** Says that there are no more lines. */
  void end() {
    if (compares && difference == null && count < lines.size()) {
      difference = differenceHere(null);
    }
  }

  /** Where this run begins to differ from the earlier one; null if it does not. */
  @Nullable Difference difference() {
    return difference;
  }

  int count() {
    return count;
  }

  /** The SHA-256 of the lines of the earlier run, each with a line end, in hexadecimal digits. */
  String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String line : lines) {
        digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("each Java platform has SHA-256", impossible);
    }
  }
}
