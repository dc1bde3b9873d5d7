package dev.weblocks.lockmanager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The algorithms of the Working Draft and their steps, as a file of the tests lists them. */
final class WorkingDraftSteps {

  static final String DRAFT = "https://www.w3.org/TR/2025/WD-web-locks-20250924/";

  /** The path of an algorithm without numbers. */
  static final String WHOLE = "-";

  /**
   * An algorithm.
   *
   * @param anchor in the draft; each algorithm has one of its own
   * @param steps what each does, by its path
   */
  record Algorithm(String section, String anchor, String name, Map<String, String> steps) {
    String link() {
      return DRAFT + "#" + anchor;
    }
  }

  private static final Path FILE =
      Path.of("src/test/resources/dev/weblocks/lockmanager/working-draft-steps.txt");

  private WorkingDraftSteps() {}

  static List<Algorithm> algorithms() throws IOException {
    List<Algorithm> algorithms = new ArrayList<>();
    for (String line : Files.readAllLines(FILE)) {
      if (line.startsWith("= ")) {
        String[] parts = line.split(" ", 4);
        algorithms.add(new Algorithm(parts[1], parts[2], parts[3], new LinkedHashMap<>()));
      } else if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" ", 2);
        if (algorithms.getLast().steps().put(parts[0], parts[1]) != null) {
          throw new IllegalStateException("a step is listed twice: " + line);
        }
      }
    }
    return algorithms;
  }

  static Optional<Algorithm> withAnchor(List<Algorithm> algorithms, String anchor) {
    return algorithms.stream().filter(each -> each.anchor().equals(anchor)).findFirst();
  }
}
