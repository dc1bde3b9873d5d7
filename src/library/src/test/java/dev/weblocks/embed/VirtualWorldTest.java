package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.ForeignStep;
import dev.weblocks.testing.TestSize;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time, randomness and order of events as scripts see them under a deterministic driver. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualWorldTest {

  private static final String PAGE = "https://one.test/page.html";

  /** The log of a page, and its trace. */
  private record Run(List<String> log, List<String> trace) {}

  private static UserAgent.Builder builder(
      Driver driver, List<String> log, Map<String, String> more) {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(SharedEnvironment.ENVIRONMENT)
        .errorListener(error -> log.add("error " + error.message()))
        .consoleListener(message -> log.add(message.text()))
        .resourceLoader(request -> {
          String url = request.url();
          return CompletableFuture.completedFuture(
              ResourceResponse.of(
                  url,
                  url.endsWith(".js") ? "text/javascript" : "text/html",
                  more.getOrDefault(url.substring("https://one.test".length()), "")));
        });
  }

  private static Run run(Driver driver, String script, Map<String, String> more) {
    Map<String, String> resources = new java.util.HashMap<>(more);
    resources.put("/page.html", "<!doctype html><body><script src=page.js></script>");
    resources.put("/page.js", script);
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    List<String> trace = Collections.synchronizedList(new ArrayList<>());
    try (UserAgent userAgent =
        builder(driver, log, resources)
            .traceListener(event -> trace.add(event.toString()))
            .build()) {
      userAgent.open(PAGE);
      if (driver instanceof DeterministicDriver steps) {
        steps.runUntilIdle(1_000_000);
      } else {
        userAgent.quiescent().join();
      }
    }
    driver.close();
    return new Run(List.copyOf(log), List.copyOf(trace));
  }

  private static List<String> log(String script) {
    return run(Driver.deterministic(1), script, Map.of()).log();
  }

  // ---- time ------------------------------------------------------------------------------------

  @Test
  void clocks_show_virtual_time_since_a_fixed_day() {
    assertEquals(
        List.of(
            "2025-09-24T00:00:00",
            "Wed Sep 24 2025 00:00:00 GMT+0000",
            "2025-09-24T01:00:00",
            "true",
            "true",
            "9/24/2025"),
        log(
            """
            const begin = new Date();
            console.log(begin.toISOString().slice(0, 19));
            console.log(Date().slice(0, 33));
            setTimeout(() => {
              console.log(new Date().toISOString().slice(0, 19));
              console.log(Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 2);
              console.log(new File([], 'f').lastModified - begin >= 3600000);
              console.log(new Intl.DateTimeFormat().format());
            }, 3600000);
            """));
  }

  @Test
  void start_time_can_be_chosen() {
    Instant start = Instant.parse("2031-01-31T23:59:59.500Z");
    assertEquals(
        List.of("2031-01-31T23:59:59.500Z", "2031-02-01T00:00:00.500Z"),
        run(
                DeterministicDriver.newBuilder().startTime(start).build(),
                """
                console.log(new Date().toISOString());
                setTimeout(() => console.log(new Date().toISOString()), 1000);
                """,
                Map.of())
            .log());
    assertEquals(
        List.of("-271000"),
        run(
                DeterministicDriver.newBuilder()
                    .startTime(Instant.parse("-267000-01-01T00:00:00Z"))
                    .build(),
                "console.log(new Date().getUTCFullYear() - 4000);",
                Map.of())
            .log());
    for (String none : List.of("-300000-01-01T00:00:00Z", "+300000-01-01T00:00:00Z")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> DeterministicDriver.newBuilder().startTime(Instant.parse(none)));
    }
  }

  @Tag("alone")
  @Test
  void time_zone_and_language_are_not_those_of_the_machine() {
    String script =
        """
        console.log(new Date(0).getTimezoneOffset(), new Date(0).toString());
        console.log(new Date(2025, 0, 1).getTime(), new Date('2025-01-01T00:00').getTime());
        console.log(Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.DateTimeFormat().resolvedOptions().locale);
        console.log(new Date(0).toLocaleString(), (1234.5).toLocaleString(), new Intl.NumberFormat().format(1234.5));
        console.log(['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b)).join(''), 'I'.toLocaleLowerCase());
        console.log(navigator.language, ['z', 'ä', 'a'].sort(new Intl.Collator().compare).join(''));
        """;
    List<String> here = log(script);
    assertTrue(here.getFirst().startsWith("0 Thu Jan 01 1970 00:00:00 GMT+0000"), here.toString());
    assertEquals("Etc/UTC en-US", here.get(2));
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    try {
      for (String other : List.of("Asia/Tokyo", "America/St_Johns")) {
        TimeZone.setDefault(TimeZone.getTimeZone(other));
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        assertEquals(here, log(script), other);
      }
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
  }

  @Test
  void script_that_busy_waits_on_the_clock_makes_progress() {
    assertEquals(
        List.of("Date", "new Date", "performance"),
        log(
            """
            let begin = Date.now();
            while (Date.now() - begin < 20);
            console.log('Date');
            begin = new Date();
            while (new Date() - begin < 20);
            console.log('new Date');
            begin = performance.now();
            while (performance.now() - begin < 20);
            console.log('performance');
            """));
  }

  @Test
  void script_that_busy_waits_on_event_and_file_times_makes_progress() {
    assertEquals(
        List.of("event", "file"),
        log(
            """
            let begin = new Event('e').timeStamp;
            while (new Event('e').timeStamp - begin < 20);
            console.log('event');
            begin = new File([], 'f').lastModified;
            while (new File([], 'f').lastModified - begin < 20);
            console.log('file');
            """));
  }

  @Test
  void reading_a_few_event_and_file_times_does_not_advance_time() {
    List<Duration> ends = new ArrayList<>();
    for (String seen : List.of("", "new Event('e').timeStamp; new File([], 'f').lastModified;")) {
      DeterministicDriver driver = Driver.deterministic(1);
      Run unused =
          run(
              driver,
              "for (let i = 0; i < 1000; i++) { " + seen + " } setTimeout(() => {})",
              Map.of());
      ends.add(driver.elapsed());
    }
    assertEquals(ends.getFirst(), ends.getLast());
  }

  // ---- replaced functions look like the originals -----------------------------------------------

  private static final String LOOKS =
      """
      const show = (name, f) => { try { console.log(name, f()); } catch (e) { console.log(name, e.name); } };
      const keys = o => JSON.stringify(Reflect.ownKeys(o).map(String));
      const descriptors = o => JSON.stringify(Reflect.ownKeys(o).map(k => {
        const d = Reflect.getOwnPropertyDescriptor(o, k);
        return [String(k), d.writable, d.enumerable, d.configurable, typeof d.get, typeof d.set];
      }));
      for (const [name, f] of Object.entries({
        Date, now: Date.now, random: Math.random, WeakRef,
        register: FinalizationRegistry.prototype.register,
        parts: Intl.DateTimeFormat.prototype.formatToParts,
        format: Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get,
        bound: new Intl.DateTimeFormat().format,
      })) {
        show(name + ' text', () => f.toString());
        show(name + ' text by Function', () => Function.prototype.toString.call(f));
        show(name + ' keys', () => keys(f));
        show(name + ' descriptors', () => descriptors(f));
        show(name + ' type', () => typeof f + Object.prototype.toString.call(f) + f.length + f.name);
        show(name + ' prototype', () => Object.getPrototypeOf(f) === Function.prototype);
        show(name + ' new', () => typeof new f({}, 0, 0, 0));
        show(name + ' shown', () => { console.log(f); return ''; });
      }
      for (const o of [Math, Intl.DateTimeFormat.prototype, WeakRef.prototype,
          FinalizationRegistry.prototype, Date.prototype]) {
        show('members', () => descriptors(o));
      }
      show('global', () => JSON.stringify([Object.getOwnPropertyDescriptor(globalThis, 'Date').enumerable,
          Object.getOwnPropertyDescriptor(globalThis, 'Date').writable, 'Date' in globalThis]));
      show('constructor', () => Date.prototype.constructor === Date && new Date().constructor === Date);
      show('WeakRef', () => { const o = {}; return new WeakRef(o).deref() === o && WeakRef.prototype.constructor === WeakRef; });
      show('called', () => typeof Date(5) + typeof Date.call({}, 5));
      show('arguments', () => [new Date(undefined), new Date(null).getTime(), new Date(2020, 1).getMonth(),
          new Date('x').getTime(), new Date(new Date(7)).getTime(), new Date({valueOf: () => 9}).getTime(),
          Date.UTC(2000, 1), Date.parse('1970-01-01T00:00:01Z')].join());
      class Sub extends Date { constructor(...a) { super(...a); } more() { return 'more'; } }
      show('subclass', () => [new Sub(5).getTime(), new Sub() instanceof Sub, new Sub() instanceof Date,
          new Sub(1).more(), Object.getPrototypeOf(Sub) === Date, Sub.now === Date.now,
          Object.prototype.toString.call(new Sub())].join());
      show('new.target', () => {
        let gets = [];
        const target = new Proxy(function () {}, {get(t, k, r) { gets.push(String(k)); return Reflect.get(t, k, r); }});
        const made = Reflect.construct(Date, [3], target);
        return gets.join() + Date.prototype.getTime.call(made);
      });
      show('no prototype', () => {
        const target = function () {}.bind();
        return Object.getPrototypeOf(Reflect.construct(Date, [], target)) === Date.prototype;
      });
      show('order', () => {
        const order = [];
        const target = new Proxy(function () {}, {get(t, k, r) { order.push('get ' + String(k)); return Reflect.get(t, k, r); }});
        Reflect.construct(Date, [{valueOf() { order.push('value'); return 1; }}], target);
        return order.join();
      });
      show('symbol', () => new Date(Symbol()));
      show('frozen now', () => { const {now} = Date; return typeof now() + typeof now.call(null); });
      show('bound', () => { const f = new Intl.DateTimeFormat('en', {timeZone: 'UTC'}); return (f.format === f.format) + f.format(0) + f.format(NaN); });
      show('parts', () => new Intl.DateTimeFormat('en', {timeZone: 'UTC'}).formatToParts(0).map(p => p.value).join(''));
      show('brand', () => Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get.call({}));
      show('brand of parts', () => Intl.DateTimeFormat.prototype.formatToParts.call({}));
      show('clone', () => structuredClone(new Date(5)).getTime());
      show('shown', () => { console.log(new Date(5)); return ''; });
      show('json', () => JSON.stringify(new Date(5)));
      show('deleted', () => { const d = Date; delete globalThis.Date; const gone = typeof Date; globalThis.Date = d; return gone; });
      """;

  @Test
  void replaced_clock_functions_look_like_the_engines_own() {
    List<String> ofEngine = run(Driver.threadPool(1), LOOKS, Map.of()).log();
    List<String> ofVirtualWorld = log(LOOKS);
    assertTrue(ofEngine.size() > 90, ofEngine.toString());
    assertEquals(String.join("\n", ofEngine), String.join("\n", ofVirtualWorld));
  }

  @Test
  void replaced_functions_belong_to_the_realm_of_their_frame() {
    assertEquals(
        List.of("false true true true", "true"),
        log(
            """
            const frame = document.createElement('iframe');
            document.body.append(frame);
            const other = frame.contentWindow;
            const made = new other.Date();
            console.log(other.Date === Date, made instanceof other.Date,
                Object.getPrototypeOf(Reflect.construct(Date, [], other.Function('').bind())) === other.Date.prototype,
                Math.abs(made - new Date()) < 5);
            console.log(other.Math.random() !== Math.random());
            """));
  }

  // ---- randomness and identity -----------------------------------------------------------------

  private static final String RANDOM =
      """
      const worker = new Worker('worker.js');
      worker.onmessage = e => console.log(e.data);
      console.log(Math.random(), Math.random(), crypto.randomUUID());
      console.log(crypto.getRandomValues(new Uint32Array(4)).join());
      console.log(URL.createObjectURL(new Blob(['x'])));
      navigator.locks.request('a', async () => {
        console.log((await navigator.locks.query()).held[0].clientId, Date.now(), performance.now());
      });
      const frame = document.createElement('iframe');
      document.body.append(frame);
      console.log(frame.contentWindow.Math.random());
      """;

  private static final Map<String, String> RANDOM_WORKER =
      Map.of("/worker.js", "postMessage([Math.random(), Date.now(), crypto.randomUUID()].join());");

  @Test
  void equal_seeds_give_equal_random_values_and_different_seeds_differ() {
    Run first = run(Driver.deterministic(7), RANDOM, RANDOM_WORKER);
    assertEquals(6, first.log().size(), first.log().toString());
    for (int i = 0; i < 5; i++) {
      assertEquals(first, run(Driver.deterministic(7), RANDOM, RANDOM_WORKER));
    }
    Run other = run(Driver.deterministic(8), RANDOM, RANDOM_WORKER);
    for (String line : other.log()) {
      assertFalse(first.log().contains(line), line);
    }
  }

  @Test
  void new_environment_gives_the_same_trace_as_a_used_environment() {
    Run used = run(Driver.deterministic(7), RANDOM, RANDOM_WORKER);
    try (Environment fresh = Environment.newBuilder().warmUp(false).build()) {
      for (int i = 0; i < 2; i++) {
        List<String> trace = new ArrayList<>();
        Map<String, String> resources = new java.util.HashMap<>(RANDOM_WORKER);
        resources.put("/page.html", "<!doctype html><body><script src=page.js></script>");
        resources.put("/page.js", RANDOM);
        try (DeterministicDriver driver = Driver.deterministic(7);
            UserAgent userAgent =
                builder(driver, new ArrayList<>(), resources)
                    .environment(fresh)
                    .traceListener(event -> trace.add(event.toString()))
                    .build()) {
          userAgent.open(PAGE);
          driver.runUntilIdle(1_000_000);
        }
        assertEquals(String.join("\n", used.trace()), String.join("\n", trace));
      }
    }
  }

  @Test
  void math_random_is_uniform_and_within_its_range() {
    List<String> bins =
        log(
            """
            const bins = new Array(10).fill(0);
            for (let i = 0; i < 10_000; i++) {
              const x = Math.random();
              if (!(x >= 0 && x < 1)) throw new RangeError(x);
              bins[Math.floor(x * 10)]++;
            }
            console.log(bins.join());
            """);
    int[] counts =
        Arrays.stream(bins.getFirst().split(",", -1)).mapToInt(Integer::parseInt).toArray();
    for (int count : counts) {
      assertTrue(count > 850 && count < 1150, bins.toString());
    }
  }

  @Test
  void user_agents_of_one_driver_have_different_random_values() {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1)) {
      for (int i = 0; i < 2; i++) {
        try (UserAgent userAgent =
            builder(
                    driver,
                    log,
                    Map.of("/page.html", "<script>console.log(crypto.randomUUID())</script>"))
                .build()) {
          userAgent.open(PAGE);
          driver.runUntilIdle(1000);
        }
      }
    }
    assertEquals(2, log.size());
    assertNotEquals(log.getFirst(), log.getLast());
  }

  @Tag("alone")
  @Test
  void garbage_collection_is_not_observable() {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            builder(
                    driver,
                    log,
                    Map.of(
                        "/page.html",
                        """
                        <script>
                        const refs = Array.from({length: 100}, () => new WeakRef({}));
                        const registry = new FinalizationRegistry(() => console.log('collected'));
                        for (let i = 0; i < 100; i++) registry.register({}, i);
                        setTimeout(() => console.log(refs.every(ref => ref.deref())), 1000);
                        setTimeout(() => {}, 2000);
                        </script>
                        """))
                .build()) {
      userAgent.open(PAGE);
      for (int i = 0; i < TestSize.of(4, 20); i++) {
        driver.runOne();
        System.gc();
      }
      driver.runUntilIdle(10_000);
    }
    assertEquals(List.of("true"), log);
  }

  @Test
  void script_can_reach_no_other_clocks_or_unpatched_realms() {
    assertEquals(
        List.of("undefined undefined TypeError"),
        log(
            """
            let refused;
            try {
              Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
            } catch (e) {
              refused = e.name;
            }
            console.log(typeof ShadowRealm, typeof Atomics.waitAsync, refused);
            """));
  }

  // ---- order -----------------------------------------------------------------------------------

  private static List<String> fetched(long seed) {
    return run(
            Driver.deterministic(seed),
            "for (const name of ['a', 'b', 'c']) fetch(name).then(() => console.log(name));",
            Map.of())
        .log();
  }

  @Test
  void seed_decides_the_order_of_responses() {
    Set<List<String>> orders = new HashSet<>();
    for (long seed = 0; seed < TestSize.of(24, 60); seed++) {
      List<String> order = fetched(seed);
      orders.add(order);
      assertEquals(order, fetched(seed));
    }
    assertEquals(6, orders.size(), orders.toString());
  }

  /** Opens a page whose response is completed by another thread, then runs the driver again. */
  private static void answerElsewhere(DeterministicDriver driver, List<String> log)
      throws InterruptedException {
    CompletableFuture<ResourceResponse> answer = new CompletableFuture<>();
    try (UserAgent userAgent =
        builder(driver, log, Map.of()).resourceLoader(request -> answer).build()) {
      userAgent.open(PAGE);
      driver.runUntilIdle(1000);
      Thread other =
          Thread.ofPlatform()
              .name("elsewhere")
              .start(() ->
                  answer.complete(
                      ResourceResponse.of(
                          PAGE, "text/html", "<script>console.log('here')</script>")));
      other.join();
      driver.runUntilIdle(1000);
    }
  }

  @Test
  void response_from_another_thread_fails_the_next_run() {
    try (DeterministicDriver driver = Driver.deterministic(1)) {
      IllegalStateException told =
          assertThrows(
              IllegalStateException.class, () -> answerElsewhere(driver, new ArrayList<>()));
      assertEquals(
          "response to GET "
              + PAGE
              + " was submitted by thread elsewhere, outside of the schedule, at ",
          told.getMessage().replaceFirst("(, at ).*", "$1"));
    }
  }

  @Test
  void a_listener_receives_steps_of_other_threads_and_the_run_continues() throws Exception {
    List<ForeignStep> steps = Collections.synchronizedList(new ArrayList<>());
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver =
        DeterministicDriver.newBuilder().onForeignStep(steps::add).build()) {
      answerElsewhere(driver, log);
    }
    assertEquals(List.of("here"), log);
    assertEquals("elsewhere", steps.getFirst().thread());
    assertEquals("response to GET " + PAGE, steps.getFirst().actor());
    assertTrue(
        steps.getFirst().place().stream()
            .anyMatch(frame -> frame.getClassName().startsWith(VirtualWorldTest.class.getName())),
        () -> steps.getFirst().place().toString());
  }

  @Test
  void callbacks_scheduled_on_the_driver_run_at_their_virtual_time() {
    List<String> log = new ArrayList<>();
    try (DeterministicDriver driver = Driver.deterministic(1)) {
      driver.schedule(
          Duration.ofHours(2), "late", () -> log.add(Long.toString(driver.elapsed().toHours())));
      driver.schedule(
          Duration.ofHours(1), "early", () -> log.add(Long.toString(driver.elapsed().toHours())));
      driver.schedule(Duration.ofHours(1), "never", () -> log.add("never")).cancel();
      assertFalse(driver.runOneUntil(Duration.ofMinutes(59)));
      assertTrue(driver.runOneUntil(Duration.ofMinutes(61)));
      assertEquals(List.of("1"), log);
      driver.runUntilIdle(10);
    }
    assertEquals(List.of("1", "2"), log);
  }
}
