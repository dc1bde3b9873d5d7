package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.UncaughtError;
import dev.weblocks.testing.NpmPackage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Unchanged browser libraries, loaded from {@code node_modules} into contexts of the embedder that
 * share locks; in each test an agent is ended.
 */
class LibrariesInstalledTest {

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.create("js");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  /** Contexts of one origin on one thread, with a clock of their own. */
  private static final class Tabs implements AutoCloseable {
    private static final Duration TURN = Duration.ofNanos(1_000);

    private record Tab(Context context, CallerDrivenInstallation installation) {}

    private final NpmPackage library;
    private final String load;
    private final UserAgent userAgent;
    private final Map<String, Tab> tabs = new LinkedHashMap<>();
    private final List<String> log = new ArrayList<>();
    private final List<UncaughtError> errors = new ArrayList<>();
    private Instant now = Instant.EPOCH;

    /**
     * Creates a bed without tabs.
     *
     * @param load a module that each tab runs first; HOME stands for the folder of all packages
     */
    Tabs(NpmPackage library, String load) {
      this.library = library;
      this.load = load;
      this.userAgent =
          UserAgent.newBuilder()
              .environment(SharedEnvironment.ENVIRONMENT)
              .consoleListener(message -> log.add(message.text()))
              .errorListener(errors::add)
              .build();
    }

    /** Opens a tab; its script gets its name as {@code tab}. */
    Tabs open(String script) {
      Path home = library.home().resolve("node_modules");
      Context.Builder builder =
          Context.newBuilder("js")
              .engine(engine)
              .allowExperimentalOptions(true)
              .option("js.unhandled-rejections", "handler");
      Context context =
          (load.contains("require(")
                  ? builder
                      .allowIO(IOAccess.ALL)
                      .option("js.commonjs-require", "true")
                      .option("js.commonjs-require-cwd", home.toString())
                  : builder.allowIO(
                      IOAccess.newBuilder().fileSystem(new NodeModules(home)).build()))
              .build();
      String name = "tab " + tabs.size();
      tabs.put(
          name,
          new Tab(
              context,
              userAgent
                  .installInto(context)
                  .origin("https://app.test")
                  .replace("console")
                  .clock(() -> now)
                  .install()));
      context.eval(
          Source.newBuilder("js", load.replace("HOME", home.toString()), "load.mjs")
              .mimeType("application/javascript+module")
              .buildLiteral());
      context.eval("js", "{const tab = '" + name + "'; " + script + "}");
      return this;
    }

    /** Runs the tabs for some seconds; returns their log lines since the last call. */
    List<String> within(int seconds) {
      Instant end = now.plusSeconds(seconds);
      while (runAll() || jump(end)) {
        // until no work is left in this time
      }
      now = end;
      assertEquals(List.of(), errors);
      List<String> fresh = List.copyOf(log);
      log.clear();
      return fresh;
    }

    /** Runs a turn of each tab that has work; each turn advances the clock. */
    private boolean runAll() {
      boolean ran = false;
      for (Tab tab : tabs.values()) {
        if (!tab.installation().isClosed() && tab.installation().runOne()) {
          ran = true;
          now = now.plus(TURN);
        }
      }
      return ran;
    }

    private boolean jump(Instant latest) {
      Optional<Duration> next =
          tabs.values().stream()
              .filter(tab -> !tab.installation().isClosed())
              .flatMap(tab -> tab.installation().untilNextTimer().stream())
              .min(Duration::compareTo);
      if (next.isEmpty() || now.plus(next.get()).isAfter(latest)) {
        return false;
      }
      now = now.plus(next.get());
      return true;
    }

    void kill(String tab) {
      tabs.get(tab).installation().close();
    }

    @Override
    public void close() {
      userAgent.close();
      tabs.values().forEach(tab -> tab.context().close());
    }
  }

