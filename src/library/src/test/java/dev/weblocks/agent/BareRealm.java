package dev.weblocks.agent;

import java.util.Set;
import java.util.SplittableRandom;

/** Agents and realms that never use the engine: their tasks run, but no script. */
public final class BareRealm {

  private static final EnvironmentSettings SETTINGS =
      new EnvironmentSettings(
          "id",
          "about:blank",
          new Origin.Opaque("origin"),
          new Origin.Opaque("origin"),
          true,
          Set.of("Window"));

  private BareRealm() {}

  /** Creates a user agent whose failures are thrown. */
  public static UserAgent newUserAgent(Driver driver) {
    return new UserAgent(
        new Configuration(
            driver,
            new RandomSource(new SplittableRandom(1)),
            (modules, limits) -> {
              throw new IllegalStateException("this agent has no context");
            },
            (agent, where, failure) -> {
              throw new IllegalStateException(where, failure);
            }));
  }

  /** Creates a realm without a global object. All realms have the same opaque origin. */
  @SuppressWarnings("NullAway") // the engine's values are never used
  public static Realm of(Agent agent) {
    return new Realm(agent, SETTINGS, null, null);
  }
}
