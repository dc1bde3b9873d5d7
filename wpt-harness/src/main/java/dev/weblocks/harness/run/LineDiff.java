package dev.weblocks.harness.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The line-by-line alignment of two texts, with as few lines as possible that are in only one of
 * them.
 */
public final class LineDiff {

  /**
   * The maximum number of differing lines; beyond it, texts are aligned only at their beginning and
   * end.
   */
  private static final int MAX_DISTANCE = 2_000;

  /**
   * A line of either text, or of both.
   *
   * @param text the line
   * @param left its number in the first text, from 1; 0 if not present
   * @param right its number in the second text, from 1; 0 if not present
   */
  public record Line(String text, int left, int right) {

    /** Returns whether the line is in both texts. */
    public boolean isCommon() {
      return left > 0 && right > 0;
    }
  }

  private final List<String> left;
  private final List<String> right;
  private final List<Line> lines = new ArrayList<>();

  private LineDiff(List<String> left, List<String> right) {
    this.left = left;
    this.right = right;
  }

  /**
   * Returns the lines of two texts merged in one order. The lines of either text keep their order.
   */
  public static List<Line> of(List<String> left, List<String> right) {
    LineDiff diff = new LineDiff(left, right);
    diff.run();
    return List.copyOf(diff.lines);
  }

  private void run() {
    int start = 0;
    int leftEnd = left.size();
    int rightEnd = right.size();
    while (start < Math.min(leftEnd, rightEnd) && left.get(start).equals(right.get(start))) {
      start++;
    }
    while (leftEnd > start
        && rightEnd > start
        && left.get(leftEnd - 1).equals(right.get(rightEnd - 1))) {
      leftEnd--;
      rightEnd--;
    }
    for (int i = 0; i < start; i++) {
      lines.add(common(i, i));
    }
    lines.addAll(between(start, leftEnd, rightEnd));
    for (int i = 0; leftEnd + i < left.size(); i++) {
      lines.add(common(leftEnd + i, rightEnd + i));
    }
  }

  private Line common(int l, int r) {
    return new Line(left.get(l), l + 1, r + 1);
  }

  private Line leftAlone(int l) {
    return new Line(left.get(l), l + 1, 0);
  }

  private Line rightAlone(int r) {
    return new Line(right.get(r), 0, r + 1);
  }

  /**
   * Returns the shortest edit script for the lines from {@code start} to the given ends (E. Myers,
   * An O(ND) Difference Algorithm, 1986). {@code furthest} contains, for each diagonal, the
   * furthest position in the first text reachable with the current number of differences.
   */
  private List<Line> between(int start, int leftEnd, int rightEnd) {
    int width = leftEnd - start;
    int height = rightEnd - start;
    int most = Math.min(width + height, MAX_DISTANCE);
    int[] furthest = new int[2 * most + 3];
    int middle = most + 1;
    // the furthest positions with one difference less, for the diagonals that it can reach
    List<int[]> before = new ArrayList<>();
    for (int distance = 0; distance <= most; distance++) {
      before.add(Arrays.copyOfRange(furthest, middle - distance - 1, middle + distance + 2));
      for (int diagonal = -distance; diagonal <= distance; diagonal += 2) {
        int x =
            comesFromAbove(furthest, middle, diagonal, distance)
                ? furthest[middle + diagonal + 1]
                : furthest[middle + diagonal - 1] + 1;
        int y = x - diagonal;
        while (x < width && y < height && left.get(start + x).equals(right.get(start + y))) {
          x++;
          y++;
        }
        furthest[middle + diagonal] = x;
        if (x >= width && y >= height) {
          return wayBack(start, width, height, before);
        }
      }
    }
    List<Line> apart = new ArrayList<>(); // too different to compare each line
    for (int x = 0; x < width; x++) {
      apart.add(leftAlone(start + x));
    }
    for (int y = 0; y < height; y++) {
      apart.add(rightAlone(start + y));
    }
    return apart;
  }

  /**
   * Returns whether the path reaches this diagonal from diagonal + 1, with a line of the second
   * text.
   */
  private static boolean comesFromAbove(int[] furthest, int middle, int diagonal, int distance) {
    return diagonal == -distance
        || (diagonal != distance
            && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]);
  }

  private List<Line> wayBack(int start, int width, int height, List<int[]> before) {
    Deque<Line> way = new ArrayDeque<>();
    int x = width;
    int y = height;
    for (int distance = before.size() - 1; distance > 0; distance--) {
      int[] furthest = before.get(distance);
      int middle = distance + 1;
      int diagonal = x - y;
      boolean above = comesFromAbove(furthest, middle, diagonal, distance);
      int fromX = furthest[middle + diagonal + (above ? 1 : -1)];
      int fromY = fromX - (diagonal + (above ? 1 : -1));
      while (x > fromX && y > fromY) {
        way.addFirst(common(start + --x, start + --y));
      }
      way.addFirst(above ? rightAlone(start + --y) : leftAlone(start + --x));
    }
    while (x > 0) {
      way.addFirst(common(start + --x, start + --y));
    }
    return List.copyOf(way);
  }
}
