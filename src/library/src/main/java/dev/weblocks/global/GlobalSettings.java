package dev.weblocks.global;

import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.UserAgent;
import java.util.List;
import org.graalvm.polyglot.Source;

/**
 * The configuration of the globals of a user agent.
 *
 * @param navigator the values of {@code navigator}
 * @param reports the listeners for console messages and uncaught errors
 * @param preloadScripts classic scripts that run, in order, in each new window and worker before
 *     any other script
 */
public record GlobalSettings(NavigatorFacts navigator, Reports reports, List<Source> preloadScripts)
    implements Configuration.Part {

  public GlobalSettings {
    preloadScripts = List.copyOf(preloadScripts);
  }

  static GlobalSettings of(UserAgent userAgent) {
    return userAgent
        .configuration()
        .part(
            GlobalSettings.class,
            () ->
                new GlobalSettings(
                    NavigatorFacts.of(userAgent.driver().parallelism()), Reports.NONE, List.of()));
  }
}
