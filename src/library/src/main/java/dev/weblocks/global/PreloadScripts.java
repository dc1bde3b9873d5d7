package dev.weblocks.global;

import java.util.List;
import org.graalvm.polyglot.Source;

/**
 * The scripts that run in each new window and worker before its own. A supplement of the user
 * agent.
 *
 * @param sources classic scripts, in order
 */
public record PreloadScripts(List<Source> sources) {

  public static final PreloadScripts NONE = new PreloadScripts(List.of());

  public PreloadScripts {
    sources = List.copyOf(sources);
  }

  /** Runs the scripts in a fully initialized global, which reports their exceptions. */
  void run(GlobalScope global) {
    sources.forEach(source -> global.binding().scripts().run(source));
  }
}
