package dev.weblocks.harness.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.ConsoleMessage.Severity;
import dev.weblocks.model.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.graalvm.polyglot.Engine;

/**
 * The process side of a {@link LineSession} for Weblocks. A page carries out the commands; its
 * scripts run as with {@code weblocks run}.
 */
public final class OwnServer {

  /**
   * The prefix of the page's console messages that are answers to commands; other messages are
   * output of scripts.
   */
  private static final String ANSWER = "answer:";

  /**
   * Number of garbage collections for one {@link Session#collect}; some collectors return only part
   * of the memory to the system each time.
   */
  private static final int COLLECTIONS = 4;

  /** The workload with a million requests in the queue holds a lock too. */
  private static final Limits LIMITS =
      Limits.newBuilder().lockRequestsPerClient(2_000_000).lockRequestsPerOrigin(2_000_000).build();

  private OwnServer() {}

  /**
   * Answers commands until the input ends.
   *
   * @param files directory of the workloads
   * @param version version that the process reports
   * @throws IOException if the page cannot be loaded, or the input cannot be read
   */
  public static void serve(
      Path files, String version, InputStream in, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    try (Environment environment = Environment.create();
        Driver driver =
            Driver.threadPool(2 * Math.max(2, Runtime.getRuntime().availableProcessors()));
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(environment)
                .limits(LIMITS)
                .driver(driver)
                .resourceLoader(ResourceLoader.directory("https://localhost/", files))
                .consoleListener(message -> receive(message, out, err))
                .errorListener(error -> err.println(error.message()))
                .build()) {
      Window window = userAgent.open("https://localhost/adapters/page.html?windows");
      try {
        window.loaded().get();
      } catch (ExecutionException e) {
        throw new IOException("the page did not load: " + e.getCause());
      }
      out.println(greeting(version));
      out.flush();
      BufferedReader commands =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        JsonNode command = JsonMapper.builder().build().readTree(line);
        if (command.path("collect").asBoolean()) {
          for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
          }
          out.println("{\"id\":" + command.path("id").asInt() + "}");
          out.flush();
        } else {
          window
              .evaluate(
                  "obeyDriver(%s).then((answer) => console.log('%s' + JSON.stringify(answer)))"
                      .formatted(command, ANSWER))
              .exceptionally(failure -> {
                err.println(failure.getMessage());
                return null;
              });
        }
      }
    }
  }

  private static String greeting(String version) {
    try (Engine engine =
        Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      return JsonMapper.builder()
          .build()
          .createObjectNode()
          .put("ready", true)
          .put("version", version)
          .put("locks", true)
          .put("interprets", engine.getImplementationName().equals("Interpreted"))
          .toString();
    }
  }

  private static void receive(ConsoleMessage message, PrintStream out, PrintStream err) {
    if (message.severity() == Severity.LOG && message.text().startsWith(ANSWER)) {
      out.println(message.text().substring(ANSWER.length()));
      out.flush();
    } else {
      err.println(message.text());
    }
  }
}
