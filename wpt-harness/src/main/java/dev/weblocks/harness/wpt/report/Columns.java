package dev.weblocks.harness.wpt.report;

import java.util.ArrayList;
import java.util.List;

/** A formatter of text tables. */
public final class Columns {

  private Columns() {}

  /**
   * Returns rows as lines with aligned columns. A row of one cell is a heading and does not affect
   * widths.
   *
   * @param rows rows of cells; the first one must have all columns
   * @param left number of columns that are aligned left; the others are aligned right
   */
  public static List<String> aligned(List<List<String>> rows, int left) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; row.size() > 1 && i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        String space = " ".repeat(Math.max(0, widths[i] - cell.length()));
        line.append(i == 0 ? "" : "  ").append(i < left ? cell + space : space + cell);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
