package dev.weblocks.embed;

import static java.lang.System.Logger.Level.WARNING;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EmbedderLoop;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.installation.Installer;
import dev.weblocks.model.ErrorListener;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/** The factory of installations: makes an agent for the context, with a loop and globals. */
final class Installing {

  private final dev.weblocks.agent.UserAgent userAgent;
  private final Driver driver;
  private final Environment environment;
  private final boolean hasResourceLoader;
  private final ErrorListener errorListener;
  private final Installer installer = new Installer();

  /** The stack that an installation takes, measured on the interpreter, with a margin. */
  private static final int STACK_KILOBYTES = 512;

  private static final String NAVIGATOR_LOCKS = "navigator.locks";

  /** The globals that are of use only if unhandled rejections are reported. */
  private static final Set<String> ON_REJECTION =
      Set.of("onunhandledrejection", "PromiseRejectionEvent");

  private static final String REJECTIONS_VANISH =
      "unhandled rejections of promises are not reported, as the context was made without"
          + " option(\"js.unhandled-rejections\", \"handler\")";

  /** The client ids of installations that have not ended. */
  private final Set<String> clientIds = ConcurrentHashMap.newKeySet();

  /** The given names of installations that have not ended. */
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  /** Whether the log has the warning about unhandled rejections. */
  private final AtomicBoolean warned = new AtomicBoolean();

  Installing(
      dev.weblocks.agent.UserAgent userAgent,
      Driver driver,
      Environment environment,
      boolean hasResourceLoader,
      ErrorListener errorListener) {
    this.userAgent = userAgent;
    this.driver = driver;
    this.environment = environment;
    this.hasResourceLoader = hasResourceLoader;
    this.errorListener = errorListener;
  }

  /** Installs the globals of a builder; the executor is null if the caller runs the loop. */
  Installation install(Installation.Builder builder, @Nullable Executor executor) {
    if (requiresLocks(builder) && !builder.origin.isPotentiallyTrustworthy()) {
      throw new IllegalStateException(
          "scripts of "
              + builder.origin.serialize()
              + " have no locks, as it is no secure context; use an origin of https or localhost,"
              + " or leave out Globals.LOCKS");
    }
    String given = builder.clientId;
    String id = given == null ? userAgent.ids().nextUuid() : given;
    if (!clientIds.add(id)) {
      throw new IllegalStateException(
          "client id '" + id + "' is already in use; give each installation its own id");
    }
    String name = builder.name;
    if (name != null && !names.add(name)) {
      clientIds.remove(id);
      throw new IllegalStateException(
          "the name '" + name + "' is already in use; give each installation its own name");
    }
    Runnable forget =
        () -> {
          clientIds.remove(id);
          if (name != null) {
            names.remove(name);
          }
        };
    try {
      environment.warmUp();
      Installation installation = install(builder, executor, id);
      installation.ended().thenRun(forget);
      return installation;
    } catch (StackOverflowError overflow) {
      forget.run();
      throw tooSmallStack(overflow);
    } catch (RuntimeException | Error failed) {
      forget.run();
      throw failed;
    }
  }

  private static boolean requiresLocks(Installation.Builder builder) {
    return builder.groups.contains(Globals.LOCKS) || builder.names.contains(NAVIGATOR_LOCKS);
  }

