package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code weblocks run --inspect}, as DevTools use it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InspectTest extends CliBed {

  private static final Pattern ADDRESS = Pattern.compile("ws=([^\\s&]+)|(ws://\\S+)");

  private final BlockingQueue<JsonNode> heard = new LinkedBlockingQueue<>();

  private final class ObservationListener implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      message.append(part);
      if (last) {
        try {
          heard.add(JsonMapper.builder().build().readTree(message.toString()));
        } catch (Exception e) {
          throw new IllegalStateException(message.toString(), e);
        }
        message.setLength(0);
      }
      socket.request(1);
      return null;
    }
  }

  private URI address(CompletableFuture<Integer> status) {
    while (true) {
      Matcher matcher = ADDRESS.matcher(err());
      if (matcher.find() && err().endsWith("\n")) {
        String address = matcher.group(2) != null ? matcher.group(2) : "ws://" + matcher.group(1);
        return URI.create(address);
      }
      assertTrue(!status.isDone(), this::err);
      Thread.onSpinWait();
    }
  }

  @Test
  void dev_tools_can_attach_and_then_list_and_resume_the_script() throws Exception {
    Path program = Files.writeString(dir.resolve("app.js"), "console.log('ran to its end');\n");
    CompletableFuture<Integer> status =
        CompletableFuture.supplyAsync(
            () -> run("run", "--inspect=0", program.toString()), task -> new Thread(task).start());
    URI address = address(status);
    assertTrue(address.getHost().equals("127.0.0.1") || address.getHost().equals("localhost"));
    try (HttpClient client = HttpClient.newHttpClient()) {
      WebSocket socket =
          client.newWebSocketBuilder().buildAsync(address, new ObservationListener()).join();

      String[] methods = {"Runtime.enable", "Debugger.enable", "Runtime.runIfWaitingForDebugger"};
      for (int i = 0; i < methods.length; i++) {
        socket
            .sendText("{\"id\": %d, \"method\": \"%s\"}".formatted(i + 1, methods[i]), true)
            .join();
      }

      List<String> parsed = new ArrayList<>();
      while (parsed.stream().noneMatch(url -> url.endsWith("/app.js"))) {
        JsonNode message = heard.take();
        assertTrue(message.path("error").isMissingNode(), message::toString);
        if (message.path("method").asText().equals("Debugger.scriptParsed")) {
          parsed.add(message.at("/params/url").asText());
        }
      }
      assertEquals(0, status.join(), this::err);
      socket.abort();
    }
    assertEquals("ran to its end\n", out());
  }

  @Test
  void without_the_inspector_on_the_class_path_the_command_fails() throws Exception {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String others =
        Arrays.stream(all.split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("chromeinsp"))
            .collect(Collectors.joining(File.pathSeparator));
    assertTrue(others.length() < all.length(), all);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@scripts/jvm.options",
                "-cp",
                others,
                "dev.weblocks.harness.cli.Main",
                "run",
                "--inspect",
                "-e",
                "1")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();

    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals(2, process.waitFor(), said);
    assertEquals(
        "weblocks: --inspect: the inspector is not on the class path: add"
            + " org.graalvm.tools:chromeinspector-tool\n",
        said);
  }
}
