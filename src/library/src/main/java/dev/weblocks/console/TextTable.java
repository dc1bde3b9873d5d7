package dev.weblocks.console;

import java.util.List;

/**
 * A table as text, for a font in which each character is one or two columns wide.
 *
 * @param head the column titles
 * @param rows the cells of each row, as many as there are titles
 * @param rest a line below the table that states how much was omitted; empty if nothing was omitted
 */
record TextTable(List<String> head, List<List<String>> rows, String rest) {

  String render() {
    int[] widths = new int[head.size()];
    measure(head, widths);
    rows.forEach(row -> measure(row, widths));
    StringBuilder out = new StringBuilder();
    rule(out, widths, '┌', '┬', '┐').append('\n');
    line(out, widths, head).append('\n');
    rule(out, widths, '├', '┼', '┤').append('\n');
    rows.forEach(row -> line(out, widths, row).append('\n'));
    rule(out, widths, '└', '┴', '┘');
    return rest.isEmpty() ? out.toString() : out.append('\n').append(rest).toString();
  }

  private static void measure(List<String> cells, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], width(cells.get(i)));
    }
  }

  private static StringBuilder rule(
      StringBuilder out, int[] widths, char left, char between, char right) {
    out.append(left);
    for (int i = 0; i < widths.length; i++) {
      out.append(i == 0 ? "" : between).repeat('─', widths[i] + 2);
    }
    return out.append(right);
  }

  private static StringBuilder line(StringBuilder out, int[] widths, List<String> cells) {
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      out.append("│ ").append(cell).repeat(' ', widths[i] - width(cell) + 1);
    }
    return out.append('│');
  }

  static int width(String text) {
    return text.codePoints().map(TextTable::width).sum();
  }

  private static int width(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(codePoint) ? 2 : 1;
    };
  }

  private static boolean isWide(int codePoint) {
    if (codePoint < 0x1100) {
      return false;
    }
    if (Character.isEmojiPresentation(codePoint)) {
      return true;
    }
    boolean isHalf = codePoint >= 0xFF61 && codePoint <= 0xFFDC;
    boolean isFull = codePoint >= 0xFF01 && codePoint <= 0xFF60;
    return isFull
        || !isHalf
            && switch (Character.UnicodeScript.of(codePoint)) {
              case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, YI -> true;
              default -> codePoint >= 0x3000 && codePoint <= 0x303E;
            };
  }
}