  private Installation install(
      Installation.Builder builder, @Nullable Executor executor, String id) {
    AtomicReference<@Nullable Agent> made = new AtomicReference<>();
    AtomicReference<@Nullable Installation> installed = new AtomicReference<>();
    BiConsumer<String, Throwable> failures =
        (where, failure) -> {
          Agent agent = made.get();
          String name = agent == null ? "installation" : agent.name();
          errorListener.uncaught(FailureReports.defect(name, where, failure));
        };
    Runnable onWork = builder.onWork;
    EmbedderLoop loop =
        new EmbedderLoop(
            userAgent.driver(),
            builder.clock == null
                ? userAgent.driver().clock()
                : new InstallationClock(builder.clock),
            executor,
            onWork == null
                ? () -> {}
                : () -> {
                  try {
                    onWork.run();
                  } catch (RuntimeException | Error failure) {
                    failures.accept("onWork", failure);
                  }
                },
            () -> {
              Agent agent = made.get();
              if (agent != null) {
                agent.terminate();
              }
            },
            failure -> failures.accept("executor", failure),
            () -> {
              Installation installation = installed.get();
              return installation != null && installation.isCalledByScript();
            },
            () -> {
              Agent agent = made.get();
              return agent != null && agent.wasRefused();
            });
    Origin origin = builder.origin;
    Agent agent = userAgent.createAgent(builder.name, loop, builder.context, origin);
    made.set(agent);
    Map<Boolean, List<String>> chosen =
        chosen(builder).stream()
            .collect(
                Collectors.partitioningBy(
                    name -> hasResourceLoader || !Globals.needsResourceLoader(name)));
    List<String> wanted = chosen.getOrDefault(true, List.of());
    List<String> impossible = chosen.getOrDefault(false, List.of());
    try {
      Installer.Installed placed =
          agent.runInside(() ->
              installer.install(agent, builder.context, id, origin, wanted, builder.replaced));
      List<InstalledGlobal> report = new ArrayList<>();
      placed.placed().forEach(each -> report.add(global(each, placed, origin)));
      for (String name : impossible) {
        report.add(leftOut(name, "the user agent has no resource loader; set one in its builder"));
      }
      if (requiresLocks(builder)) {
        requireLocks(report);
      }
      if (!placed.reportsRejections()) {
        warn(agent.name());
      }
      Installation.Installed parts =
          new Installation.Installed(agent, placed.realm(), loop, driver, report);
      Installation installation =
          executor == null ? new CallerDrivenInstallation(parts) : new Installation(parts);
      installed.set(installation);
      return installation;
    } catch (PolyglotException tooOld) {
      agent.terminate();
      if (OutOfMemory.isStackOverflow(tooOld)) {
        throw tooSmallStack(tooOld);
      }
      throw new IllegalStateException(
          "the context cannot take an installation ("
              + tooOld.getMessage()
              + "); it needs ECMAScript 2024 or newer and built-ins that no script has changed",
          tooOld);
    } catch (RuntimeException | Error failed) {
      agent.terminate();
      throw failed;
    }
  }

  private static IllegalStateException tooSmallStack(Throwable overflow) {
    return new IllegalStateException(
        "thread "
            + Thread.currentThread().getName()
            + " has too little stack left for an installation, which takes up to "
            + STACK_KILOBYTES
            + " kB; use a thread with a larger stack, or start the JVM with -Xss1m",
        overflow);
  }

  private static Set<String> chosen(Installation.Builder builder) {
    Set<String> chosen = new LinkedHashSet<>();
    boolean all = builder.groups.isEmpty() && builder.names.isEmpty();
    for (Globals group : all ? EnumSet.allOf(Globals.class) : builder.groups) {
      chosen.addAll(group.names());
    }
    chosen.addAll(builder.names);
    return chosen;
  }

  private static void requireLocks(List<InstalledGlobal> report) {
    for (InstalledGlobal global : report) {
      if (global.name().equals(NAVIGATOR_LOCKS)
          && global.outcome() == InstalledGlobal.Outcome.LEFT_OUT) {
        throw new IllegalStateException(
            "navigator.locks cannot be installed: "
                + global.reason()
                + "; install before script freezes it, or leave out Globals.LOCKS");
      }
    }
  }

  /** Logs, once for each user agent, that the errors of asynchronous script vanish. */
  private void warn(String name) {
    if (warned.getAndSet(true)) {
      return;
    }
    try {
      System.getLogger("dev.weblocks")
          .log(WARNING, name + ": " + REJECTIONS_VANISH + "; not logged for other contexts");
    } catch (RuntimeException failure) {
      // a logger of the embedder; the report of the installation has the same
    }
  }

  private static InstalledGlobal global(
      Installer.Placed placed, Installer.Installed installed, Origin origin) {
    String name = placed.name();
    return switch (placed.outcome()) {
      case INSTALLED ->
          new InstalledGlobal(
              name,
              InstalledGlobal.Outcome.INSTALLED,
              ON_REJECTION.contains(name) && !installed.reportsRejections()
                  ? REJECTIONS_VANISH
                  : "");
      case KEPT ->
          new InstalledGlobal(
              name,
              InstalledGlobal.Outcome.KEPT,
              (name.equals("console")
                      ? "the context already defines it, and its messages do not reach the console"
                          + " listener of the user agent"
                      : "the context already defines it")
                  + "; name it in replace() to replace it");
      case MISSING ->
          leftOut(
              name,
              origin.isPotentiallyTrustworthy()
                  ? "this kind of environment does not expose it"
                  : "it needs a secure context; use an origin of https or localhost");
      case REFUSED -> leftOut(name, "the property cannot be defined on its object");
    };
  }

  private static InstalledGlobal leftOut(String name, String reason) {
    return new InstalledGlobal(name, InstalledGlobal.Outcome.LEFT_OUT, reason);
  }
}
