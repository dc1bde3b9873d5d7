package dev.weblocks.global;

import dev.weblocks.agent.UserAgent;
import java.util.List;

/**
 * The values of {@code navigator} that describe the user agent and the machine. The class reads no
 * value from the machine, so that scripts behave alike everywhere.
 *
 * @param userAgent the default {@code User-Agent} value; should begin with {@code Mozilla/}
 * @param platform the value of {@code navigator.platform}; should be the value of a common browser
 * @param languages BCP 47 tags, the preferred one first; not empty
 * @param hardwareConcurrency the number of agents that can run at the same time, at least 1
 */
public record NavigatorFacts(
    String userAgent, String platform, List<String> languages, int hardwareConcurrency) {

  public NavigatorFacts {
    languages = List.copyOf(languages);
    if (languages.isEmpty()) {
      throw new IllegalArgumentException("languages is empty; give at least one");
    }
    if (hardwareConcurrency < 1) {
      throw new IllegalArgumentException(
          "hardwareConcurrency is " + hardwareConcurrency + "; give at least 1");
    }
  }

  /** Returns the defaults, for a machine with the given number of processors. */
  public static NavigatorFacts of(int hardwareConcurrency) {
    return new NavigatorFacts(
        "Mozilla/5.0 (compatible; Weblocks)",
        "Linux x86_64",
        List.of("en-US"),
        hardwareConcurrency);
  }

  /** Returns the values of a user agent. */
  public static NavigatorFacts of(UserAgent userAgent) {
    return GlobalSettings.of(userAgent).navigator();
  }
}
