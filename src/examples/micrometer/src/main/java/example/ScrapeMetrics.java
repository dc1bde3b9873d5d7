package example;

import dev.weblocks.embed.CallerDrivenInstallation;
import dev.weblocks.embed.UserAgent;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import org.graalvm.polyglot.Context;

/**
 * Meters of Micrometer for the locks of a user agent: runs a script that takes and waits for locks,
 * then prints all meters of a registry that are not zero.
 *
 * <pre>
 * mvn package
 * java -jar target/micrometer.jar
 * </pre>
 */
public final class ScrapeMetrics {

  private static final String SCRIPT =
      """
      const later = ms => new Promise(resolve => setTimeout(resolve, ms));
      navigator.locks.request('orders', () => later(20)); // the next two wait for it
      navigator.locks.request('orders', () => {});
      navigator.locks.request('orders', () => new Promise(() => {})); // held until the end
      navigator.locks.request('orders', {ifAvailable: true}, lock => {}); // a miss
      navigator.locks.request('orders', () => {}); // waits until the end
      """;

  public static void main(String[] arguments) throws InterruptedException {
    MeterRegistry registry = new SimpleMeterRegistry();
    Tags tags = Tags.of("useragent", "shop");
    try (Context context =
            Context.newBuilder("js")
                .option("js.unhandled-rejections", "handler") // or they would not be reported
                .build();
        UserAgent userAgent =
            UserAgent.newBuilder().lockListener(new LockTimers(registry, tags)).build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
      new WeblocksMetrics(userAgent, tags).bindTo(registry);
      context.eval("js", SCRIPT);
      while (userAgent.metrics().grants() < 3) {
        installation.run(Duration.ofMillis(5));
      }
      registry.getMeters().stream()
          .sorted(Comparator.comparing(meter -> meter.getId().getName()))
          .forEach(ScrapeMetrics::print);
    }
  }

  private static void print(Meter meter) {
    for (Measurement measurement : meter.measure()) {
      if (measurement.getValue() != 0) {
        System.out.printf(
            Locale.ROOT,
            "%s%s %s %s%n",
            meter.getId().getName(),
            meter.getId().getTags(),
            measurement.getStatistic().getTagValueRepresentation(),
            measurement.getValue());
      }
    }
  }

  private ScrapeMetrics() {}
}
