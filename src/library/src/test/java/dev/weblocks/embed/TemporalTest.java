package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code Temporal} in windows and installations: its clock, its copies, its texts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TemporalTest {

  private static final String REFUSED = "Failed to execute 'structuredClone' on 'Window': ";

  @RegisterExtension final EmbedderContexts contexts = new EmbedderContexts();

  private TemporalEnvironment temporal;

  @BeforeAll
  void open() {
    temporal = new TemporalEnvironment();
  }

  @AfterAll
  void close() {
    temporal.close();
  }

  // ---- the virtual clock -----------------------------------------------------------------------

  private static final String CLOCKS =
      """
      function clocks() {
        const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
        const before = Date.now();
        const times = [
          Temporal.Now.instant(),
          Temporal.Now.zonedDateTimeISO(),
          Temporal.Now.plainDateTimeISO(),
          Temporal.Now.zonedDateTimeISO('+01:00'),
          Temporal.Now.plainDateTimeISO('+01:00').subtract({hours: 1}),
          Temporal.Now.plainDateISO().toPlainDateTime(Temporal.Now.plainTimeISO()),
          Temporal.Now.plainDateISO('+01:00').toPlainDateTime(Temporal.Now.plainTimeISO('+01:00')).subtract({hours: 1}),
        ].map(time => time.epochMilliseconds ?? time.toZonedDateTime('UTC').epochMilliseconds);
        const after = Date.now();
        return [new Date(before).toISOString().slice(0, 13), Temporal.Now.timeZoneId() === zone,
          times.every(time => before <= time && time <= after)].join();
      }
      """;

  @Test
  void temporal_reads_the_clock_of_date_in_windows_frames_and_workers() {
    try (Scenario scenario = new Scenario(1, temporal.environment())) {
      assertEquals(
          List.of(
              "window 2025-09-24T00,true,true",
              "frame 2025-09-24T00,true,true",
              "worker 2025-09-24T00,true,true",
              "later 2025-09-24T01,true,true"),
          scenario
              .resource("/worker.js", CLOCKS + "postMessage(clocks());")
              .window(
                  CLOCKS
                      + """
                      console.log('window', clocks());
                      const frame = document.createElement('iframe');
                      document.documentElement.append(frame);
                      console.log('frame', frame.contentWindow.eval(`(${clocks})`)());
                      new Worker('/worker.js').onmessage = e => console.log('worker', e.data);
                      setTimeout(() => console.log('later', clocks()), 3600000);
                      """)
              .run());
    }
  }

  @Test
  void default_time_zone_is_not_that_of_the_machine() {
    String[] expressions = {
      "Temporal.Now.timeZoneId()",
      "Temporal.Now.zonedDateTimeISO().timeZoneId",
      "Temporal.Now.plainDateTimeISO().hour",
      "Temporal.PlainDate.from('2020-01-02').toLocaleString()",
      "Temporal.Instant.from('2020-01-02T00:00Z').toLocaleString()",
    };
    List<String> here = temporal.log(expressions);
    assertEquals(List.of("Etc/UTC", "Etc/UTC", "0"), here.subList(0, 3));
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      Locale.setDefault(Locale.JAPAN);
      assertEquals(here, temporal.log(expressions));
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
  }

  private static final String LOOKS =
      """
      const descriptors = o => Reflect.ownKeys(o).map(k => {
        const d = Reflect.getOwnPropertyDescriptor(o, k);
        return [String(k), d.writable, d.enumerable, d.configurable].join();
      }).join(' ');
      const tried = steps => { try { return String(steps()); } catch (e) { return e.name; } };
      console.log(descriptors(Temporal.Now));
      for (const f of Object.values(Object.getOwnPropertyDescriptors(Temporal.Now)).map(d => d.value)) {
        if (typeof f === 'function') {
          console.log(f.name, f.length, descriptors(f), String(f), tried(() => new f()),
            tried(() => typeof f.call(null)), tried(() => Object.getPrototypeOf(f) === Function.prototype),
            [5, '', 'nowhere', Symbol(), null, {}].map(zone => tried(() => typeof f(zone))).join());
        }
      }
      """;

  @Test
  void replaced_functions_look_like_the_engines_own() {
    List<String> ofEngine = Collections.synchronizedList(new ArrayList<>());
    String url = "https://one.test/";
    try (Driver driver = Driver.threadPool(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(temporal.environment())
                .resourceLoader(
                    ResourceLoader.inMemory().put(url, "<script>" + LOOKS + "</script>").build())
                .consoleListener(message -> ofEngine.add(message.text()))
                .build()) {
      userAgent.open(url);
      userAgent.quiescent().join();
    }
    assertEquals(7, ofEngine.size(), ofEngine.toString());
    assertEquals(String.join("\n", ofEngine), String.join("\n", temporal.run(LOOKS)));
  }

  @Test
  void temporal_and_date_of_an_installation_read_the_clock_of_the_machine() {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent = UserAgent.newBuilder().driver(driver).build()) {
      Context context = context();
      CallerDrivenInstallation unused = userAgent.installInto(context).install();
      assertTrue(
          context
              .eval(
                  "js",
                  "const before = Date.now(); const time = Temporal.Now.instant().epochMilliseconds;"
                      + " before <= time && time <= Date.now()")
              .asBoolean());
    }
  }

  private Context context() {
    return contexts.open(
        options -> options.allowExperimentalOptions(true).option("js.temporal", "true"));
  }

  // ---- copies and texts ------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "Instant.from('2020-01-01T00:00:00.5Z'), Temporal.Instant 2020-01-01T00:00:00.5Z",
    "ZonedDateTime.from('2020-01-01T00:00[UTC]'), Temporal.ZonedDateTime"
        + " 2020-01-01T00:00:00+00:00[UTC]",
    "PlainDateTime.from('2020-01-01T10:00'), Temporal.PlainDateTime 2020-01-01T10:00:00",
    "PlainDate.from('2020-01-01'), Temporal.PlainDate 2020-01-01",
    "PlainTime.from('10:00'), Temporal.PlainTime 10:00:00",
    "PlainYearMonth.from('2020-01'), Temporal.PlainYearMonth 2020-01",
    "PlainMonthDay.from('01-02'), Temporal.PlainMonthDay 01-02",
    "Duration.from('PT1H'), Temporal.Duration PT1H",
  })
  void value_has_a_text_on_the_console_and_cannot_be_cloned(String value, String text) {
    String name = value.substring(0, value.indexOf('.'));
    assertEquals(
        List.of(
            text,
            "{ deep: [ " + text + " ] }",
            "DataCloneError " + REFUSED + "[object Temporal." + name + "] could not be cloned.",
            "DataCloneError " + REFUSED + "#<Object> could not be cloned."),
        temporal.log(
            "Temporal." + value,
            "({deep: [Temporal." + value + "]})",
            "structuredClone([Temporal." + value + "])",
            "structuredClone(Object.setPrototypeOf(Temporal." + value + ", Object.prototype))"));
  }

  @Test
  void text_runs_no_page_code() {
    assertEquals(
        List.of(
            "My [Temporal.PlainDate] 2020-01-01 { x: 1 }",
            "Temporal.Instant 1970-01-01T00:00:00Z",
            "Temporal.Instant 1970-01-01T00:00:00Z",
            "Instant [Temporal.Instant] {}",
            "[Temporal.Instant: null prototype] 1970-01-01T00:00:00Z",
            "Date {}"),
        temporal.log(
            "Object.assign(new (class My extends Temporal.PlainDate {})(2020, 1, 1), {x: 1})",
            "(() => { const i = new Temporal.Instant(0n);"
                + " Temporal.Instant.prototype.toString = () => { throw 1; }; return i; })()",
            "(() => { const i = new Temporal.Instant(0n);"
                + " Object.defineProperty(Temporal.Instant.prototype, 'epochNanoseconds',"
                + " {get() { throw 1; }}); return i; })()",
            "Object.create(Temporal.Instant.prototype)",
            "Object.setPrototypeOf(new Temporal.Instant(0n), null)",
            "Object.setPrototypeOf(new Temporal.Instant(0n), Date.prototype)"));
  }

  @ParameterizedTest
  @CsvSource({"new Temporal.Instant(0n)", "'new Temporal.ZonedDateTime(0n, \"UTC\")'"})
  void value_of_an_installed_context_cannot_be_cloned(String value) {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent = UserAgent.newBuilder().driver(driver).build()) {
      Context context = context();
      CallerDrivenInstallation unused = userAgent.installInto(context).install();
      assertEquals(
          "DataCloneError",
          context
              .eval("js", "try { structuredClone(" + value + ") } catch (e) { e.name }")
              .asString());
    }
  }
}
