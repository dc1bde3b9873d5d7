package dev.weblocks.global;

import java.util.List;
import org.graalvm.polyglot.Source;

/**
 * What runs in each new window and worker before any script of its own; a supplement of the user
 * agent.
 *
 * @param sources classic scripts, in order
 */
public record PreloadScripts(List<Source> sources) {

  /** None. */
  public static final PreloadScripts NONE = new PreloadScripts(List.of());

  /** Copies the list. */
  public PreloadScripts {
    sources = List.copyOf(sources);
  }

  /** Runs them in a global that is complete; exceptions are reported there. */
  void run(GlobalScope global) {
    sources.forEach(source -> global.binding().runClassicScript(source));
  }
}
