package dev.weblocks.harness.stress;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import dev.weblocks.model.UncaughtError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run that kills agents at random points while they contend for locks, and checks the results.
 *
 * <p>Windows are opened one after the other, some with a worker. A window is killed in one of two
 * ways. The first is during a random step, on the thread of that step: any task, checkpoint, lock
 * step, grant or console message. The second is on the thread of the run, at random intervals or,
 * with the deterministic driver, when no work is left. Some windows survive: each acquires and
 * releases several locks, and then reports that it is done. A {@link LockLedger} follows the steps
 * of the lock task queue; a {@link Witness} receives the messages of agents that hold locks. Each
 * complaint of these two observers is a defect.
 */
public final class KillRun {

  private static final String ORIGIN = "https://contenders.test";

  /** The time without a step after which a run is considered stuck. */
  private static final long STALL_SECONDS = 120;

  /** The maximum number of complaints; one defect may cause many. */
  private static final int MAX_COMPLAINTS = 20;

  /** The maximum number of samples, which pause the JVM, and the minimum of kills for each. */
  private static final int SAMPLES = 10, AGENTS_PER_SAMPLE = 25;

  /** The average number of steps between two kills that happen during steps. */
  private static final int STEPS_PER_DEATH = 200;

  /** Maximum number of steps that the thread of the run waits for before it kills a window. */
  private static final int STEPS_PER_HUNT = 400;

  private static final List<String> KINDS =
      List.of(
          ("contends contends contends idle idle timers nests owns owns terminates unborn"
                  + " survives survives")
              .split(" "));

  /** Kinds of windows that never release their thread; not for the deterministic driver. */
  private static final List<String> ENDLESS_KINDS = List.of("spins", "chatters", "microtasks");

  /** A listener for progress, called on the thread of the run. */
  @FunctionalInterface
  public interface Listener {
    /** Called after each sample. */
    void sampled(KillReport.Sample sample);

    /**
     * Called before the first agent begins.
     *
     * @param locks returns the held and requested locks, at any time and on any thread
     */
    default void began(Supplier<List<LockEntry>> locks) {}
  }

  private static final class Contender {
    final int id;
    final String kind;
    final Window window;
    volatile boolean done;

    Contender(int id, String kind, Window window) {
      this.id = id;
      this.kind = kind;
      this.window = window;
    }

    boolean survives() {
      return kind.equals("survives");
    }
  }

  private final KillSettings settings;
  private final Listener listener;
  private final SplittableRandom random;
  private final List<String> kinds;
  private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
  private final Witness witness = new Witness(this::complain);
  private final LockLedger ledger = new LockLedger(this::complain, witness::clientEnds);
  private final String script = script();

  /** The open windows by id; sorted, so that the same seed chooses the same window. */
  private final Map<Integer, Contender> alive = Collections.synchronizedMap(new TreeMap<>());

  private final Map<String, Contender> byActor = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Integer> doomed = new ConcurrentLinkedQueue<>();

  /**
   * For the URL of each window being opened, a future of the window's registration. The response
   * waits for the future, so that each trace event of a script can be assigned to its window.
   */
  private final Map<String, CompletableFuture<Void>> unknown = new ConcurrentHashMap<>();

  /** The futures of responses that never come, retained until cancelled, as by a real network. */
  private final Set<CompletableFuture<ResourceResponse>> hanging = ConcurrentHashMap.newKeySet();

  private final AtomicLong steps = new AtomicLong();
  private final AtomicInteger endedAgents = new AtomicInteger();
  private final AtomicInteger survivorsEnded = new AtomicInteger();
  private final AtomicInteger killsInStep = new AtomicInteger();
  private final Map<Witness.Activity, Integer> lastSeen = new EnumMap<>(Witness.Activity.class);
  private final List<KillReport.Sample> samples = new ArrayList<>();
  private volatile boolean stepsKill;
  private List<LockEntry> locks = List.of();
  private int nextId;

  private KillRun(KillSettings settings, Listener listener) {
    this.settings = settings;
    this.listener = listener;
    this.random = new SplittableRandom(settings.seed());
    List<String> all = new ArrayList<>(KINDS);
    if (!settings.isDeterministic()) {
      all.addAll(ENDLESS_KINDS);
    }
    this.kinds = all;
  }

