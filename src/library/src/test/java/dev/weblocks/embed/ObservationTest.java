package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.UncaughtError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Observation of locks by listeners, metrics, flight recorder, loggers and JMX. */
@Tag("alone")
class ObservationTest {

  private static final Environment ENVIRONMENT = Environment.newBuilder().warmUp(false).build();
  private static final String ORIGIN = "https://one.test";

  /** A miss, an abort, a steal, a release, and locks and requests that end with the document. */
  private static final String EVERYTHING =
      """
      const controller = new AbortController();
      navigator.locks.request('a', () => new Promise(r => setTimeout(r, 100))).catch(() => {});
      navigator.locks.request('a', {ifAvailable: true}, () => {});
      navigator.locks.request('a', {signal: controller.signal}, () => {}).catch(() => {});
      setTimeout(() => controller.abort(), 10);
      setTimeout(() => navigator.locks.request('a', {steal: true}, () => {}), 30);
      setTimeout(() => navigator.locks.request('b', () => new Promise(() => {})), 40);
      setTimeout(() => navigator.locks.request('b', () => {}), 60);
      """;

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final List<UserAgent> userAgents = new ArrayList<>();
  private final List<UncaughtError> errors = new ArrayList<>();

  @AfterAll
  static void endEnvironment() {
    ENVIRONMENT.close();
  }

  @AfterEach
  void close() {
    userAgents.forEach(UserAgent::close);
    driver.close();
    assertEquals(List.of(), errors);
  }

  private UserAgent.Builder builder(String script) {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(ENVIRONMENT)
        .errorListener(errors::add)
        .resourceLoader(request ->
            CompletableFuture.completedFuture(
                ResourceResponse.of(
                    request.url(), "text/html", "<script>" + script + "</script>")));
  }

  /** Opens a window, runs it until it is quiescent, and closes it. */
  private UserAgent run(UserAgent.Builder builder) {
    UserAgent userAgent = builder.build();
    userAgents.add(userAgent);
    Window window = userAgent.open(ORIGIN + "/page");
    driver.runUntilIdle(100_000);
    window.close();
    driver.runUntilIdle(100_000);
    return userAgent;
  }

  private static final class Log implements LockListener {
    final List<String> lines = new ArrayList<>();
    final List<LockEvent> events = new ArrayList<>();
    private final Map<Long, Integer> numbers = new TreeMap<>();

    private void add(String what, LockEvent event) {
      int number = numbers.computeIfAbsent(event.requestId(), id -> numbers.size() + 1);
      lines.add(
          what
              + " "
              + event.name()
              + number
              + (event.age().isZero() ? "" : " " + Math.round(event.age().toNanos() / 1e7))
              + (event.clientEnded() ? " client ended" : ""));
      events.add(event);
    }

    @Override
    public void requested(LockEvent event) {
      add("requested", event);
    }

    @Override
    public void granted(LockEvent event) {
      add("granted", event);
    }

    @Override
    public void missed(LockEvent event) {
      add("missed", event);
    }

    @Override
    public void aborted(LockEvent event) {
      add("aborted", event);
    }

    @Override
    public void released(LockEvent event) {
      add("released", event);
    }

    @Override
    public void stolen(LockEvent event) {
      add("stolen", event);
    }

    @Override
    public void agentEnded(String agent, Duration lifetime) {
      lines.add(agent + " ended");
      assertTrue(lifetime.toMillis() >= 100, lifetime::toString);
    }
  }

  @Test
  void listener_receives_each_transition_of_each_request() {
    Log log = new Log();
    run(builder(EVERYTHING).lockListener(log));
    assertEquals(
        List.of(
            "requested a1",
            "granted a1",
            "requested a2",
            "missed a2",
            "requested a3",
            "aborted a3 1",
            "requested a4",
            "stolen a1 3",
            "granted a4",
            "released a4 0",
            "requested b5",
            "granted b5",
            "requested b6",
            "window-1 ended",
            "aborted b6 4 client ended",
            "released b5 6 client ended"),
        log.lines);
    LockEvent first = log.events.get(0);
    assertEquals(ORIGIN, first.origin());
    assertEquals("default", first.bucket());
    assertEquals("window-1", first.agent());
    assertEquals(ORIGIN + "/page", first.url());
    assertEquals(LockMode.EXCLUSIVE, first.mode());
    assertNull(first.stolenBy());
    LockEvent steal = log.events.get(7);
    assertEquals(first.clientId(), steal.stolenBy());
  }

