package dev.weblocks.harness.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.weblocks.embed.EvaluationOptions;
import dev.weblocks.embed.InMemoryResources;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.harness.SharedEnvironment;
import dev.weblocks.harness.cli.Main;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.testing.OtherJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Scenarios of three agents, each in a JVM of its own, that share the locks of a cluster. They log
 * the same as three windows of one user agent without a cluster.
 */
@Tag("full") // four JVMs
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ClusterScenariosTest {

  /** Functions for the steps; a request holds its lock until it is released by its label. */
  private static final String PRELUDE =
      """
      const releases = {};
      const controllers = {};
      function ask(label, name, options = {}, body) {
        if (options.signal) {
          controllers[label] = new AbortController();
          options.signal = controllers[label].signal;
        }
        navigator.locks.request(name, options, lock => {
          console.log(`${label} gets ${lock && lock.mode}`);
          if (body) return body();
          return lock && new Promise(resolve => releases[label] = resolve);
        }).then(value => console.log(`${label} is over: ${value}`),
                error => console.log(`${label} fails: ${error.name}`));
      }
      function show() {
        const clients = [];
        const text = ({name, mode, clientId}) => {
          if (!clients.includes(clientId)) clients.push(clientId);
          return `${name} ${mode} ${clients.indexOf(clientId)}`;
        };
        navigator.locks.query().then(({held, pending}) =>
          console.log(`held: ${held.map(text)}; pending: ${pending.map(text)}`));
      }
      0
      """;

  /**
   * A script whose end comes behind all requests so far in the log, and behind their effects on its
   * agent.
   */
  private static final String BARRIER =
      "new Promise(resolve => setTimeout(resolve)).then(() => navigator.locks.query())";

  /** One of the three agents of a scenario. */
  private interface Agent {
    void open() throws Exception;

    void close() throws Exception;

    /** Runs a script and waits for its value. */
    void run(String code) throws Exception;

    /** Returns and removes the messages of the console so far. */
    List<String> takeMessages();
  }

  /** A window of a user agent. */
  private static final class WindowAgent implements Agent {
    private final UserAgent userAgent;
    private final String url;
    private final List<String> messages;
    private Window window;

    WindowAgent(UserAgent userAgent, String url, List<String> messages) {
      this.userAgent = userAgent;
      this.url = url;
      this.messages = messages;
    }

    @Override
    public void open() {
      window = userAgent.open(url);
      window.loaded().join();
    }

    @Override
    public void close() {
      window.close();
      var unused = window.ended().join();
    }

    @Override
    public void run(String code) {
      var unused = window.evaluate(code, EvaluationOptions.newBuilder().await(true).build()).join();
    }

    @Override
    public List<String> takeMessages() {
      return take(messages);
    }
  }

  /** A window in a process of its own. */
  private static final class JvmAgent implements Agent {
    private final List<String> messages = new ArrayList<>();
    private final AgentProcess process;

    JvmAgent(Processes.Child child) {
      process = new AgentProcess(child, this::line);
    }

    private void line(String line) {
      if (line.startsWith("log ")) {
        synchronized (messages) {
          messages.add(line.split(" ", 3)[2]);
        }
      }
    }

    private void await() throws EngineFailure, InterruptedException {
      assertEquals("done", process.await(line -> line.startsWith("done"), Trial.LIMIT));
    }

    @Override
    public void open() throws Exception {
      process.send("open");
      await();
    }

    @Override
    public void close() throws Exception {
      process.send("close");
      await();
    }

    @Override
    public void run(String code) throws Exception {
      process.evaluate(code);
      await();
    }

    @Override
    public List<String> takeMessages() {
      return take(messages);
    }
  }

  private static List<String> take(List<String> messages) {
    synchronized (messages) {
      List<String> taken = List.copyOf(messages);
      messages.clear();
      return taken;
    }
  }

  /**
   * A step of a scenario.
   *
   * @param code the script that the agent runs; empty if it closes its window
   */
  private record Step(int agent, String code) {}

  private static Step a(String code) {
    return new Step(0, code);
  }

  private static Step b(String code) {
    return new Step(1, code);
  }

  private static Step c(String code) {
    return new Step(2, code);
  }

  private static TrialCluster cluster;
  private static Processes processes;
  private static final List<Agent> jvms = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException, EngineFailure {
    cluster = TrialCluster.start(3);
    processes = new Processes(Path.of("").toAbsolutePath());
    for (int i = 0; i < 3; i++) {
      jvms.add(
          new JvmAgent(
              processes.start(
                  OtherJvm.command(
                      List.of("@scripts/jvm.options"),
                      Main.class,
                      "cluster-agent",
                      cluster.peers(),
                      "10000"))));
    }
  }

  @AfterAll
  static void stop() {
    processes.close();
    cluster.close();
  }

  @TestFactory
  Stream<DynamicTest> jvms_log_the_same_as_windows_of_one_user_agent() {
    return Stream.of(
        scenario(
            "exclusive requests in order",
            a("ask('a', 'x')"),
            b("ask('b', 'x')"),
            c("ask('c', 'x')"),
            a("releases.a(1)"),
            b("releases.b(2)"),
            c("releases.c(3)")),
        scenario(
            "shared requests together, an exclusive one behind them",
            a("ask('a', 'x', {mode: 'shared'})"),
            b("ask('b', 'x', {mode: 'shared'})"),
            c("ask('c', 'x')"),
            a("releases.a()"),
            b("releases.b()"),
            c("releases.c()")),
        scenario(
            "a shared request waits behind an exclusive one",
            a("ask('a', 'x', {mode: 'shared'})"),
            b("ask('b', 'x')"),
            c("ask('c', 'x', {mode: 'shared'})"),
            a("releases.a()"),
            b("releases.b()"),
            c("releases.c()")),
        scenario(
            "requests for other names do not wait",
            a("ask('a', 'x'); ask('a2', 'y')"),
            b("ask('b', 'z')"),
            c("ask('c', 'y')"),
            a("releases.a2()")),
        scenario(
            "ifAvailable",
            a("ask('a', 'x', {mode: 'shared'})"),
            b("ask('b', 'x', {ifAvailable: true})"),
            c("ask('c', 'x', {ifAvailable: true, mode: 'shared'})"),
            a("releases.a()"),
            c("releases.c()"),
            b("ask('b2', 'x', {ifAvailable: true})")),
        scenario(
            "ifAvailable behind a waiting request",
            a("ask('a', 'x', {mode: 'shared'})"),
            b("ask('b', 'x')"),
            c("ask('c', 'x', {ifAvailable: true, mode: 'shared'})")),
        scenario(
            "steal from a holder while another one waits",
            a("ask('a', 'x')"),
            b("ask('b', 'x')"),
            c("ask('c', 'x', {steal: true})"),
            a("releases.a()"),
            c("releases.c()"),
            b("releases.b()")),
        scenario(
            "steal from shared holders, and from the thief",
            a("ask('a', 'x', {mode: 'shared'})"),
            b("ask('b', 'x', {mode: 'shared'})"),
            c("ask('c', 'x', {steal: true})"),
            a("ask('a2', 'x', {steal: true})"),
            b("ask('b2', 'x')"),
            a("releases.a2()")),
        scenario(
            "abort while waiting, and after the grant",
            a("ask('a', 'x', {signal: true})"),
            b("ask('b', 'x', {signal: true})"),
            c("ask('c', 'x', {mode: 'shared'})"),
            b("controllers.b.abort()"),
            a("controllers.a.abort()"),
            a("releases.a()")),
        scenario(
            "query",
            a("ask('a', 'x', {mode: 'shared'}); ask('a2', 'y')"),
            b("ask('b', 'x', {mode: 'shared'}); ask('b2', 'y')"),
            c("ask('c', 'x'); show()"),
            a("releases.a(); releases.a2()"),
            b("show()")),
        scenario(
            "a holder and a waiting request end",
            a("ask('a', 'x'); ask('a2', 'y', {mode: 'shared'})"),
            b("ask('b', 'x')"),
            c("ask('c', 'x'); ask('c2', 'y')"),
            b(""),
            a(""),
            c("show()")),
        scenario(
            "a callback that fails releases its lock",
            a("ask('a', 'x', {}, () => { throw new TypeError('no'); })"),
            b("ask('b', 'x', {}, () => Promise.reject(new RangeError('no')))"),
            c("ask('c', 'x', {}, () => 7)"),
            a("ask('a2', 'x')")));
  }

  private static DynamicTest scenario(String name, Step... steps) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          List<List<String>> messages =
              List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
          List<String> expected;
          try (UserAgent userAgent = userAgent(messages)) {
            List<Agent> windows = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
              windows.add(new WindowAgent(userAgent, url(i), messages.get(i)));
            }
            expected = play(List.of(steps), windows);
          }
          assertFalse(expected.isEmpty());
          assertEquals(String.join("\n", expected), String.join("\n", play(List.of(steps), jvms)));
        });
  }

  private static String url(int agent) {
    return ClusterAgent.ORIGIN + "/" + agent + "/";
  }

  private static UserAgent userAgent(List<List<String>> messages) {
    InMemoryResources pages = ResourceLoader.inMemory();
    for (int i = 0; i < messages.size(); i++) {
      pages.put(url(i), "<!doctype html>");
    }
    return UserAgent.newBuilder()
        .environment(SharedEnvironment.ENVIRONMENT)
        .resourceLoader(pages.build())
        .consoleListener(message -> {
          for (int i = 0; i < messages.size(); i++) {
            if (message.url().equals(url(i))) {
              synchronized (messages.get(i)) {
                messages.get(i).add(message.text());
              }
            }
          }
        })
        .build();
  }

  /** Returns the messages after each step, in the order of the agents. */
  private static List<String> play(List<Step> steps, List<Agent> agents) throws Exception {
    List<Agent> open = new ArrayList<>(agents);
    List<String> lines = new ArrayList<>();
    for (Agent agent : agents) {
      agent.open();
      agent.run(PRELUDE);
    }
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Agent agent = agents.get(step.agent());
      if (step.code().isEmpty()) {
        agent.close();
        open.remove(agent);
      } else {
        agent.run(step.code() + "; 0");
      }
      List<List<String>> messages = settle(open, agents);
      for (int j = 0; j < agents.size(); j++) {
        for (String message : messages.get(j)) {
          lines.add("step " + (i + 1) + ", agent " + (j + 1) + ": " + message);
        }
      }
    }
    for (Agent agent : open) {
      agent.close();
      var unused = agent.takeMessages();
    }
    return lines;
  }

  /**
   * Waits until a step has no more effects, and returns the messages of each agent. An effect may
   * make the next request, so two barriers in all agents must pass without a message.
   */
  private static List<List<String>> settle(List<Agent> open, List<Agent> all) throws Exception {
    List<List<String>> messages = new ArrayList<>();
    all.forEach(each -> messages.add(new ArrayList<>()));
    for (int quiet = 0; quiet < 2; quiet++) {
      for (Agent agent : open) {
        agent.run(BARRIER);
      }
      for (int i = 0; i < all.size(); i++) {
        List<String> taken = all.get(i).takeMessages();
        messages.get(i).addAll(taken);
        if (!taken.isEmpty()) {
          quiet = -1;
        }
      }
    }
    return messages;
  }
}
