package dev.weblocks.harness.compare;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A chart of results as self-contained SVG, for light and dark themes. Each workload is a row with
 * a mark for each engine; further right is better. The scale is logarithmic, and 1 is the better
 * result of Node and Deno.
 */
public final class ResultChart {

  private static final int LABELS = 170;
  private static final int PLOT = 560;
  private static final int MARGIN = 24;
  private static final int ROW = 30;
  private static final int TOP = 78;
  private static final int BOTTOM = 46;
  private static final double MARK = 6;
  private static final List<Double> STEPS = List.of(1.0, 2.0, 5.0);

  private static final String STYLE =
      """
      .weblocks-bench { --ground: #ffffff; --text: #1b1f24; --quiet: #59636e; --line: #d8dee4;
        --one: #59636e; --weblocks: #0b63c5; --node: #2b7d2b; --deno: #b35900; --chromium: #8250b5;
        --firefox: #b3261e;
        font: 13px system-ui, sans-serif; }
      @media (prefers-color-scheme: dark) {
        .weblocks-bench { --ground: #12161c; --text: #e6eaef; --quiet: #9aa5b1; --line: #2c343d;
          --one: #9aa5b1; --weblocks: #6cb0ff; --node: #6fce6f; --deno: #f2a65a; --chromium: #c9a4f4;
          --firefox: #ff8f80; }
      }
      .weblocks-bench .ground { fill: var(--ground); }
      .weblocks-bench text { fill: var(--text); }
      .weblocks-bench .quiet { fill: var(--quiet); font-size: 11px; }
      .weblocks-bench .line { stroke: var(--line); }
      .weblocks-bench .one { stroke: var(--one); stroke-width: 1.5; }
      .weblocks-bench .mark { stroke-width: 2; stroke: var(--ground); }
      .weblocks-bench .weblocks-jit { fill: var(--weblocks); }
      .weblocks-bench .weblocks { fill: var(--ground); stroke: var(--weblocks); }
      .weblocks-bench .node { fill: var(--node); }
      .weblocks-bench .deno { fill: var(--deno); }
      .weblocks-bench .chromium { fill: var(--chromium); }
      .weblocks-bench .firefox { fill: var(--firefox); }
      """;

  private static final String PAGE_STYLE =
      """
      body { margin: 2em auto; max-width: 60em; padding: 0 1em; font: 15px system-ui, sans-serif;
        color: #1b1f24; background: #ffffff; }
      svg { max-width: 100%; height: auto; }
      table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
      th, td { padding: .3em .7em; border-bottom: 1px solid #d8dee4; text-align: right; }
      th:first-child, td:nth-child(2), th:nth-child(2) { text-align: left; }
      .wide { overflow-x: auto; }
      .note { margin: .3em 0; }
      @media (max-width: 40em) {
        h1 { font-size: 1.5em; }
        svg { max-width: none; width: 34em; }
        th, td { padding: .3em .4em; }
      }
      @media (prefers-color-scheme: dark) {
        body { color: #e6eaef; background: #12161c; }
        th, td { border-color: #2c343d; }
      }
      """;

  private record Scale(double least, double most) {
    double at(double ratio) {
      return LABELS + PLOT * (Math.log(ratio / least) / Math.log(most / least));
    }
  }

  private ResultChart() {}

