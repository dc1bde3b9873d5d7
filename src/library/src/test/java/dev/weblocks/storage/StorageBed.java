package dev.weblocks.storage;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Platform;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.dom.DomModule;
import dev.weblocks.global.GlobalModule;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.locks.LocksModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;

/**
 * Windows of one user agent with any origin below any top-level origin, which otherwise needs
 * frames. Each has its own agent, under the deterministic driver.
 */
final class StorageBed implements AutoCloseable {

  /** A window that runs scripts. */
  final class TestWindow {
    private final Agent agent;
    private Realm realm;

    private TestWindow(Origin origin, Origin topLevelOrigin) {
      agent = userAgent.createAgent("window");
      run(() -> {
        realm =
            agent.createRealm(
                new EnvironmentSettings(
                    userAgent.ids().nextUuid(),
                    "https://document.test/" + agent.name(),
                    origin,
                    topLevelOrigin,
                    true,
                    Set.of("Window")));
        PLATFORM.install(realm);
        new Global(realm).becomeGlobal();
        realm.evaluate(
            source(
                """
                globalThis.log = [];
                globalThis.say = (...parts) => { log.push(parts.join(' ')); };
                """));
      });
    }

    private void run(Runnable steps) {
      agent.eventLoop().queueTask(TaskSource.DOM_MANIPULATION, null, "test", steps);
      settle();
    }

    /** Runs the body of an async function and all resulting tasks; returns the window's log. */
    String run(String script) {
      run(() ->
          realm.evaluate(
              source(
                  "log.length = 0; (async () => {"
                      + script
                      + "})().catch(e => say('failed: ' + e.name + ': ' + e.message)); undefined")));
      return log();
    }

    /** Returns the arguments of {@code say()} since the last {@link #run(String)}. */
    String log() {
      String[] text = new String[1];
      run(() -> text[0] = realm.evaluate(source("log.join(', ')")).asString());
      return text[0];
    }

    void end() {
      agent.terminate();
      settle();
    }
  }

  private static final class Global extends GlobalScope {
    private final Navigator navigator = new Navigator(realm());

    Global(Realm realm) {
      super(realm);
    }
  }

  private static final class Navigator extends PlatformObject {
    Navigator(Realm realm) {
      super(realm);
    }
  }

  private static final class WorkerNavigator extends PlatformObject {
    WorkerNavigator(Realm realm) {
      super(realm);
    }
  }

  private static final class BedModule implements PlatformModule {
    @Override
    public String idlResource() {
      return "/dev/weblocks/storage/storage-bed.idl";
    }

    @Override
    public void define(Implementations implementations) {
      implementations
          .implement("Window", Global.class)
          .getter("navigator", window -> window.navigator);
      implementations.implement("Navigator", Navigator.class);
      implementations.implement("WorkerNavigator", WorkerNavigator.class);
    }
  }

  private static final Engine ENGINE =
      Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();

  private static final Platform PLATFORM =
      Platform.of(
          List.of(
              new DomModule(),
              new GlobalModule(),
              new StorageModule(),
              new LocksModule(),
              new BedModule()),
          (realm, exception) -> GlobalScope.of(realm).reportException(exception));

  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final List<String> defects = new ArrayList<>();
  final UserAgent userAgent =
      new UserAgent(
          new Configuration(
              driver,
              new RandomSource(new SplittableRandom(1)),
              (modules, limits) ->
                  Context.newBuilder("js")
                      .engine(ENGINE)
                      .allowHostAccess(HostAccess.NONE)
                      .allowValueSharing(false)
                      .option("js.ecmascript-version", "staging")
                      .option("js.unhandled-rejections", "handler")
                      .build(),
              (agent, where, failure) -> defects.add(where + ": " + failure)));

  private static Source source(String script) {
    return Source.newBuilder("js", script, "bed.js").buildLiteral();
  }

  static Origin origin(String host) {
    return new Origin.Tuple("https", host, -1);
  }

  TestWindow window(Origin origin, Origin topLevelOrigin) {
    return new TestWindow(origin, topLevelOrigin);
  }

  TestWindow window(String host) {
    return new TestWindow(origin(host), origin(host));
  }

  StorageShelf shelf(String host) {
    return StorageShed.of(userAgent)
        .shelf(new StorageKey((Origin.Tuple) origin(host), Site.obtain(origin(host)), false));
  }

  private void settle() {
    driver.runUntilQuiescent(1_000_000);
    if (!defects.isEmpty()) {
      throw new AssertionError("defects: " + defects);
    }
  }

  @Override
  public void close() {
    userAgent.close();
    settle();
    driver.close();
  }
}
