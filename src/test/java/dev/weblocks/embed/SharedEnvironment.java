package dev.weblocks.embed;

/**
 * The environment of all tests of a JVM that need none of their own: an engine that has parsed the
 * prelude already is most of what a user agent costs. It is never closed.
 */
public final class SharedEnvironment {

  public static final UserAgent.Environment ENVIRONMENT = new UserAgent.Environment();

  static {
    // The first realm of an environment tries out the engine, which leaves checkpoints in its
    // trace.
    try (Driver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder().driver(driver).environment(ENVIRONMENT).build()) {
      userAgent.open("about:blank");
      driver.runUntilQuiescent(10_000);
    }
  }

  private SharedEnvironment() {}
}
