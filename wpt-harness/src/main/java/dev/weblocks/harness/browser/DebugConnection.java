package dev.weblocks.harness.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Commands to a browser, their answers and events, as JSON objects. Both the DevTools protocol and
 * WebDriver BiDi have this form. Thread-safe.
 */
final class DebugConnection {

  /** The transport of messages to the browser. */
  @FunctionalInterface
  interface Wire {
    void send(String message) throws IOException;
  }

  /** A listener for events, called on the thread that receives. */
  interface Listener {
    void event(String method, JsonNode parameters);

    /** Called when the browser has closed the connection. */
    void ended();
  }

  private static final Duration ANSWER = Duration.ofSeconds(60);

  private final JsonMapper json = JsonMapper.builder().build();
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final Wire wire;
  private final Listener listener;
  private int lastId;
  private boolean ended;

  DebugConnection(Wire wire, Listener listener) {
    this.wire = wire;
    this.listener = listener;
  }

  /** Creates a command without parameters. */
  ObjectNode command(String method) {
    ObjectNode command = json.createObjectNode().put("method", method);
    command.putObject("params");
    return command;
  }

  /** Sends a command, and ignores its answer. No-op if the connection has ended. */
  void tell(ObjectNode command) {
    CompletableFuture<JsonNode> unused = send(command, false);
  }

  /** Sends a command. */
  CompletableFuture<JsonNode> send(ObjectNode command) {
    return send(command, true);
  }

  /** Sends a command, and waits for its result. */
  JsonNode ask(ObjectNode command) throws EngineFailure, InterruptedException {
    return await(command, send(command), ANSWER);
  }

  /** Waits for the result of a command that was sent. */
  JsonNode await(ObjectNode command, CompletableFuture<JsonNode> answer, Duration bound)
      throws EngineFailure, InterruptedException {
    JsonNode received;
    try {
      received = answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw EngineFailure.late("no answer within " + bound.toMillis() / 1000.0 + " s");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EngineFailure failure) {
        throw failure;
      }
      throw new IllegalStateException(e);
    }
    if (received.isMissingNode()) {
      throw new EngineFailure("the process has ended");
    }
    if (received.has("error")) {
      JsonNode error =
          received.get("error"); // DevTools: an object; BiDi: a code beside the message
      throw new EngineFailure(
          command.path("method").asText()
              + " failed: "
              + (error.isObject() ? error : received).path("message").asText());
    }
    return received.path("result");
  }

  private synchronized CompletableFuture<JsonNode> send(ObjectNode command, boolean wanted) {
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    if (ended) {
      answer.complete(MissingNode.getInstance());
      return answer;
    }
    int id = ++lastId;
    if (wanted) {
      asked.put(id, answer);
    }
    try {
      wire.send(command.put("id", id).toString());
    } catch (IOException e) {
      answer.complete(MissingNode.getInstance());
    }
    return answer;
  }

  /** Receives a message. Ignores what is not JSON. */
  void receive(String message) {
    JsonNode received;
    try {
      received = json.readTree(message);
    } catch (JsonProcessingException e) {
      return;
    }
    if (received.has("id")) {
      CompletableFuture<JsonNode> answer = asked.remove(received.path("id").asInt());
      if (answer != null) {
        answer.complete(received);
      }
    } else {
      listener.event(received.path("method").asText(), received.path("params"));
    }
  }

  /** Fails all commands without an answer. */
  void end() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    asked.values().forEach(answer -> answer.complete(MissingNode.getInstance()));
    listener.ended();
  }
}
