package dev.weblocks.harness.compare;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.report.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The format of results as a text table. */
public final class ResultText {

  private ResultText() {}

  /** Returns the table as lines, each with a line end. */
  public static String of(Results results) {
    List<String> engines = List.copyOf(results.versions().keySet());
    List<String> owns = owns(results);
    List<List<String>> table = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("workload", "unit"));
    head.addAll(engines);
    owns.forEach(own -> head.add(own + "/best"));
    table.add(head);
    for (Results.Row row : results.rows()) {
      List<String> line =
          new ArrayList<>(List.of(row.workload().name(), row.workload().unit().text()));
      for (String engine : engines) {
        line.add(cell(row.scores().get(engine)));
      }
      owns.forEach(own -> line.add(ratio(row, own)));
      table.add(line);
    }
    StringBuilder text = new StringBuilder();
    if (!results.rows().isEmpty()) {
      Columns.aligned(table, 2).forEach(line -> text.append(line).append('\n'));
      text.append('\n');
    }
    notes(results).forEach(note -> text.append(note).append('\n'));
    text.append(legend(results));
    return text.toString();
  }

  private static boolean isOwn(String engine) {
    return engine.equals(Engine.OWN_JIT) || engine.equals(Engine.OWN_INTERPRETER);
  }

  /** Returns the engines of Weblocks among those of a run. */
  static List<String> owns(Results results) {
    return results.versions().keySet().stream().filter(ResultText::isOwn).toList();
  }

  static String ratio(Results.Row row, String own) {
    OptionalDouble ratio = row.ratioToBest(own);
    if (ratio.isPresent()) {
      return number(ratio.getAsDouble()) + "x";
    }
    return row.measured(own).isPresent() && row.best() != null ? "not warm" : "-";
  }

  static String cell(@Nullable Score score) {
    return switch (score) {
      case Score.Measured measured ->
          number(measured.figures().median()) + (measured.size() < measured.wanted() ? "*" : "");
      case Score.Failed failed -> "failed";
      case null -> "-";
    };
  }

  /** Returns a line for each result that has a remark or failed. */
  static List<String> notes(Results results) {
    List<String> notes = new ArrayList<>();
    for (Results.Row row : results.rows()) {
      for (String engine : results.versions().keySet()) {
        String note = note(row.scores().get(engine));
        if (!note.isEmpty()) {
          notes.add(row.workload().name() + ", " + engine + ": " + note);
        }
      }
    }
    return notes;
  }

  private static String note(@Nullable Score score) {
    return switch (score) {
      case Score.Measured measured when measured.size() < measured.wanted() ->
          String.format(
                  Locale.ROOT, "%,d instead of %,d a round", measured.size(), measured.wanted())
              + (measured.note().isEmpty() ? "" : "; " + measured.note());
      case Score.Measured measured -> measured.note();
      case Score.Failed failed -> "failed: " + failed.reason();
      case null -> "";
    };
  }

  static String legend(Results results) {
    StringBuilder text = new StringBuilder("Medians of ");
    text.append(HarmlessText.count(results.rounds(), "round"));
    if (results.quick()) {
      text.append(" (a quick run, so figures are rough)");
    } else if (results.rounds() > 1) {
      text.append(" (fewer for long workloads)");
    }
    text.append("; /best: how many times better than the better one of Node and Deno.\n");
    if (!results.complete()) {
      text.append("The run was interrupted; these are the results so far.\n");
    }
    text.append("Engines:");
    String separator = " ";
    for (Map.Entry<String, String> each : results.versions().entrySet()) {
      text.append(separator).append(each.getKey()).append(' ').append(each.getValue());
      separator = ", ";
    }
    return text.append('\n').toString();
  }

  /** Returns a figure with about three significant digits. */
  static String number(double figure) {
    double size = Math.abs(figure);
    String format =
        size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.2g";
    return String.format(Locale.ROOT, format, figure);
  }
}
