package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnServerTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Sends commands in turn, then ends the input; returns the answers. */
  private static List<JsonNode> ask(List<String> commands)
      throws IOException, InterruptedException, ExecutionException {
    try (WorkloadFiles files = new WorkloadFiles();
        PipedOutputStream input = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(input);
        PipedInputStream output = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(output), true)) {
      ByteArrayOutputStream errors = new ByteArrayOutputStream();
      CompletableFuture<Void> served = new CompletableFuture<>();
      Thread server =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  OwnServer.serve(
                      files.directory(),
                      "7",
                      in,
                      out,
                      new PrintStream(errors, true, StandardCharsets.UTF_8));
                  served.complete(null);
                } catch (IOException | InterruptedException | RuntimeException e) {
                  served.completeExceptionally(e);
                }
              });
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
      List<JsonNode> all = new ArrayList<>();
      all.add(JSON.readTree(answers.readLine()));
      for (String command : commands) {
        input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
        all.add(JSON.readTree(answers.readLine()));
      }
      input.close();
      served.get();
      server.join();
      assertEquals("", errors.toString(StandardCharsets.UTF_8));
      return all;
    }
  }

  @Test
  void every_workload_runs_in_weblocks()
      throws IOException, InterruptedException, ExecutionException {
    List<String> commands = new ArrayList<>();
    for (Workload each : Workloads.ALL) {
      if (each.hasFile()) {
        for (String call : List.of("round", "round", "done")) {
          commands.add(
              JSON.createObjectNode()
                  .put("id", commands.size() + 1)
                  .put("workload", each.name())
                  .put("call", call)
                  .put("size", 8)
                  .toString());
        }
      }
    }

    List<JsonNode> answers = ask(commands);

    assertTrue(answers.get(0).get("ready").asBoolean());
    assertTrue(answers.get(0).get("locks").asBoolean());
    assertEquals("7", answers.get(0).get("version").asText());
    for (int i = 1; i < answers.size(); i++) {
      JsonNode answer = answers.get(i);
      String command = commands.get(i - 1);
      assertEquals(i, answer.get("id").asInt(), command);
      assertTrue(!answer.has("error"), () -> command + " gives " + answer);
      if (command.contains("\"round\"") && !command.contains("-memory")) {
        assertTrue(answer.get("value").get("operations").asInt() >= 8, answer::toString);
        assertTrue(answer.get("value").get("ms").asDouble() >= 0, answer::toString);
      }
    }
  }

  @Test
  void calls_of_unknown_workloads_and_methods_are_answered_with_errors()
      throws IOException, InterruptedException, ExecutionException {
    List<JsonNode> answers =
        ask(
            List.of(
                "{\"id\": 5, \"workload\": \"zzz\", \"call\": \"round\", \"size\": 1}",
                "{\"id\": 6, \"workload\": \"sequential\", \"call\": \"zzz\", \"size\": 1}",
                "{\"id\": 7, \"collect\": true}"));

    assertEquals(5, answers.get(1).get("id").asInt());
    assertTrue(answers.get(1).has("error"));
    assertTrue(answers.get(2).get("error").asText().contains("TypeError"));
    assertEquals(7, answers.get(3).get("id").asInt());
  }
}
