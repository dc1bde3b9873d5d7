package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.TraceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The close event of a port whose other end is already garbage when its agent ends. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("alone")
class PortsAndGarbageTest {

  private static final String ORIGIN = "https://one.test";

  private static List<String> log(Map<String, String> resources) {
    List<String> log = new ArrayList<>();
    DeterministicDriver driver = Driver.deterministic(1);
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .driver(driver)
            .environment(SharedEnvironment.ENVIRONMENT)
            .resourceLoader(request ->
                CompletableFuture.completedFuture(
                    ResourceResponse.of(
                        request.url(),
                        request.url().endsWith(".js") ? "text/javascript" : "text/html",
                        resources.get(request.url().substring(ORIGIN.length())))))
            .consoleListener(message -> log.add(message.text()))
            .traceListener(event -> {
              if (event.kind() == TraceKind.AGENT && event.detail().equals("has ended")) {
                System.gc(); // the context is closed, but no port has been notified yet
              }
            })
            .build()) {
      userAgent.open(ORIGIN + "/window.html");
      driver.runUntilIdle(100_000);
    }
    driver.close();
    return log;
  }

  @Test
  void port_closes_when_the_worker_that_received_the_other_port_ends() {
    assertEquals(
        List.of("direct", "in a message"),
        log(
            Map.of(
                "/window.html",
                """
                <!doctype html><script>
                const worker = new Worker('/worker.js');
                const ports = [];
                for (const name of ['direct', 'in a message']) {
                  const { port1, port2 } = new MessageChannel();
                  port1.onclose = () => console.log(name);
                  port1.onmessage = () => {};
                  ports.push(port2);
                }
                worker.onmessage = () => worker.terminate();
                worker.postMessage(0, ports);
                </script>\
                """,
                "/worker.js",
                """
                const kept = [];
                onmessage = e => {
                  const [first, rest] = e.ports;
                  const { port1, port2 } = new MessageChannel();
                  port1.postMessage(0, [rest]);
                  kept.push(first, port2);
                  postMessage(0);
                };
                """)));
  }
}
