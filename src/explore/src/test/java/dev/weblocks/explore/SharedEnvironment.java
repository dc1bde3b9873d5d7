package dev.weblocks.explore;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.UserAgent;

/**
 * The environment shared by all tests of a JVM that need none of their own, since parsing the
 * prelude is most of the cost of a user agent. It is never closed.
 */
public final class SharedEnvironment {

  public static final Environment ENVIRONMENT = Environment.create();

  static {
    // The first realm of an environment checks the engine, which adds checkpoints to its trace.
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder().driver(driver).environment(ENVIRONMENT).build()) {
      userAgent.open("about:blank");
      driver.runUntilIdle(10_000);
    }
  }

  private SharedEnvironment() {}
}
