package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Worlds that share nothing but a driver: a script that uses a name in one of them gets no
 * information about another one from locks, {@code query()}, BroadcastChannel or times of grants.
 */
class IsolationTest {

  private enum World {
    ORIGIN_ONE("https://one.test", "navigator.locks"),
    ORIGIN_TWO("https://two.test", "navigator.locks"),
    OTHER_SCHEME("http://localhost", "navigator.locks"),
    BUCKET_A("https://one.test", "(await navigator.storageBuckets.open('a')).locks"),
    BUCKET_B("https://one.test", "(await navigator.storageBuckets.open('b')).locks"),
    OTHER_USER_AGENT("https://one.test", "navigator.locks"),
    PRIVATE_SESSION("https://one.test", "navigator.locks"),
    OTHER_PRIVATE_SESSION("https://one.test", "navigator.locks");

    final String origin;
    final String locks;

    World(String origin, String locks) {
      this.origin = origin;
      this.locks = locks;
    }

    /** Returns whether the world is a bucket, which has separate locks but no separate channels. */
    boolean isBucket() {
      return this == BUCKET_A || this == BUCKET_B;
    }
  }

  /** All worlds, on one deterministic driver. */
  private static final class Worlds implements AutoCloseable {

    private final DeterministicDriver driver;
    private final UserAgent userAgent;
    private final Map<World, UserAgent> userAgents = new HashMap<>();
    private final Map<String, String> pages = new HashMap<>();
    final List<String> log = new ArrayList<>();

    Worlds(long seed) {
      driver = Driver.deterministic(seed);
      userAgent = newUserAgent(1);
      for (World world : World.values()) {
        userAgents.put(
            world,
            switch (world) {
              case OTHER_USER_AGENT -> newUserAgent(2);
              case PRIVATE_SESSION, OTHER_PRIVATE_SESSION -> userAgent.openPrivateSession();
              default -> userAgent;
            });
      }
    }

    private UserAgent newUserAgent(long seed) {
      return UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .random(new SplittableRandom(seed))
          .consoleListener(message -> log.add(message.text()))
          .errorListener(error -> log.add("uncaught: " + error))
          .resourceLoader(request ->
              CompletableFuture.completedFuture(
                  ResourceResponse.of(request.url(), "text/html", pages.get(request.url()))))
          .build();
    }

    /** Opens a window whose script has {@code world} and {@code locks}, and may await. */
    void open(World world, String script) {
      openAt(
          world,
          world.origin,
          "(async () => { const world = '%s', locks = %s; %s })()"
              .formatted(world, world.locks, script));
    }

    void openAt(World world, String origin, String script) {
      String url = origin + "/" + pages.size() + ".html";
      pages.put(url, "<script>" + script + "</script>");
      userAgents.get(world).open(url);
    }

    void openOpaque(String script) {
      userAgent.open("data:text/html,<script>" + script + "</script>");
    }

    List<String> run() {
      driver.runUntilIdle(5_000_000);
      List<String> all = List.copyOf(log);
      log.clear();
      return all;
    }

    @Override
    public void close() {
      userAgent.close();
      userAgents.values().forEach(UserAgent::close);
      driver.close();
    }
  }

  private static final String CONTEND =
      """
      locks.request('name', () => {
        console.log(world + ' holds');
        return new Promise(() => {});
      });
      """;

