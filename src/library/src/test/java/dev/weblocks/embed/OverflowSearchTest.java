package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.binding.Resources;
import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.OtherJvm;
import dev.weblocks.testing.TestSize;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Searches for values that are not of the context, and for members that stay broken, by stack
 * overflows in all installed members. The script {@code overflow-search.js} calls each member in
 * each of the last frames of the stack.
 */
@Tag("overflow")
class OverflowSearchTest {

  /** The stack of the thread that runs the scripts: a small one ends soon. */
  private static final long STACK_BYTES = 768 << 10;

  private static final String SEARCH =
      Resources.text(OverflowSearchTest.class, "overflow-search.js").strip();

  private static final Duration LONGEST = Duration.ofMinutes(TestSize.of(2, 20));

  @Test
  void overflowing_member_gives_no_value_of_java_and_works_later() throws Exception {
    List<String> command =
        OtherJvm.command(
            List.of(
                "@scripts/jvm.options",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dweblocks.full=" + Boolean.getBoolean("weblocks.full")),
            AllContexts.class);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String> reports = new ArrayList<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        System.out.println(line);
        reports.add(line);
      }
    }
    assertEquals(0, process.waitFor());
    assertEquals(
        List.of(), reports.stream().filter(line -> !line.endsWith("\"bad\":[]}")).toList());
    assertEquals(6, reports.size(), "contexts");
  }

  /** Searches in all kinds of contexts, and prints a line for each, and for each defect. */
  static final class AllContexts {
    public static void main(String[] arguments) throws Exception {
      Map<String, HostAccess> policies = new LinkedHashMap<>();
      policies.put("NONE", HostAccess.NONE);
      policies.put("EXPLICIT", HostAccess.EXPLICIT);
      policies.put("CONSTRAINED", HostAccess.CONSTRAINED);
      policies.put("ALL", HostAccess.ALL);
      int phase = 0;
      // never closed: an overflow can leave a lock of the engine locked, also for the next agent
      Environment environment = Environment.create();
      for (Map.Entry<String, HostAccess> each : policies.entrySet()) {
        String search = search(phase++);
        onSmallStack(
            "installed, " + each.getKey(),
            () -> searchInstalled(environment, each.getValue(), search));
      }
      String window = "run(" + search(4) + ")";
      onSmallStack("window", () -> searchPage(environment, window));
      Environment another = Environment.create();
      String worker = "globalThis.worker = new Worker('worker.js')";
      onSmallStack("worker", () -> searchPage(another, worker));
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  @FunctionalInterface
  private interface Search {
    /** Returns the report. */
    String run() throws Exception;
  }

  private static void onSmallStack(String name, Search search) throws InterruptedException {
    Thread thread =
        new Thread(
            null,
            () -> {
              String report;
              try {
                report = search.run();
              } catch (Exception | StackOverflowError failed) {
                report = failed.toString();
              }
              System.out.println("overflow search, " + name + ": " + report);
            },
            "search",
            STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    if (!thread.join(LONGEST)) {
      System.out.println("overflow search, " + name + ": not over after " + LONGEST);
    }
  }

  /** Returns the expression for a search with the options of one context. */
  private static String search(int phase) {
    String engine;
    try (Context plain =
        Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      engine =
          plain.eval("js", "JSON.stringify(Object.getOwnPropertyNames(globalThis))").asString();
    }
    return SEARCH
        + "({engine: %s, stride: %d, phase: %d, offsets: %d, shapes: %d, fine: %d, millis: %d})"
            .formatted(
                engine,
                TestSize.of(40, 1),
                phase * 3,
                TestSize.of(120, 400),
                TestSize.of(1, 8),
                TestSize.of(6, 40),
                TestSize.of(0, 80_000));
  }

  private static UserAgent.Builder userAgent(Environment environment) {
    return UserAgent.newBuilder()
        .environment(environment)
        .errorListener(error -> {
          if (error.kind() == UncaughtError.Kind.DEFECT) {
            System.out.println(error.message() + firstLines(error.stack()));
          }
        });
  }

  private static String firstLines(@Nullable String stack) {
    return stack == null ? "" : stack.lines().limit(12).collect(Collectors.joining(" ", " ", ""));
  }

  private static String searchInstalled(Environment environment, HostAccess policy, String script)
      throws Exception {
    try (UserAgent userAgent = userAgent(environment).build();
        Context context =
            Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .allowHostAccess(policy)
                .build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
      Value search = context.eval(Source.newBuilder("js", script, "search.js").buildLiteral());
      for (String part : List.of("run", "run", "finish")) {
        Value unused = search.invokeMember(part);
        installation.run(Duration.ofMillis(50));
      }
      return search.invokeMember("report").asString();
    }
  }

  /** The steps of a search in tasks of their own, so that promises settle meanwhile. */
  private static final String STEPS =
      """
      const { setTimeout: later, console: { log } } = globalThis;
      function run(search) {
        const steps = [search.run, search.run, search.finish, () => log('REPORT ' + search.report())];
        const next = () => {
          steps.shift()();
          if (steps.length > 0) {
            later(next, 50);
          }
        };
        later(next, 0);
      }
      """;

  private static String searchPage(Environment environment, String script) throws Exception {
    CompletableFuture<String> report = new CompletableFuture<>();
    Semaphore work = new Semaphore(0);
    String worker = STEPS + "run(" + search(5) + ")";
    try (CallerDrivenDriver driver = Driver.callerDriven(work::release);
        UserAgent userAgent =
            userAgent(environment)
                .driver(driver)
                .resourceLoader(
                    request -> CompletableFuture.completedFuture(resource(request, script, worker)))
                .consoleListener(message -> {
                  if (message.text().startsWith("REPORT ")) {
                    report.complete(message.text().substring(7));
                  }
                })
                .build()) {
      Window unused = userAgent.open("https://one.test/");
      while (!report.isDone()) {
        if (!driver.runOne()) {
          boolean woken = work.tryAcquire(10, TimeUnit.MILLISECONDS);
        }
      }
      return report.join();
    }
  }

  private static ResourceResponse resource(ResourceRequest request, String page, String worker) {
    return switch (request.url()) {
      case "https://one.test/" ->
          ResourceResponse.of(
              request.url(),
              "text/html",
              "<p id=p>text<script>" + STEPS + page.replace("</", "<\\/") + "</script>");
      case "https://one.test/worker.js" ->
          ResourceResponse.of(request.url(), "text/javascript", worker);
      default -> ResourceResponse.of(request.url(), "text/plain", "text");
    };
  }
}
