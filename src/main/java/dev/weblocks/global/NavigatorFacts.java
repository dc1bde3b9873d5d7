package dev.weblocks.global;

import dev.weblocks.agent.UserAgent;
import java.util.List;

/**
 * What {@code navigator} tells of the user agent and the machine: a supplement of the user agent.
 * None of it is asked of the machine here, so that the same program sees the same anywhere.
 *
 * @param userAgent default {@code User-Agent} value; begins with {@code Mozilla/}
 * @param platform one that browsers commonly tell
 * @param languages BCP 47 tags, the preferred one first; not empty
 * @param hardwareConcurrency how many agents can run at the same time, at least 1
 */
public record NavigatorFacts(
    String userAgent, String platform, List<String> languages, int hardwareConcurrency) {

  public NavigatorFacts {
    languages = List.copyOf(languages);
    if (languages.isEmpty()) {
      throw new IllegalArgumentException("there is no language; give at least one");
    }
    if (hardwareConcurrency < 1) {
      throw new IllegalArgumentException(
          "hardwareConcurrency is " + hardwareConcurrency + "; give at least 1");
    }
  }

  /** Of a user agent whose maker said nothing, on a machine with as many processors. */
  public static NavigatorFacts of(int hardwareConcurrency) {
    return new NavigatorFacts(
        "Mozilla/5.0 (compatible; Weblocks)",
        "Linux x86_64",
        List.of("en-US"),
        hardwareConcurrency);
  }

  /** Those of a user agent. */
  public static NavigatorFacts of(UserAgent userAgent) {
    return userAgent
        .supplements()
        .get(NavigatorFacts.class, () -> of(userAgent.driver().parallelism()));
  }
}
