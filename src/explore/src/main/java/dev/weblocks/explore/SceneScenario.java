package dev.weblocks.explore;

import dev.weblocks.embed.CallerDrivenInstallation;
import dev.weblocks.embed.DeadlockReport;
import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.explore.schedule.Coverage;
import dev.weblocks.explore.schedule.DrivenPlay;
import dev.weblocks.explore.schedule.Finding;
import dev.weblocks.explore.schedule.LockLines;
import dev.weblocks.explore.schedule.Scenario;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockEvent;
import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceListener;
import dev.weblocks.model.UncaughtError;
import java.io.OutputStream;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.FileSystem;
import org.graalvm.polyglot.io.IOAccess;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * A scenario whose agents are contexts with an installation each. Runs of it must not overlap: it
 * has the state of the last run.
 */
final class SceneScenario implements Scenario {

  /** Thrown if the code that sets up a scene throws, with that exception as the cause. */
  static final class SetUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SetUpException(Throwable cause) {
      super(cause);
    }
  }

  /** The seed of identifiers: constant, so that a replay string needs no seed. */
  private static final long SEED = 1;

  /** Files are for modules and {@code load()}; writing them would be shared state. */
  private static final IOAccess READING =
      IOAccess.newBuilder()
          .fileSystem(FileSystem.newReadOnlyFileSystem(FileSystem.newDefaultFileSystem()))
          .build();

  /** Gives script the virtual time and repeatable random values; both are the context's own. */
  private static final Source VIRTUAL =
      Source.newBuilder(
              "js",
              """
              (now, random) => {
                const RealDate = Date;
                RealDate.now = () => now();
                Math.random = () => random();
                globalThis.Date = RealDate.prototype.constructor = new Proxy(RealDate, {
                  apply: () => new RealDate(now()).toString(),
                  construct: (target, list, newTarget) =>
                    Reflect.construct(target, list.length === 0 ? [now()] : list, newTarget),
                });
                if (typeof Intl === 'object') { // formats without a date use the current time
                  const formats = Intl.DateTimeFormat.prototype;
                  const {get} = Object.getOwnPropertyDescriptor(formats, 'format');
                  Object.defineProperty(formats, 'format', {
                    get() {
                      const format = Reflect.apply(get, this, []);
                      return (date = now()) => format(date);
                    },
                  });
                  const {formatToParts} = formats;
                  formats.formatToParts = function (date = now()) {
                    return Reflect.apply(formatToParts, this, [date]);
                  };
                }
              }
              """,
              "virtual-time.js")
          .internal(true)
          .buildLiteral();

  private final Exploration.SetUp setUp;
  private final SharedEngine shared;
  private volatile @Nullable Play current;
  private volatile @Nullable Throwable thrown;
  private volatile String actor = "";
  private volatile long runningTurn;

  /** The number of turns, over all runs. */
  private long turns;

  SceneScenario(Exploration.SetUp setUp, SharedEngine shared) {
    this.setUp = setUp;
    this.shared = shared;
  }

  /** Returns the exception of Java code that led to the finding of the last run; null for none. */
  @Nullable Throwable thrown() {
    return thrown;
  }

  /**
   * Stops the script of the current run. Callable on any thread; waits for Java code that the
   * script has called.
   */
  void stopScript() {
    if (current instanceof ScenePlay play) {
      play.contexts.forEach(context -> context.close(true));
    }
  }

  /**
   * Returns the number of the turn that runs, over all runs; 0 between turns. The name of its agent
   * is {@link #actor()}.
   */
  long turn() {
    return runningTurn;
  }

  /** Returns the name of the agent, or of the other actor, of the last turn. */
  String actor() {
    return actor;
  }

  @Override
  public Play begin(Schedule schedule, @Nullable TraceListener trace) {
    thrown = null;
    Scene scene = new Scene();
    try {
      setUp.run(scene);
    } catch (Throwable failure) {
      throw new SetUpException(failure);
    }
    if (scene.agents.isEmpty()) {
      throw new SetUpException(
          new IllegalArgumentException("the scene has no agent; add one with scene.agent(name)"));
    }
    ScenePlay play = new ScenePlay(scene, new Observed(schedule, scene), trace);
    current = play;
    try {
      play.start();
      return play;
    } catch (RuntimeException | Error failure) {
      play.close();
      throw failure;
    }
  }

  private final class ScenePlay extends DrivenPlay {
    private final Scene scene;
    private final UserAgent userAgent;
    private final List<Context> contexts = new CopyOnWriteArrayList<>(); // see stopScript()
    private final Observed schedule;

    ScenePlay(Scene scene, Observed schedule, @Nullable TraceListener trace) {
      super(Driver.deterministic(schedule));
      this.scene = scene;
      this.schedule = schedule;
      UserAgent.Builder builder =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(shared.environment())
              .random(new SplittableRandom(SEED))
              .lockPositions(true)
              .consoleListener(message -> happened(message.agent() + " prints " + message.text()))
              .errorListener(this::uncaught)
              .lockListener(new LockLines(LockEvent::agent, this::happened));
      if (trace != null) {
        builder.traceListener(trace);
      }
      userAgent = builder.build();
    }

    void start() {
      for (Scene.Agent agent : scene.agents.values()) {
        Context context = context();
        contexts.add(context);
        CallerDrivenInstallation installation =
            userAgent
                .installInto(context)
                .clientId(agent.name)
                .name(agent.name)
                .replace("console")
                .install();
        SplittableRandom random = new SplittableRandom(SEED + contexts.size());
        context
            .eval(VIRTUAL)
            .executeVoid(
                (ProxyExecutable) none -> now(), (ProxyExecutable) none -> random.nextDouble());
        Value globals = context.getBindings("js");
        scene.functions.forEach(
            (name, function) -> globals.putMember(name, observed(agent.name, name, function)));
        for (Source source : agent.sources) {
          Callable<Boolean> script =
              () -> {
                run(context, source, agent.name);
                return true;
              };
          CompletableFuture<Boolean> unused = installation.submit(script);
        }
      }
    }

    private Context context() {
      Context.Builder builder =
          Context.newBuilder("js")
              .allowHostAccess(HostAccess.NONE)
              .allowPolyglotAccess(PolyglotAccess.NONE)
              .allowIO(READING)
              .allowValueSharing(false)
              .timeZone(ZoneOffset.UTC)
              .out(OutputStream.nullOutputStream())
              .err(OutputStream.nullOutputStream())
              .option("js.locale", "en-US")
              .option("js.unhandled-rejections", "handler");
      Consumer<Context.Builder> options = scene.contexts;
      if (options == null) {
        builder.engine(shared.engine());
      } else { // all contexts of an engine need the same host access
        builder.option("engine.WarnInterpreterOnly", "false");
        options.accept(builder);
      }
      return builder.build();
    }

    /** Returns whole milliseconds, like {@code Date.now()}. */
    private double now() {
      return DeterministicDriver.START_TIME.plus(driver.elapsed()).toEpochMilli();
    }

    private ProxyExecutable observed(String agent, String name, ProxyExecutable function) {
      return arguments -> {
        schedule.callsJava = true;
        happened(agent + " calls " + name);
        return function.execute(arguments);
      };
    }

    private void run(Context context, Source source, String agent) {
      try {
        Value unused = context.eval(source);
      } catch (PolyglotException failure) {
        if (failure.isCancelled()) {
          return; // the run is being ended
        }
        if (failure.isResourceExhausted() && !failure.isGuestException()) {
          outOfMemory();
          return;
        }
        Throwable host = failure.isHostException() ? failure.asHostException() : null;
        StringBuilder text = new StringBuilder("Uncaught " + failure.getMessage());
        for (PolyglotException.StackFrame frame : failure.getPolyglotStackTrace()) {
          if (frame.isGuestFrame()) {
            text.append("\n    at ").append(frame.toString().replaceFirst("^<js> ", ""));
          }
        }
        found(Finding.Kind.ASSERTION, agent, "Uncaught " + failure.getMessage(), text, host);
      }
    }

    private void uncaught(UncaughtError error) {
      if (error.outOfMemory()) {
        outOfMemory();
      }
      String stack = error.stack();
      String place = error.line() > 0 ? "\n    at " + error.url() + ":" + error.line() : "";
      found(
          kindOf(error),
          error.agent(),
          error.message(),
          stack == null || !stack.contains("    at ")
              ? error.message() + place
              : error.message() + "\n" + stack.substring(stack.indexOf("    at ")).stripTrailing(),
          null);
    }

    private void found(
        Finding.Kind kind,
        String agent,
        String message,
        CharSequence text,
        @Nullable Throwable cause) {
      happened(agent + ": " + firstLine(message));
      if (finding() == null) {
        thrown = cause;
      }
      found(new Finding(kind, agent + ": " + message, "[" + agent + "] " + text));
    }

    @Override
    public @Nullable Finding findingAtRest() {
      if (finding() != null) {
        return finding();
      }
      List<LockEntry> locks = userAgent.locks();
      TreeSet<String> awaited = new TreeSet<>();
      locks.stream().filter(entry -> !entry.isHeld()).map(LockEntry::name).forEach(awaited::add);
      if (!awaited.isEmpty()) {
        return new Finding(
            Finding.Kind.DEADLOCK,
            String.join(", ", awaited),
            "all agents are idle, but lock requests are still pending\n"
                + DeadlockReport.of(locks));
      }
      try {
        for (Scene.Check check : scene.checks) {
          check.run();
        }
        return null;
      } catch (OutOfMemoryError failure) {
        throw failure;
      } catch (Throwable failure) {
        thrown = failure;
        return new Finding(
            Finding.Kind.ASSERTION,
            // numbers and hashes may differ between orders with the same failure
            failure.toString().replaceAll("@[0-9a-f]+|\\d+", "0"),
            "a check at the end failed: " + failure);
      }
    }

    @Override
    public long state() {
      return Coverage.hash(userAgent.locks());
    }

    @Override
    public String described(String step) {
      return step.equals(Observed.HOST_TASK) ? "script" : step;
    }

    @Override
    public void close() {
      current = null;
      try {
        userAgent.close();
      } finally {
        contexts.forEach(context -> context.close(true));
        driver.close();
      }
    }
  }

  /** Adds the calls of Java code to the turns, and notes the agent at work. */
  private final class Observed implements Schedule {
    private static final String HOST_TASK = "DOM manipulation: host";

    private final Schedule schedule;
    private final Scene scene;
    private boolean callsJava;

    Observed(Schedule schedule, Scene scene) {
      this.schedule = schedule;
      this.scene = scene;
    }

    @Override
    public int choose(List<Actor> ready) {
      return schedule.choose(ready);
    }

    @Override
    public boolean choosesTime() {
      return schedule.choosesTime();
    }

    @Override
    public boolean observesTurns() {
      return schedule.observesTurns();
    }

    @Override
    public void turnBegins(long number, Actor next, List<Actor> ready) {
      actor = next.name();
      runningTurn = ++turns;
      schedule.turnBegins(number, next, ready);
    }

    @Override
    public void turnEnded(Turn turn) {
      Set<String> reached = new LinkedHashSet<>(turn.reached());
      if (scene.contexts != null && scene.agents.containsKey(turn.actor())) {
        reached.add("scenario: anything"); // has an unknown footprint
      } else if (callsJava) {
        reached.add(SHARED_STATE);
      }
      callsJava = false;
      runningTurn = 0;
      schedule.turnEnded(
          new Turn(
              turn.number(),
              turn.actor(),
              turn.step().equals(HOST_TASK) ? SCRIPT : turn.step(),
              turn.cause(),
              turn.woken(),
              reached));
    }
  }
}
