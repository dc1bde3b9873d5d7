package dev.weblocks.harness.wpt;

import com.fasterxml.jackson.core.JsonProcessingException;

/** A formatter of the reason why a text is not JSON. */
public final class JsonProblem {

  private JsonProblem() {}

  /** Returns the reason on one line, without names of classes of the parser. */
  public static String text(JsonProcessingException problem) {
    return String.valueOf(problem.getOriginalMessage())
        .lines()
        .findFirst()
        .orElse("not JSON")
        .replaceAll("\\[Source: [^\\]]*; line: (\\d+), column: (\\d+)\\]", "line $1, column $2")
        .replaceAll(", from `[^`]*`", "")
        .replaceAll("`[A-Z_]+`", "");
  }
}