  private static final String LOOK =
      """
      const {held, pending} = await locks.query();
      console.log(`${world} sees ${held.length} held, ${pending.length} pending`);
      const missed = await locks.request('name', {ifAvailable: true}, lock => lock === null);
      const got = await locks.request('other name', {ifAvailable: true}, lock => lock !== null);
      console.log(`${world} missed: ${missed}, got: ${got}`);
      """;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void equal_names_in_two_worlds_are_two_locks(long seed) {
    try (Worlds worlds = new Worlds(seed)) {
      for (World world : World.values()) {
        worlds.open(world, CONTEND);
        worlds.open(world, CONTEND);
      }
      assertEquals(
          Stream.of(World.values()).map(world -> world + " holds").sorted().toList(),
          worlds.run().stream().sorted().toList());

      for (World world : World.values()) {
        worlds.open(world, LOOK);
        assertEquals(
            List.of(world + " sees 1 held, 1 pending", world + " missed: true, got: true"),
            worlds.run());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void steal_takes_locks_of_its_own_world_only(long seed) {
    try (Worlds worlds = new Worlds(seed)) {
      for (World world : World.values()) {
        worlds.open(
            world,
            "locks.request('name', () => new Promise(() => {}))"
                + ".catch(e => console.log(`${world} lost: ${e.name}`))");
      }
      assertEquals(List.of(), worlds.run());
      for (World world : World.values()) {
        worlds.open(world, "locks.request('name', {steal: true}, () => new Promise(() => {}))");
        assertEquals(List.of(world + " lost: AbortError"), worlds.run());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void channel_reaches_its_own_world_only(long seed) {
    try (Worlds worlds = new Worlds(seed)) {
      List<World> withChannels =
          Stream.of(World.values()).filter(world -> !world.isBucket()).toList();
      String listen =
          """
          const channel = new BroadcastChannel('name');
          channel.onmessage = e => console.log(world + ' hears ' + e.data);
          """;
      withChannels.forEach(world -> worlds.open(world, listen));
      worlds.openOpaque("const world = 'opaque';" + listen);
      worlds.openOpaque("const world = 'other opaque';" + listen);
      assertEquals(List.of(), worlds.run());
      for (World world : withChannels) {
        worlds.open(world, "new BroadcastChannel('name').postMessage(world)");
        assertEquals(List.of(world + " hears " + world), worlds.run());
      }
      worlds.openOpaque("new BroadcastChannel('name').postMessage('a third')");
      assertEquals(List.of(), worlds.run());
    }
  }

  @Test
  void opaque_origin_has_no_locks_and_does_not_affect_other_origins() {
    try (Worlds worlds = new Worlds(1)) {
      worlds.open(World.ORIGIN_ONE, CONTEND);
      worlds.run();
      // a secure context, like its owner, but with an opaque origin
      String worker =
          """
          const say = e => postMessage(e.name || e);
          navigator.locks.request('name', {steal: true}, () => say('granted')).catch(say);
          navigator.locks.query().then(() => say('queried'), say);
          """;
      worlds.open(
          World.ORIGIN_ONE,
          """
          const worker = new Worker('data:text/javascript,' + encodeURIComponent(`%s`));
          worker.onmessage = e => console.log(e.data);
          """
              .formatted(worker));
      assertEquals(List.of("SecurityError", "SecurityError"), worlds.run());
      worlds.openOpaque("console.log(isSecureContext + ' ' + navigator.locks)");
      assertEquals(List.of("false undefined"), worlds.run());
      worlds.open(World.ORIGIN_ONE, LOOK);
      assertEquals("ORIGIN_ONE sees 1 held, 0 pending", worlds.run().getFirst());
    }
  }

  static Stream<Arguments> pairs() {
    return Arrays.stream(World.values())
        .flatMap(observer ->
            Stream.of(World.ORIGIN_ONE, World.BUCKET_A, World.PRIVATE_SESSION, World.ORIGIN_TWO)
                .filter(secret -> secret != observer)
                .map(secret -> Arguments.of(observer, secret)));
  }

  /**
   * Use of a name in one world must not change measurements in another one: the observer gets the
   * same events at the same times when the other world uses a different name.
   */
  @ParameterizedTest
  @MethodSource("pairs")
  void times_of_grants_reveal_no_locks_of_another_origin_bucket_or_session(
      World observer, World secret) {
    List<String> free = observe(observer, secret, "else");
    assertTrue(free.getLast().startsWith("9 released"), free::toString);
    assertEquals(free, observe(observer, secret, "name"));
    // checks the measurement itself: within one world, times differ
    assertNotEquals(free, observe(observer, observer, "name"));
  }

  private static List<String> observe(World observer, World secret, String name) {
    try (Worlds worlds = new Worlds(7)) {
      worlds.open(
          secret,
          """
          for (let i = 0; i < 10; i++) {
            await locks.request('%s', () => new Promise(release => setTimeout(release, 20)));
          }
          """
              .formatted(name));
      worlds.open(
          observer,
          """
          for (let i = 0; i < 10; i++) {
            await locks.request('name', async () => {
              console.log(`${i} granted at ${performance.now()}`);
              const {held, pending} = await locks.query();
              console.log(`${held.map(l => l.name)} ${pending.map(l => l.name)}`);
              await new Promise(release => setTimeout(release, 3));
            });
            console.log(`${i} released at ${performance.now()}`);
          }
          """);
      return worlds.run();
    }
  }
}