  @Test
  void counters_are_correct_without_a_listener() {
    Metrics metrics = run(builder(EVERYTHING)).metrics();
    assertEquals(
        new Metrics(6, 3, 1, 1, 2, 2, 0, 0, 0, 0, metrics.tasks(), 0, 0, 0, 0, Map.of()), metrics);
    assertTrue(metrics.tasks() > 10, metrics::toString);
  }

  @Test
  void idle_user_agent_has_counters_of_zero() {
    UserAgent userAgent = builder("").build();
    userAgents.add(userAgent);
    assertEquals(
        new Metrics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of()), userAgent.metrics());
  }

  @Test
  void exception_of_a_listener_is_logged_and_locks_continue() throws Exception {
    LockListener broken =
        new LockListener() {
          @Override
          public void granted(LockEvent event) {
            throw new IllegalStateException("broken listener");
          }

          @Override
          public void agentEnded(String agent, Duration lifetime) {
            throw new StackOverflowError("broken too");
          }
        };
    List<LogRecord> records =
        logged(
            Level.WARNING,
            () -> {
              Metrics metrics = run(builder(EVERYTHING).lockListener(broken)).metrics();
              assertEquals(3, metrics.grants());
              assertEquals(0, metrics.agents());
            });
    assertEquals(
        List.of("broken listener", "broken listener", "broken listener", "broken too"),
        records.stream().map(each -> each.getThrown().getMessage()).toList());
    assertEquals(Level.SEVERE, records.get(0).getLevel());
    assertEquals("dev.weblocks", records.get(0).getLoggerName());
  }

  @Test
  void listener_may_use_locks() {
    LockClient[] client = new LockClient[1];
    List<CompletableFuture<HeldLock>> own = new ArrayList<>();
    UserAgent userAgent =
        builder(EVERYTHING)
            .lockListener(
                new LockListener() {
                  @Override
                  public void missed(LockEvent event) {
                    own.add(client[0].request("of the listener"));
                  }
                })
            .build();
    userAgents.add(userAgent);
    client[0] = userAgent.openLockClient(ORIGIN);
    userAgent.open(ORIGIN + "/");
    driver.runUntilIdle(100_000);
    assertTrue(own.get(0).join().isHeld());
  }

  @Test
  void the_flight_recorder_gets_events_with_durations(@TempDir Path folder) throws Exception {
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      for (String each : List.of("Request", "Grant", "Miss", "Abort", "Held", "Steal")) {
        recording.enable("dev.weblocks.Lock" + each).withoutThreshold();
      }
      recording.enable("dev.weblocks.AgentEnd").withoutThreshold();
      recording.start();
      run(builder(EVERYTHING));
      recording.stop();
      Path file = folder.resolve("locks.jfr");
      recording.dump(file);
      events =
          RecordingFile.readAllEvents(file).stream()
              .filter(each -> each.getEventType().getName().startsWith("dev.weblocks."))
              .toList(); // an optimising compiler records events, too
    }
    Map<String, Long> counts =
        events.stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.getEventType().getName(), TreeMap::new, Collectors.counting()));
    assertEquals(
        Map.of(
            "dev.weblocks.LockRequest", 6L,
            "dev.weblocks.LockGrant", 3L,
            "dev.weblocks.LockMiss", 1L,
            "dev.weblocks.LockAbort", 2L,
            "dev.weblocks.LockHeld", 3L,
            "dev.weblocks.LockSteal", 1L,
            "dev.weblocks.AgentEnd", 1L),
        counts);
    RecordedEvent stolen =
        events.stream()
            .filter(each -> each.getEventType().getName().endsWith("LockHeld"))
            .filter(each -> each.getString("end").equals("stolen"))
            .findFirst()
            .orElseThrow();
    assertEquals("a", stolen.getString("lock"));
    assertEquals("exclusive", stolen.getString("mode"));
    assertEquals(ORIGIN, stolen.getString("origin"));
    assertEquals("default", stolen.getString("bucket"));
    assertEquals("window-1", stolen.getString("agent"));
    assertEquals(ORIGIN + "/page", stolen.getString("url"));
    assertEquals(3, stolen.getDuration("held").toMillis() / 10, "virtual time");
    assertFalse(stolen.getDuration().isZero(), "real time");
    RecordedEvent agent =
        events.stream()
            .filter(each -> each.getEventType().getName().endsWith("AgentEnd"))
            .findFirst()
            .orElseThrow();
    assertEquals("window-1", agent.getString("agent"));
    assertTrue(agent.getDuration("lived").toMillis() >= 100);
    for (RecordedEvent each : events) {
      assertEquals("Weblocks", each.getEventType().getCategoryNames().get(0));
      assertFalse(each.getEventType().getLabel().isEmpty());
      each.getFields().forEach(field -> assertFalse(field.getLabel().isEmpty(), field.getName()));
    }
  }

  @Test
  void recording_with_default_settings_has_rare_events_only(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("locks.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      run(builder(EVERYTHING));
      recording.stop();
      recording.dump(file);
    }
    List<String> names =
        RecordingFile.readAllEvents(file).stream()
            .map(each -> each.getEventType().getName())
            .filter(each -> each.startsWith("dev.weblocks."))
            .toList();
    assertTrue(names.contains("dev.weblocks.LockSteal"), names::toString);
    assertEquals(2, names.stream().filter("dev.weblocks.LockAbort"::equals).count());
    assertTrue(names.contains("dev.weblocks.AgentEnd"), names::toString);
    assertFalse(names.contains("dev.weblocks.LockMiss"), names::toString);
    assertFalse(names.contains("dev.weblocks.LockRequest"), names::toString);
  }

  @Test
  void recording_that_starts_and_stops_while_locks_are_held_leaves_no_state() throws Exception {
    UserAgent userAgent = builder("").build();
    userAgents.add(userAgent);
    LockClient client = userAgent.openLockClient(ORIGIN);
    CompletableFuture<HeldLock> before = client.request("before");
    driver.runUntilIdle(1000);
    CompletableFuture<HeldLock> meanwhile;
    try (Recording recording = new Recording()) {
      recording.enable("dev.weblocks.LockHeld").withoutThreshold();
      recording.start();
      before.join().close();
      meanwhile = client.request("meanwhile");
      driver.runUntilIdle(1000);
    }
    meanwhile.join().close();
    driver.runUntilIdle(1000);
    assertEquals(2, userAgent.metrics().releases());
  }

  @Test
  void document_states_which_events_are_recorded_by_default() throws IOException {
    run(builder(EVERYTHING)); // loads their classes
    String document = Files.readString(Path.of("docs/EMBEDDING.md"));
    List<String> events = new ArrayList<>();
    List<String> undocumented = new ArrayList<>();
    for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
      if (type.getName().startsWith("dev.weblocks.")) {
        String threshold = defaultOf(type, "threshold");
        String recorded =
            defaultOf(type, "enabled").equals("false")
                ? "off"
                : threshold.startsWith("0") ? "all" : "from " + threshold;
        String row = "| `" + type.getName() + "` | " + recorded + " |";
        events.add(row);
        if (!document.contains(row)) {
          undocumented.add(row);
        }
      }
    }
    assertEquals(List.of(), undocumented);
    assertEquals(7, events.size(), events::toString);
  }

  private static String defaultOf(EventType type, String setting) {
    return type.getSettingDescriptors().stream()
        .filter(each -> each.getName().equals(setting))
        .map(SettingDescriptor::getDefaultValue)
        .findAny()
        .orElseThrow();
  }

  /** Runs steps; returns the records of the loggers of Weblocks. */
  private static List<LogRecord> logged(Level level, Runnable steps) {
    Logger logger = Logger.getLogger("dev.weblocks");
    Collection<LogRecord> records = new ConcurrentLinkedQueue<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord each) {
            records.add(each);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    handler.setLevel(Level.ALL);
    logger.addHandler(handler);
    logger.setLevel(level);
    logger.setUseParentHandlers(false);
    try {
      steps.run();
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(null);
      logger.setUseParentHandlers(true);
    }
    return List.copyOf(records);
  }

  @Test
  void loggers_write_every_transition_at_trace_and_losses_at_debug() {
    List<LogRecord> all = logged(Level.FINER, () -> run(builder(EVERYTHING)));
    assertEquals(16 + 1, all.size(), "as a listener hears, and the beginning of the agent");
    assertEquals("window-1 begins", all.get(0).getMessage());
    assertTrue(
        all.get(1)
            .getMessage()
            .startsWith("requested 'a' exclusive, request 1 of window-1 " + ORIGIN + "/page"),
        all.get(1).getMessage());
    List<LogRecord> lost = logged(Level.FINE, () -> run(builder(EVERYTHING)));
    assertEquals(
        List.of("dev.weblocks.agents", "dev.weblocks.locks"),
        lost.stream().map(LogRecord::getLoggerName).distinct().toList());
    assertEquals(
        List.of("stolen", "aborted", "released"),
        lost.stream()
            .filter(each -> each.getLoggerName().endsWith("locks"))
            .map(each -> each.getMessage().split(" ")[0])
            .toList());
  }

  @Test
  void lock_name_cannot_forge_a_log_line() {
    List<LogRecord> all =
        logged(
            Level.FINER, () -> run(builder("navigator.locks.request('a\\nb\\u2028', () => {});")));
    assertTrue(all.get(1).getMessage().contains("'a\\u000ab\\u2028'"), all.get(1).getMessage());
  }

  @Test
  void errors_without_a_listener_are_logged() {
    List<LogRecord> all =
        logged(
            Level.INFO,
            () -> {
              UserAgent.Builder unheard =
                  UserAgent.newBuilder()
                      .driver(driver)
                      .environment(ENVIRONMENT)
                      .resourceLoader(request ->
                          CompletableFuture.completedFuture(
                              ResourceResponse.of(
                                  request.url(),
                                  "text/html",
                                  "<script>throw new TypeError('oops')</script>")));
              run(unheard);
            });
    assertEquals(1, all.size());
    assertEquals(Level.WARNING, all.get(0).getLevel());
    assertTrue(
        all.get(0).getMessage().startsWith("window-1: Uncaught TypeError: oops"),
        all.get(0).getMessage());
  }

  @Test
  void registered_mbean_exposes_counters_and_locks() throws Exception {
    UserAgent userAgent = builder("").build();
    userAgents.add(userAgent);
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    ObjectName name = new ObjectName("com.example:type=UserAgent,name=shop");
    server.registerMBean(userAgent.mxBean(), name);
    LockClient client =
        userAgent.openLockClient(LockClientOptions.newBuilder(ORIGIN).name("jobs").build());
    client.request("a");
    client.request("a", LockMode.SHARED);
    driver.runUntilIdle(1000);
    assertEquals(2L, server.getAttribute(name, "Requests"));
    assertEquals(1L, server.getAttribute(name, "Grants"));
    assertEquals(1, server.getAttribute(name, "Held"));
    assertEquals(1, server.getAttribute(name, "Pending"));
    for (var each : server.getMBeanInfo(name).getAttributes()) {
      server.getAttribute(name, each.getName());
    }
    String[] locks = (String[]) server.getAttribute(name, "Locks");
    assertTrue(
        locks[0].startsWith("https://one.test default 'a' exclusive held by jobs for PT"),
        locks[0]);
    assertTrue(locks[1].contains("'a' shared requested at place 1 by jobs"), locks[1]);
    assertThrows(
        javax.management.AttributeNotFoundException.class,
        () -> server.getAttribute(name, "Nothing"));
  }

  /** The program for a JVM without the flight recorder. */
  static final class WithoutFlightRecorder {
    private WithoutFlightRecorder() {}

    public static void main(String... args) throws Exception {
      System.out.println(ModuleLayer.boot().findModule("jdk.jfr").isPresent());
      Log log = new Log();
      try (UserAgent userAgent =
          UserAgent.newBuilder()
              .environment(Environment.newBuilder().warmUp(false).build())
              .lockListener(log)
              .build()) {
        LockClient client = userAgent.openLockClient(ORIGIN);
        client.acquire("a", Duration.ofSeconds(60)).close();
        System.out.println(log.lines.stream().map(line -> line.split(" ")[0]).toList());
      }
    }
  }

  @Test
  void locks_work_in_a_jvm_without_the_flight_recorder() throws Exception {
    Path err = Files.createTempFile("without-jfr", ".txt");
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Dsun.misc.unsafe.memory.access=allow",
                  "--enable-native-access=ALL-UNNAMED",
                  "--limit-modules",
                  "java.base,java.logging,java.management,jdk.management,jdk.unsupported,"
                      + "java.net.http,java.xml,jdk.zipfs",
                  "-cp",
                  System.getProperty("java.class.path"),
                  WithoutFlightRecorder.class.getName())
              .redirectError(err.toFile())
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), () -> read(err));
      assertEquals(List.of("false", "[requested, granted, released]"), output.lines().toList());
    } finally {
      Files.delete(err);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }
}
