package dev.weblocks.harness.differ;

import dev.weblocks.harness.differ.model.Acceptor;
import dev.weblocks.harness.differ.model.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** The texts of programs and comparisons. */
public final class Report {

  private Report() {}

  /** Returns the scripts of a program, without the runtime. */
  public static String program(Program program) {
    StringBuilder text = new StringBuilder();
    for (Program.Realm realm : program.realms()) {
      text.append("// %s, %s\n".formatted(realm.name(), kind(realm.kind())))
          .append(ProgramScript.script(program, realm));
    }
    return text.toString();
  }

  private static String kind(Program.Kind kind) {
    return switch (kind) {
      case MAIN -> "the main window";
      case FRAME -> "a frame";
      case WINDOW -> "a second window";
      case WORKER -> "a worker";
      case SHARED_WORKER -> "a shared worker";
    };
  }

  /** Returns lines by realm as text. */
  public static String logs(SortedMap<String, List<String>> logs) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, List<String>> realm : logs.entrySet()) {
      text.append(realm.getKey()).append(":\n");
      realm.getValue().forEach(line -> text.append("  ").append(line).append('\n'));
    }
    return text.toString();
  }

  /** Returns the observation, one possible behaviour of the model, and where they part. */
  public static String comparison(Comparison comparison, String engine) {
    StringBuilder text = new StringBuilder();
    text.append("== lines in ").append(engine).append('\n');
    text.append(logs(comparison.observation().logs()));
    text.append("== lines of the first schedule of the model\n");
    text.append(logs(Acceptor.firstSchedule(comparison.program(), Set.of())));
    if (!comparison.closest().isEmpty()) {
      text.append("== the schedule of the model that gives most of the lines\n");
      comparison.closest().forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }

  /**
   * Writes the files of a program and its comparison into a directory, which is created. A server
   * of the directory can show {@code /index.html} in any browser.
   */
  public static void save(Comparison comparison, String engine, Path directory) throws IOException {
    Files.createDirectories(directory);
    for (Map.Entry<String, String> file :
        ProgramScript.files(comparison.program()).files().entrySet()) {
      Files.writeString(directory.resolve(file.getKey().substring(1)), file.getValue());
    }
    Files.writeString(
        directory.resolve("difference.txt"),
        "seed %d, %s\n\n%s"
            .formatted(
                comparison.program().seed(), comparison.summary(), comparison(comparison, engine)));
  }
}
