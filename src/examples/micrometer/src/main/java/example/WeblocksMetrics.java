package example;

import dev.weblocks.embed.Metrics;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.model.Limit;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The counters of a user agent as meters. Each reading of a meter takes a snapshot of all counters,
 * which waits for no script. The registry refers to the user agent weakly: keep it elsewhere.
 */
public final class WeblocksMetrics implements MeterBinder {

  private final UserAgent userAgent;
  private final Tags tags;

  /**
   * Creates a binder.
   *
   * @param tags distinguish several user agents in one registry, such as a tag {@code useragent}
   */
  public WeblocksMetrics(UserAgent userAgent, Iterable<Tag> tags) {
    this.userAgent = userAgent;
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "lock.requests", "lock requests made", Metrics::requests);
    counter(registry, "lock.grants", "requests that became locks", Metrics::grants);
    counter(registry, "lock.misses", "ifAvailable requests not granted", Metrics::misses);
    counter(registry, "lock.aborts", "requests that left their queue", Metrics::aborts);
    counter(registry, "lock.releases", "locks released", Metrics::releases);
    counter(registry, "lock.steals", "locks stolen", Metrics::steals);
    counter(registry, "tasks", "tasks that event loops have run", Metrics::tasks);
    gauge(registry, "lock.held", "held locks", Metrics::held);
    gauge(registry, "lock.pending", "waiting lock requests", Metrics::pending);
    gauge(registry, "agents", "agents that have not ended", Metrics::agents);
    gauge(registry, "agents.abandoned", "agents cut off in a script", Metrics::abandonedAgents);
    gauge(registry, "frames", "documents in frames", Metrics::frames);
    gauge(registry, "timers", "pending timers", Metrics::timers);
    gauge(registry, "connections", "unanswered resource requests", Metrics::connections);
    gauge(registry, "connections.waiting", "queued resource requests", Metrics::waitingConnections);
    for (Limit limit : Limit.values()) {
      FunctionCounter.builder("weblocks.limits.reached", userAgent, reached(limit))
          .description("how often scripts reached a limit")
          .tags(tags.and("limit", limit.name().toLowerCase(Locale.ROOT)))
          .register(registry);
    }
  }

  private static ToDoubleFunction<UserAgent> reached(Limit limit) {
    return userAgent -> userAgent.metrics().limitsReached().getOrDefault(limit, 0L);
  }

  private void counter(
      MeterRegistry registry, String name, String description, ToDoubleFunction<Metrics> value) {
    FunctionCounter.builder("weblocks." + name, userAgent, of(value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String description, ToDoubleFunction<Metrics> value) {
    Gauge.builder("weblocks." + name, userAgent, of(value))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private static ToDoubleFunction<UserAgent> of(ToDoubleFunction<Metrics> value) {
    return userAgent -> value.applyAsDouble(userAgent.metrics());
  }
}