  /** Returns the tab of the only log line that ends with this text. */
  static String only(List<String> log, String what) {
    List<String> tabs = new ArrayList<>();
    for (String line : log) {
      if (line.endsWith(what)) {
        tabs.add(line.substring(0, line.length() - what.length()));
      }
    }
    assertEquals(1, tabs.size(), () -> "one \"" + what + "\" in " + log);
    return tabs.getFirst();
  }

  @Nested
  class BroadcastChannelElection {
    private static final NpmPackage PACKAGE = new NpmPackage("broadcast-channel");

    private static final String SCRIPT =
        """
        const channel = new lib.BroadcastChannel('app');
        const elector = lib.createLeaderElection(channel);
        elector.awaitLeadership().then(() => {
          console.log(tab + ' leads');
          channel.postMessage({from: tab});
        });
        channel.onmessage = async message => {
          if (message === 'hand over') {
            if (elector.isLeader) await elector.die();
          } else {
            console.log(`${tab} hears of ${message.from}, leader: ${await elector.hasLeader()}`);
          }
        };
        """;

    @Test
    void one_tab_leads_until_it_ends_then_another_tab_leads() {
      try (Tabs tabs =
          new Tabs(
              PACKAGE,
              "globalThis.window = globalThis;"
                  + " globalThis.lib = require('HOME/broadcast-channel/dist/lib/index.es5.js')")) {
        tabs.open(SCRIPT).open(SCRIPT).open(SCRIPT);
        String first = only(tabs.within(30), " leads");

        tabs.kill(first);
        List<String> log = tabs.within(30);
        String second = only(log, " leads");
        assertTrue(!second.equals(first), log::toString);
        assertEquals(1, log.stream().filter(line -> line.endsWith("leader: true")).count());

        // this leader resigns: the library aborts its waiting request with a reason of its own
        tabs.open("new lib.BroadcastChannel('app').postMessage('hand over')");
        String third = only(tabs.within(30), " leads");
        assertEquals(3, List.of(first, second, third).stream().distinct().count());
      }
    }
  }

  @Nested
  class SupabaseNavigatorLock {
    private static final NpmPackage PACKAGE = new NpmPackage("@supabase/auth-js");

    private static final String LOAD =
        "globalThis.lib = require('HOME/@supabase/auth-js/dist/main/lib/locks.js')";

    private static String refresh(int timeout, String work) {
      return """
      const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
      lib.navigatorLock('refresh', %d, async () => { console.log(tab + ' begins'); %s })
        .then(() => console.log(tab + ' is done'),
            error => console.log(`${tab} fails: ${error.message} ${error.isAcquireTimeout}`));
      """
          .formatted(timeout, work);
    }

    @Test
    void lock_of_a_closed_tab_is_released_without_a_steal() {
      try (Tabs tabs = new Tabs(PACKAGE, LOAD)) {
        tabs.open(refresh(5_000, "await new Promise(() => {})"));
        assertEquals(List.of("tab 0 begins"), tabs.within(1));
        tabs.open(refresh(5_000, "await pause(10)"));
        assertEquals(List.of(), tabs.within(1));
        tabs.kill("tab 0");
        assertEquals(List.of("tab 1 begins", "tab 1 is done"), tabs.within(1));
      }
    }

    @Test
    void orphaned_lock_is_stolen_after_the_timeout_and_its_holder_notified() {
      try (Tabs tabs = new Tabs(PACKAGE, LOAD)) {
        tabs.open(refresh(5_000, "await pause(20_000); console.log(tab + ' still ran')"));
        assertEquals(List.of("tab 0 begins"), tabs.within(1));
        tabs.open(refresh(5_000, "await pause(10)"));
        assertEquals(List.of(), tabs.within(4));
        List<String> log = tabs.within(2);
        assertTrue(log.getFirst().contains("was not released within 5000ms"), log::toString);
        assertEquals(
            List.of("tab 1 begins", "tab 1 is done"),
            log.stream().filter(line -> line.startsWith("tab 1")).toList());
        assertEquals(
            List.of(
                "tab 0 fails: Lock \"refresh\" was released because another request stole it true"),
            log.stream().filter(line -> line.startsWith("tab 0")).toList());
        assertEquals(List.of("tab 0 still ran"), tabs.within(30));
      }
    }

