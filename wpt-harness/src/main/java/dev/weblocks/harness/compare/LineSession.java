package dev.weblocks.harness.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.time.Duration;
import java.util.List;

/**
 * A session with a process that reads commands from standard input and answers on standard output,
 * in lines of JSON. The first line of output is {@code {"ready": true, "version": …, "locks": …}}.
 */
final class LineSession implements Session {

  private static final Duration START = Duration.ofSeconds(60);

  private final Processes processes;
  private final Processes.Child child;
  private final Exchange exchange;
  private final JsonNode greeting;

  private LineSession(
      Processes processes, Processes.Child child, Exchange exchange, JsonNode greeting) {
    this.processes = processes;
    this.child = child;
    this.exchange = exchange;
    this.greeting = greeting;
  }

  static LineSession start(Processes processes, List<String> command)
      throws EngineFailure, InterruptedException {
    Processes.Child child = processes.start(command);
    Exchange exchange =
        new Exchange(child.process().getInputStream(), child.process().getOutputStream());
    try {
      JsonNode greeting = exchange.await(message -> message.has("ready"), START);
      if (!greeting.path("locks").asBoolean()) {
        throw new EngineFailure(
            "version " + greeting.path("version").asText() + " has no navigator.locks");
      }
      return new LineSession(processes, child, exchange, greeting);
    } catch (EngineFailure | InterruptedException | RuntimeException e) {
      processes.end(child);
      if (e instanceof EngineFailure failure && !failure.reason().contains("navigator.locks")) {
        throw new EngineFailure("does not start: " + failure.reason() + child.lastWords());
      }
      throw e;
    }
  }

  JsonNode greeting() {
    return greeting;
  }

  @Override
  public String version() {
    return greeting.path("version").asText();
  }

  @Override
  public JsonNode call(String workload, String call, int size, Duration bound)
      throws EngineFailure, InterruptedException {
    return ask(exchange.command(workload, call, size), bound);
  }

  @Override
  public void collect(Duration bound) throws EngineFailure, InterruptedException {
    JsonNode unused = ask(exchange.command().put("collect", true), bound);
  }

  private JsonNode ask(ObjectNode command, Duration bound)
      throws EngineFailure, InterruptedException {
    try {
      return Exchange.field(exchange.ask(command, bound), "value");
    } catch (EngineFailure e) {
      if (!child.process().isAlive()) {
        throw new EngineFailure(e.reason() + child.lastWords());
      }
      throw e;
    }
  }

  @Override
  public long residentBytes() throws EngineFailure {
    return Processes.residentBytes(child);
  }

  @Override
  public void close() {
    processes.end(child);
  }
}
