package dev.weblocks.embed;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EmbedderLoop;
import dev.weblocks.agent.Origin;
import dev.weblocks.installation.Installer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.graalvm.polyglot.PolyglotException;
import org.jspecify.annotations.Nullable;

/** Makes installations: an agent for the context, its loop, and the chosen globals. */
final class Installing {

  private Installing() {}

  /**
   * Installs the globals of a builder.
   *
   * @param executor runs the event loop; null if the caller does
   */
  static <T extends Installation> T install(
      Installation.Builder builder,
      @Nullable Executor executor,
      Function<Installation.Installed, T> type,
      dev.weblocks.agent.UserAgent userAgent,
      Installer installer,
      String id,
      boolean hasResourceLoader,
      ErrorListener errorListener) {
    AtomicReference<@Nullable Agent> made = new AtomicReference<>();
    AtomicReference<@Nullable Installation> installed = new AtomicReference<>();
    BiConsumer<String, Throwable> failures =
        (where, failure) -> {
          Agent agent = made.get();
          String name = agent == null ? "installation" : agent.name();
          errorListener.uncaught(ListenerReports.defect(name, where, failure));
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
                : () -> guarded(onWork, failure -> failures.accept("onWork", failure)),
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
    Agent agent = userAgent.createAgent("installation", loop, builder.context);
    made.set(agent);
    Origin origin = Installation.Builder.originOf(builder.origin);
    List<String> wanted = new ArrayList<>();
    List<InstalledGlobal> leftOut = new ArrayList<>();
    choose(builder, hasResourceLoader, wanted, leftOut);
    try {
      Installer.Installed placed =
          agent.runInside(() ->
              installer.install(agent, builder.context, id, origin, wanted, builder.replaced));
      List<InstalledGlobal> report = new ArrayList<>();
      placed.placed().forEach(each -> report.add(global(each, origin.isPotentiallyTrustworthy())));
      report.addAll(leftOut);
      T installation = type.apply(new Installation.Installed(agent, placed.realm(), loop, report));
      installed.set(installation);
      return installation;
    } catch (PolyglotException tooOld) {
      agent.terminate();
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

  private static void guarded(Runnable steps, Consumer<Throwable> failures) {
    try {
      steps.run();
    } catch (RuntimeException | Error failure) {
      failures.accept(failure);
    }
  }

  private static void choose(
      Installation.Builder builder,
      boolean hasResourceLoader,
      List<String> wanted,
      List<InstalledGlobal> leftOut) {
    Set<String> chosen = new LinkedHashSet<>();
    boolean all = builder.groups.isEmpty() && builder.names.isEmpty();
    for (Globals group : all ? EnumSet.allOf(Globals.class) : builder.groups) {
      chosen.addAll(group.names());
    }
    chosen.addAll(builder.names);
    Set<String> impossible = new LinkedHashSet<>();
    for (Globals group : Globals.values()) {
      if (group.needsResourceLoader() && !hasResourceLoader) {
        impossible.addAll(group.names());
      }
    }
    for (String name : chosen) {
      if (impossible.contains(name)) {
        leftOut.add(
            new InstalledGlobal(
                name,
                InstalledGlobal.Outcome.LEFT_OUT,
                "the user agent has no resource loader; set one in its builder"));
      } else {
        wanted.add(name);
      }
    }
  }

  private static InstalledGlobal global(Installer.Placed placed, boolean secureContext) {
    return switch (placed.outcome()) {
      case INSTALLED -> new InstalledGlobal(placed.name(), InstalledGlobal.Outcome.INSTALLED, "");
      case KEPT ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.KEPT,
              "the context already defines it; name it in replace() to replace it");
      case MISSING ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.LEFT_OUT,
              secureContext
                  ? "this kind of environment does not expose it"
                  : "it needs a secure context; use an origin of https or localhost");
      case REFUSED ->
          new InstalledGlobal(
              placed.name(),
              InstalledGlobal.Outcome.LEFT_OUT,
              "the property cannot be defined on its object");
    };
  }
}
