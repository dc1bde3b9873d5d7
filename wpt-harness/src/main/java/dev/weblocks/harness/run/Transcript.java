package dev.weblocks.harness.run;

import dev.weblocks.model.TraceListener;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The observable behaviour of a run, line by line: its steps, the output of its agents, and the
 * state at its end. Either stores the lines, or compares them with those of an earlier run. Must be
 * used by one thread at a time.
 */
public final class Transcript implements ScriptRun.Output {

  /**
   * The first difference between two runs.
   *
   * @param line counted from 1
   * @param before common lines before it, a few at most
   * @param earlier the line of the earlier run; null if that run has ended
   * @param later the line of the later run; null if that run has ended
   */
  public record Difference(
      int line, List<String> before, @Nullable String earlier, @Nullable String later) {}

  private static final int LINES_BEFORE = 3;

  /** The lines of the earlier run, or of this run if there is no earlier one. */
  private final List<String> lines;

  private final boolean compares;
  private int count;
  private boolean outOfMemory;
  private @Nullable Difference difference;

  /** Creates the transcript of a first run. */
  Transcript() {
    lines = new ArrayList<>();
    compares = false;
  }

  /** Creates a transcript that is compared with that of an earlier run. */
  Transcript(Transcript earlier) {
    lines = earlier.lines;
    compares = true;
  }

  /** Returns a listener for the steps of the user agent. */
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

  /** Returns whether the process has run out of memory, which makes a comparison meaningless. */
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

  void end() {
    if (compares && difference == null && count < lines.size()) {
      difference = differenceHere(null);
    }
  }

  @Nullable Difference difference() {
    return difference;
  }

  int count() {
    return count;
  }

  /** Returns the SHA-256 of {@link #lines}, each with a line end, in hexadecimal digits. */
  String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String line : lines) {
        digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("this JVM lacks SHA-256", impossible);
    }
  }
}
