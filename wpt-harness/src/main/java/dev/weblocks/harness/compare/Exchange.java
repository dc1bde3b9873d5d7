package dev.weblocks.harness.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.harness.process.EngineFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * An exchange of JSON messages with a process, each on a line. Skips input that is not a JSON
 * object, since other code in the process printed it. For one thread.
 */
final class Exchange {

  private static final int MAX_REASON = 300;

  private final JsonMapper json = JsonMapper.builder().build();
  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private final OutputStream out;
  private int lastId;
  private boolean over;

  Exchange(InputStream in, OutputStream out) {
    this.out = out;
    Thread.ofPlatform().daemon().name("weblocks-bench-answers").start(() -> read(in));
  }

  private void read(InputStream in) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        take(line);
      }
    } catch (IOException ended) {
      // same as if the process had closed its output
    }
    messages.add(MissingNode.getInstance());
  }

  private void take(String text) {
    try {
      JsonNode message = json.readTree(text);
      if (message.isObject()) {
        messages.add(message);
      }
    } catch (JsonProcessingException somebodyElses) {
      // skip it
    }
  }

  ObjectNode command() {
    return json.createObjectNode().put("id", ++lastId);
  }

  /** Creates a command that calls a function of a workload. */
  ObjectNode command(String workload, String call, int size) {
    return command().put("workload", workload).put("call", call).put("size", size);
  }

  /** Returns a field of an answer. Throws if the answer is an error. */
  static JsonNode field(JsonNode answer, String field) throws EngineFailure {
    if (answer.has("error")) {
      JsonNode error = answer.get("error");
      throw new EngineFailure(line(error.path("message").asText(error.asText())));
    }
    return answer.path(field);
  }

  JsonNode ask(ObjectNode command, Duration bound) throws EngineFailure, InterruptedException {
    try {
      out.write((json.writeValueAsString(command) + '\n').getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new EngineFailure("the process has ended");
    }
    int id = command.path("id").asInt();
    return await(message -> message.path("id").asInt() == id, bound);
  }

  /** Waits for a wanted message. Drops the messages before it. */
  JsonNode await(Predicate<JsonNode> wanted, Duration bound)
      throws EngineFailure, InterruptedException {
    long deadline = System.nanoTime() + bound.toNanos();
    while (true) {
      JsonNode message =
          over
              ? MissingNode.getInstance()
              : messages.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (message == null) {
        throw EngineFailure.late("no answer within " + bound.toMillis() / 1000.0 + " s");
      }
      if (message.isMissingNode()) {
        over = true;
        throw new EngineFailure("the process has ended");
      }
      if (wanted.test(message)) {
        return message;
      }
    }
  }

  /** Returns the text in one line, truncated to a readable length. */
  static String line(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() > MAX_REASON ? line.substring(0, MAX_REASON) + "…" : line;
  }
}