    @Test
    void request_with_timeout_zero_fails_at_once_if_the_lock_is_held() {
      try (Tabs tabs = new Tabs(PACKAGE, LOAD)) {
        tabs.open(refresh(0, "await pause(20_000)"));
        assertEquals(List.of("tab 0 begins"), tabs.within(1));
        tabs.open(refresh(0, ""));
        assertEquals(
            List.of(
                "tab 1 fails: Acquiring an exclusive Navigator LockManager lock \"refresh\""
                    + " immediately failed true"),
            tabs.within(1));
      }
    }
  }

  @Nested
  class TanStackCoordinator {
    private static final NpmPackage PACKAGE =
        new NpmPackage("@tanstack/browser-db-sqlite-persistence");

    private static final String LOAD =
        "import * as all from 'HOME/@tanstack/browser-db-sqlite-persistence/dist/esm/browser-coordinator.js';"
            + " globalThis.lib = all";

    /** A table of rows in localStorage stands for the database. */
    private static final String SCRIPT =
        """
        const coordinator = new lib.BrowserCollectionCoordinator({
          dbName: 'db',
          adapter: {
            async getStreamPosition() {
              const position = localStorage.getItem('position');
              return position === null
                ? {latestTerm: 0, latestSeq: 0, latestRowVersion: 0} : JSON.parse(position);
            },
            async applyCommittedTx(collection, tx) {
              const rows = JSON.parse(localStorage.getItem('rows') ?? '{}');
              await new Promise(done => setTimeout(done, 20)); // a write takes its time
              for (const {key, value} of tx.mutations) rows[key] = value;
              localStorage.setItem('rows', JSON.stringify(rows));
              localStorage.setItem('position', JSON.stringify(
                {latestTerm: tx.term, latestSeq: tx.seq, latestRowVersion: tx.rowVersion}));
            },
          },
        });
        coordinator.subscribe('todos', () => {});
        const told = setInterval(() => {
          if (coordinator.isLeader('todos')) {
            console.log(tab + ' leads');
            clearInterval(told);
          }
        }, 50);
        onstorage = async ({key, newValue}) => {
          if (key !== 'write ' + tab) return;
          const mutation = {mutationId: newValue, type: 'insert', key: newValue, value: tab};
          const answer = await coordinator.requestApplyLocalMutations('todos', [mutation]);
          console.log(`${tab} wrote: ${answer.ok}, term ${answer.term}`);
        };
        """;

    private static String write(String tab, String row) {
      return "localStorage.setItem('write %s', '%s')".formatted(tab, row);
    }

    @Test
    void followers_write_through_the_leader_and_later_through_its_successor() {
      try (Tabs tabs = new Tabs(PACKAGE, LOAD)) {
        tabs.open(SCRIPT).open(SCRIPT).open(SCRIPT);
        String first = only(tabs.within(5), " leads");
        List<String> followers = new ArrayList<>(List.of("tab 0", "tab 1", "tab 2"));
        followers.remove(first);

        followers.forEach(tab -> tabs.open(write(tab, "a " + tab)));
        List<String> log = tabs.within(5);
        followers.forEach(
            tab -> assertTrue(log.contains(tab + " wrote: true, term 1"), log::toString));

        tabs.kill(first);
        String second = only(tabs.within(5), " leads");
        assertTrue(followers.remove(second));
        String last = followers.getFirst();
        tabs.open(write(last, "b " + last));
        assertEquals(List.of(last + " wrote: true, term 2"), tabs.within(5));
        tabs.open("console.log(Object.keys(JSON.parse(localStorage.getItem('rows'))).length)");
        assertEquals(List.of("3"), tabs.within(5));
      }
    }
  }
}
