package dev.weblocks.lockmanager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The algorithms of the Working Draft and their steps, read from a test resource. */
final class WorkingDraftSteps {

  static final String DRAFT = "https://www.w3.org/TR/2025/WD-web-locks-20250924/";

  /** The path of an algorithm without numbered steps. */
  static final String WHOLE = "-";

  /**
   * An algorithm.
   *
   * @param text the URL of the draft
   * @param section its number; "-" if the draft has no section numbers
   * @param anchor its unique anchor in the draft
   * @param steps descriptions of the steps, by path
   */
  record Algorithm(
      String text, String section, String anchor, String name, Map<String, String> steps) {
    String link() {
      return text + "#" + anchor;
    }
  }

  private static final Path FILE =
      Path.of("src/library/src/test/resources/dev/weblocks/lockmanager/working-draft-steps.txt");

  private WorkingDraftSteps() {}

  static List<Algorithm> algorithms() throws IOException {
    return read(FILE, DRAFT);
  }

  /** Reads the algorithms of any draft from its file. */
  static List<Algorithm> read(Path file, String text) throws IOException {
    List<Algorithm> algorithms = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("= ")) {
        String[] parts = line.split(" ", 4);
        algorithms.add(new Algorithm(text, parts[1], parts[2], parts[3], new LinkedHashMap<>()));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" ", 2);
        if (algorithms.getLast().steps().put(parts[0], parts[1]) != null) {
          throw new IllegalStateException("a step is listed twice: " + line);
        }
      }
    }
    return algorithms;
  }
}
