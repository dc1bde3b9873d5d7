package dev.weblocks.embed;

import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Trace;
import dev.weblocks.fetch.FetchSettings;
import dev.weblocks.fetch.ModuleScripts;
import dev.weblocks.global.GlobalSettings;
import dev.weblocks.global.NavigatorFacts;
import dev.weblocks.global.Reports;
import dev.weblocks.locks.LockSettings;
import dev.weblocks.locks.LockWatchdog;
import dev.weblocks.model.TraceListener;
import dev.weblocks.observe.Observation;
import dev.weblocks.serviceworkers.ServiceWorkers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The translation of the settings of a builder into the configuration of a user agent. */
final class UserAgentConfiguration {

  private UserAgentConfiguration() {}

  /** Returns a configuration; {@code trace} is the trace of the parent of a private session. */
  static Configuration of(
      UserAgent.Builder builder,
      Driver driver,
      Environment environment,
      RandomSource random,
      @Nullable Trace trace) {
    boolean virtual = driver.virtualWorld() != null;
    Clock clock = driver.internal().clock();
    Observation observation = new Observation(clock, builder.lockListener);
    Integer concurrency = builder.hardwareConcurrency;
    return new Configuration(
            driver.internal(),
            random,
            (modules, limits) -> environment.newContext(modules, limits, virtual),
            new FailureReports(builder.errorListener))
        .trace(trace == null ? trace(builder.traceListener, clock) : trace)
        .watcher(observation)
        .limits(builder.limits)
        .limitListener(builder.limitListener)
        .virtualWorld(driver.virtualWorld())
        .actorPrefix(builder.remoteLocks == null ? "" : builder.remoteLocks.nextActorPrefix())
        .moduleLoaders(ModuleScripts::loaderOf)
        .with(environment.platform(builder.variants))
        .with(
            new GlobalSettings(
                NavigatorFacts.of(
                    concurrency == null ? driver.internal().parallelism() : concurrency),
                new Reports(builder.consoleListener, builder.errorListener),
                builder.preloadScripts))
        .with(builder.storagePolicy)
        .with(
            new FetchSettings(
                new ResourceLoading(builder.resourceLoader, driver),
                userAgent -> ServiceWorkers.of(userAgent).interceptor(),
                builder.moduleResolver))
        .with(
            new LockSettings(
                builder.variants,
                builder.lockPositions,
                watchdog(builder, clock),
                observation,
                Observing.invariants(builder.lockListener, builder.variants),
                builder.remoteLocks));
  }

  private static @Nullable Trace trace(@Nullable TraceListener listener, Clock clock) {
    return listener == null ? null : new Trace(listener, clock);
  }

  private static @Nullable LockWatchdog watchdog(UserAgent.Builder builder, Clock clock) {
    Duration limit = builder.lockLimit;
    return limit == null
        ? null
        : new LockWatchdog(
            limit.toNanos(),
            (late, all) -> {
              try {
                builder.deadlockListener.accept(DeadlockReport.of(late, all));
              } catch (RuntimeException | Error failure) {
                builder.errorListener.uncaught(
                    FailureReports.defect("lock watchdog", "its listener", failure));
              }
            });
  }
}
