package dev.weblocks.harness.differ;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.harness.differ.model.Deviation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A known difference between engines and the texts, which the model can repeat.
 *
 * @param name a short name
 * @param engines the names of the engines
 * @param deviation the change of the model that repeats it
 * @param text the step of a text that decides, and which side follows it
 */
public record KnownDifference(String name, List<String> engines, Deviation deviation, String text) {

  /** Returns the list of the file {@code known-differences.json}. */
  public static List<KnownDifference> all() {
    try (InputStream in = KnownDifference.class.getResourceAsStream("known-differences.json")) {
      return new ObjectMapper().readValue(in, new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the known differences of an engine. */
  public static List<KnownDifference> of(String engine) {
    return all().stream().filter(each -> each.engines().contains(engine)).toList();
  }
}