  /** Returns the results as an SVG file. */
  public static String picture(Results results) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg(results);
  }

  /** Returns the results as an HTML page with the chart and a table of the figures. */
  public static String page(Results results) {
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<meta name=\"color-scheme\" content=\"light dark\">\n")
        .append("<title>Weblocks and other runtimes</title>\n<style>\n")
        .append(PAGE_STYLE)
        .append("</style>\n</head>\n<body>\n<h1>Weblocks and other runtimes</h1>\n")
        .append("<div class=\"wide\">\n")
        .append(svg(results))
        .append("</div>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">workload</th>")
        .append("<th scope=\"col\">unit</th>");
    results
        .versions()
        .forEach((name, version) ->
            page.append("<th scope=\"col\" title=\"")
                .append(escaped(version))
                .append("\">")
                .append(escaped(name))
                .append("</th>"));
    List<String> owns = ResultText.owns(results);
    for (String own : owns) {
      page.append("<th scope=\"col\">").append(escaped(own)).append("/best</th>");
    }
    page.append("</tr></thead>\n<tbody>\n");
    for (Results.Row row : results.rows()) {
      page.append("<tr><th scope=\"row\">").append(escaped(row.workload().name())).append("</th>");
      page.append("<td>").append(escaped(row.workload().unit().text())).append("</td>");
      for (String engine : results.versions().keySet()) {
        page.append(cell(row.scores().get(engine)));
      }
      for (String own : owns) {
        page.append("<td>").append(ResultText.ratio(row, own)).append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</tbody>\n</table></div>\n");
    for (String note : ResultText.notes(results)) {
      page.append("<p class=\"note\">").append(escaped(note)).append("</p>\n");
    }
    page.append("<p>");
    page.append(escaped(ResultText.legend(results))).append("</p>\n</body>\n</html>\n");
    return page.toString();
  }

  private static String cell(@Nullable Score score) {
    String title =
        score instanceof Score.Measured measured
            ? " title=\"%s to %s\""
                .formatted(
                    ResultText.number(measured.figures().min()),
                    ResultText.number(measured.figures().max()))
            : "";
    return "<td" + title + ">" + ResultText.cell(score) + "</td>";
  }

  private static String svg(Results results) {
    int width = LABELS + PLOT + MARGIN;
    int height = TOP + ROW * results.rows().size() + BOTTOM;
    Scale scale = scale(results);
    Formatter svg = new Formatter(Locale.ROOT);
    svg.format(
        "<svg class=\"weblocks-bench\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\""
            + " height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\""
            + " aria-label=\"Weblocks and other runtimes\">%n<style>%s</style>%n"
            + "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>%n"
            + "<text x=\"16\" y=\"26\" font-size=\"16\" font-weight=\"600\">Lock workloads:"
            + " how many times better than the better one of Node and Deno</text>%n",
        width, height, width, height, STYLE, width, height);
    legend(svg, results);
    int bottom = TOP + ROW * results.rows().size();
    for (double tick : ticks(scale)) {
      double x = scale.at(tick);
      svg.format(
          "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
              + "<text class=\"quiet\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
          tick == 1 ? "one" : "line",
          x,
          TOP - 6,
          x,
          bottom,
          x,
          bottom + 16,
          new BigDecimal(tick).round(new MathContext(1)).toPlainString());
    }
    svg.format(
        "<text class=\"quiet\" x=\"%d\" y=\"%d\" text-anchor=\"end\">better →</text>%n",
        LABELS + PLOT, bottom + 34);
    for (int i = 0; i < results.rows().size(); i++) {
      row(svg, results, results.rows().get(i), scale, TOP + ROW * i + ROW / 2);
    }
    return svg.format("</svg>\n").toString();
  }

  private static void legend(Formatter svg, Results results) {
    int x = 22;
    for (String engine : results.versions().keySet()) {
      mark(svg, engine, x, 48);
      svg.format("<text x=\"%d\" y=\"52\">%s</text>%n", x + 11, escaped(engine));
      x += 36 + 8 * engine.length();
    }
    String separator = "";
    StringBuilder versions = new StringBuilder();
    for (Map.Entry<String, String> each : results.versions().entrySet()) {
      versions.append(separator).append(each.getKey()).append(' ').append(each.getValue());
      separator = ", ";
    }
    svg.format(
        "<text class=\"quiet\" x=\"16\" y=\"%d\">%s</text>%n",
        TOP + ROW * results.rows().size() + 34, escaped(versions.toString()));
  }

  private static void row(Formatter svg, Results results, Results.Row row, Scale scale, int y) {
    svg.format(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
            + "<line class=\"line\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n",
        LABELS - 18, y + 4, escaped(row.workload().name()), LABELS, y, LABELS + PLOT, y);
    // The marks of Weblocks come last, so that they lie above all others.
    for (String engine : List.copyOf(results.versions().keySet()).reversed()) {
      OptionalDouble ratio = row.ratioToBest(engine);
      Optional<Score.Measured> measured = row.measured(engine);
      if (ratio.isPresent() && measured.isPresent()) {
        svg.format(
            "<g><title>%s</title>",
            escaped(
                "%s: %s %s, %s times"
                    .formatted(
                        engine,
                        ResultText.number(measured.get().figures().median()),
                        row.workload().unit().text(),
                        ResultText.number(ratio.getAsDouble()))));
        mark(svg, engine, scale.at(ratio.getAsDouble()), y);
        svg.format("</g>\n");
      }
    }
    if (row.best() == null) {
      svg.format(
          "<text class=\"quiet\" x=\"%d\" y=\"%d\">no result of Node or Deno</text>%n",
          LABELS + 8, y - 4);
    }
  }

  /** Appends the mark of an engine. Marks differ in shape or fill, not only in colour. */
  private static void mark(Formatter svg, String engine, double x, double y) {
    switch (engine) {
      case "node" ->
          svg.format(
              "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"",
              x, y - MARK - 1, MARK + 1, MARK + 1, -MARK - 1, MARK + 1, -MARK - 1, -MARK - 1);
      case "deno" ->
          svg.format(
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\"",
              x - MARK + 1, y - MARK + 1, 2 * MARK - 2, 2 * MARK - 2);
      case "chromium" ->
          svg.format(
              "<path d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"", x, y - MARK, MARK, 2 * MARK - 1, -2 * MARK);
      case "firefox" ->
          svg.format(
              "<path d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"", x, y + MARK, MARK, 1 - 2 * MARK, -2 * MARK);
      default -> svg.format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", x, y, MARK - 0.5);
    }
    svg.format(" class=\"mark %s\"/>", escaped(engine));
  }

  /** Returns a scale from 0.5 to 2, extended to the least and greatest ratio with some margin. */
  private static Scale scale(Results results) {
    double least = 0.5;
    double most = 2;
    for (Results.Row row : results.rows()) {
      for (String engine : results.versions().keySet()) {
        OptionalDouble ratio = row.ratioToBest(engine);
        if (ratio.isPresent()) {
          least = Math.min(least, ratio.getAsDouble() / 1.3);
          most = Math.max(most, ratio.getAsDouble() * 1.3);
        }
      }
    }
    return new Scale(least, most);
  }

  private static List<Double> ticks(Scale scale) {
    boolean wide = scale.most() / scale.least() > 2000;
    return IntStream.rangeClosed(-6, 6)
        .boxed()
        .flatMap(power ->
            STEPS.stream()
                .filter(step -> !wide || step == 1)
                .map(step -> power < 0 ? step / Math.pow(10, -power) : step * Math.pow(10, power)))
        .filter(tick -> tick >= scale.least() && tick <= scale.most())
        .toList();
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\n' -> escaped.append(' ');
        default -> escaped.append(c < ' ' ? '?' : c);
      }
    }
    return escaped.toString();
  }
}