  /**
   * Carries out the run on a new thread and waits for its end, which may take minutes.
   *
   * @param environment environment of the user agent; not closed
   */
  public static KillReport run(KillSettings settings, Environment environment, Listener listener) {
    RealmCount.Around<KillReport> run =
        RealmCount.around(() -> new KillRun(settings, listener).run(environment));
    return run.result().withRealms(run.realms());
  }

  private static String script() {
    try (InputStream in =
        KillRun.class.getResourceAsStream("/dev/weblocks/harness/stress/contender.js")) {
      if (in == null) {
        throw new IllegalStateException("contender.js is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void complain(String complaint) {
    if (complaints.size() < MAX_COMPLAINTS) {
      complaints.add(complaint);
    }
  }

  private KillReport run(Environment environment) {
    DeterministicDriver steps =
        settings.isDeterministic() ? Driver.deterministic(settings.seed()) : null;
    try (Driver driver = steps != null ? steps : Driver.threadPool(settings.threads());
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .random(new SplittableRandom(settings.seed()))
                .resourceLoader(this::load)
                .consoleListener(this::receive)
                .errorListener(this::uncaught)
                .traceListener(this::step)
                .build()) {
      listener.began(userAgent::locks);
      int warmUp = Math.max(1, Math.min(300, settings.agents() / 10));
      killUpTo(userAgent, steps, warmUp);
      sample();
      int stages = Math.clamp(settings.agents() / AGENTS_PER_SAMPLE, 1, SAMPLES);
      for (int i = 1; i <= stages && complaints.isEmpty(); i++) {
        int target = warmUp + (int) ((long) (settings.agents() - warmUp) * i / stages);
        hunt(userAgent, steps, target);
        if (i < stages) {
          sample();
        }
      }
      killUpTo(userAgent, steps, settings.agents());
      checkNothingIsLeft(userAgent, steps);
      if (!complaints.isEmpty()) {
        locks = userAgent.locks(); // these requests end in a moment
      }
      sample();
    }
    Map<String, Integer> seen = new LinkedHashMap<>();
    synchronized (lastSeen) {
      lastSeen.forEach((activity, count) -> seen.put(activity.label, count));
    }
    return new KillReport(
        killed(),
        survivorsEnded.get(),
        seen,
        killsInStep.get(),
        ledger.steps(),
        ledger.grants(),
        witness.displacements(),
        witness.messages(),
        List.copyOf(samples),
        new RealmCount(-1, -1),
        List.copyOf(complaints),
        locks);
  }

  private int killed() {
    return endedAgents.get() - survivorsEnded.get();
  }

  private void sample() {
    int threadsBefore = samples.isEmpty() ? Integer.MAX_VALUE : samples.getFirst().threads();
    if (alive.isEmpty()) {
      // threads that ended agents are idle for a while before they end
      awaitProgress(() -> Vitals.threads() <= threadsBefore, TimeUnit.SECONDS.toNanos(10));
    }
    KillReport.Sample sample = Vitals.sample(killed(), alive.size());
    samples.add(sample);
    listener.sampled(sample);
  }

  // ---- kills -----------------------------------------------------------------------------------

  /**
   * Opens and kills windows until {@code target} agents are killed. Then kills the remaining
   * windows except survivors, and waits for the end of the survivors.
   */
  private void killUpTo(UserAgent userAgent, @Nullable DeterministicDriver steps, int target) {
    hunt(userAgent, steps, target);
    while (!alive.isEmpty() && complaints.isEmpty()) {
      int before = alive.size();
      Contender victim = anyVictim();
      if (victim != null) {
        kill(victim);
      }
      // no other window blocks the survivors now, so they must finish
      boolean onlySurvivors = victim == null;
      if (steps != null) {
        steps.runUntilIdle(50_000_000);
      }
      if (!await(() -> alive.size() < before || alive.isEmpty())) {
        complain(
            (onlySurvivors ? "survivors starve: " : "the run does not end: ")
                + describeAlive()
                + "; "
                + ledger.waiting());
      }
    }
  }

  private String describeAlive() {
    List<String> all = new ArrayList<>();
    synchronized (alive) {
      for (Contender each : alive.values()) {
        String activity = witness.activity(each.id).label;
        all.add(each.id + " " + each.window.name() + " " + each.kind + " " + activity);
      }
    }
    return String.join(", ", all.subList(0, Math.min(10, all.size())));
  }

  private void hunt(UserAgent userAgent, @Nullable DeterministicDriver steps, int target) {
    stepsKill = true;
    while (killed() < target && complaints.isEmpty()) {
      // if opening is slow, the steps of other windows kill as fast
      while (alive.size() < settings.alive() && killed() < target) {
        open(userAgent);
      }
      if (steps != null) {
        // the steps kill; a window that becomes idle is killed idle
        steps.runUntilIdle(50_000_000);
        Contender victim = anyVictim();
        if (victim != null) {
          kill(victim);
        }
      } else {
        huntOne();
      }
    }
  }

  /** Waits for some steps, and kills a window; prefers windows that block a thread. */
  private void huntOne() {
    int pause;
    synchronized (random) {
      pause = random.nextInt(STEPS_PER_HUNT);
    }
    long until = steps.get() + pause;
    awaitProgress(
        () -> steps.get() >= until || !doomed.isEmpty(), TimeUnit.MILLISECONDS.toNanos(20));
    Integer id = doomed.poll();
    Contender victim = id == null ? anyVictim() : alive.get(Witness.isWindow(id) ? id : id - 1);
    if (victim == null) {
      await(() -> alive.size() < settings.alive());
    } else {
      kill(victim);
    }
  }

  private @Nullable Contender anyVictim() {
    synchronized (alive) {
      List<Contender> victims = alive.values().stream().filter(each -> !each.survives()).toList();
      if (victims.isEmpty()) {
        return null;
      }
      synchronized (random) {
        return victims.get(random.nextInt(victims.size()));
      }
    }
  }

  private static void kill(Contender victim) {
    victim.window.close();
  }

  private void open(UserAgent userAgent) {
    int id = nextId;
    nextId += 2;
    String kind;
    int seed;
    int rounds;
    synchronized (random) {
      kind = kinds.get(random.nextInt(kinds.size()));
      seed = random.nextInt(1 << 20);
      rounds = kind.equals("survives") ? 3 : random.nextInt(4);
    }
    String query =
        "%d,%s,%d,%d,%d,%d"
            .formatted(
                id, kind, seed, rounds, settings.names(), settings.isDeterministic() ? 0 : 1);
    String url = ORIGIN + (kind.equals("unborn") ? "/never?" : "/contender?") + query;
    CompletableFuture<Void> known = new CompletableFuture<>();
    unknown.put(url, known);
    Window window = userAgent.open(url);
    Contender contender = new Contender(id, kind, window);
    byActor.put(window.name(), contender); // before it can be killed
    alive.put(id, contender);
    window.ended().thenRun(() -> ended(contender));
    unknown.remove(url);
    known.complete(null); // after this, its script may end it before this thread continues
  }

  private void ended(Contender contender) {
    Witness.Activity last = witness.forget(contender.id);
    if (contender.survives() && contender.done) {
      survivorsEnded.incrementAndGet();
    } else if (contender.survives()) {
      if (complaints.isEmpty()) { // otherwise the run was given up
        complain("a survivor ended before it was done: " + contender.id);
      }
    } else {
      synchronized (lastSeen) {
        lastSeen.merge(last, 1, Integer::sum);
      }
    }
    byActor.remove(contender.window.name());
    alive.remove(contender.id);
  }

  // ---- observation -----------------------------------------------------------------------------

  private void step(TraceEvent event) {
    if (event.kind() == TraceKind.AGENT && event.detail().equals("has ended")) {
      endedAgents.incrementAndGet();
      Contender contender = byActor.get(event.actor());
      if (contender != null) {
        witness.windowEnded(contender.id);
      }
    }
    try {
      ledger.on(event);
    } catch (RuntimeException defect) {
      complain("the ledger failed: " + defect);
    }
    maybeKill(byActor.get(event.actor()));
  }

  /** Kills a window with a fixed probability, at each step. The actor is null if not a window. */
  private void maybeKill(@Nullable Contender actor) {
    steps.incrementAndGet();
    if (!stepsKill) {
      return;
    }
    boolean dies;
    boolean ofItself;
    synchronized (random) {
      dies = random.nextInt(STEPS_PER_DEATH) == 0;
      ofItself = dies && random.nextBoolean();
    }
    if (dies) {
      Contender victim = ofItself && actor != null && !actor.survives() ? actor : anyVictim();
      if (victim != null) {
        killsInStep.incrementAndGet();
        kill(victim);
      }
    }
  }

  private void receive(ConsoleMessage message) {
    String[] words = message.text().split(" ", -1);
    int id = Integer.parseInt(words[1]);
    witness.receive(words[0], id, words[2], words[3]);
    Contender contender = alive.get(Witness.isWindow(id) ? id : id - 1);
    switch (words[0]) {
      case "doomed" -> doomed.add(id);
      case "done" -> {
        if (contender != null) {
          contender.done = true;
          contender.window.close();
        }
      }
      default -> {}
    }
    maybeKill(Witness.isWindow(id) ? contender : null);
  }

  private void uncaught(UncaughtError error) {
    complain("uncaught: " + error.message() + (error.stack() == null ? "" : "\n" + error.stack()));
  }

  private CompletionStage<ResourceResponse> load(ResourceRequest request) {
    String url = request.url();
    if (url.startsWith(ORIGIN + "/never")) {
      CompletableFuture<ResourceResponse> never = new CompletableFuture<>();
      hanging.add(never);
      never.whenComplete((response, cancelled) -> hanging.remove(never));
      return never;
    }
    ResourceResponse response =
        url.startsWith(ORIGIN + "/contender.js")
            ? ResourceResponse.of(url, "text/javascript", script)
            : url.startsWith(ORIGIN + "/contender?")
                ? ResourceResponse.of(
                    url, "text/html", "<!doctype html><script src='/contender.js'></script>")
                : ResourceResponse.of(url, "text/html", REST_PAGE.formatted(settings.names()));
    CompletableFuture<Void> known = unknown.get(url);
    return known == null
        ? CompletableFuture.completedFuture(response)
        : known.thenApply(any -> response);
  }

  // ---- the end ---------------------------------------------------------------------------------

  private static final String REST_PAGE =
      """
      <!doctype html><script>
      (async () => {
        for (let i = 0; i < %d; i++) await navigator.locks.request(`n${i}`, () => {});
        console.log('done ' + location.search.slice(1) + '  ');
      })();
      </script>\
      """;

  /** Checks that a lock of every name can be acquired, and that no lock is held or requested. */
  private void checkNothingIsLeft(UserAgent userAgent, @Nullable DeterministicDriver steps) {
    if (!complaints.isEmpty()) {
      return;
    }
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Window window = userAgent.open(ORIGIN + "/rest?" + nextId);
    Contender last = new Contender(nextId, "survives", window);
    alive.put(last.id, last);
    window.ended().thenRun(() -> ended.complete(null));
    if (steps != null) {
      steps.runUntilIdle(50_000_000);
    }
    if (!await(ended::isDone)) {
      complain("names cannot be locked at the end: " + ledger.waiting());
    }
    alive.remove(last.id);
    ledger.complainAboutTheRest();
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds();
  }

  /** Waits for a condition as long as steps are taken. Returns false if the run is stuck. */
  private boolean await(Condition condition) {
    long seen = -1;
    while (!condition.holds()) {
      long now = steps.get();
      if (now == seen) {
        return false;
      }
      seen = now;
      if (settings.isDeterministic()) {
        return condition.holds();
      }
      awaitProgress(
          () -> condition.holds() || steps.get() != now, TimeUnit.SECONDS.toNanos(STALL_SECONDS));
    }
    return true;
  }

  private static void awaitProgress(Condition condition, long limitNanos) {
    long tick = TimeUnit.MICROSECONDS.toNanos(200);
    for (long waited = 0; !condition.holds() && waited < limitNanos; waited += tick) {
      LockSupport.parkNanos(tick);
    }
  }
}
