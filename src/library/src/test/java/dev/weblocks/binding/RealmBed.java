package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** A test bed: one agent with a realm that has the interfaces of a platform. */
final class RealmBed implements AutoCloseable {

  /** The host access policies that the binding must support, each with its own engine. */
  enum Access {
    NONE(HostAccess.NONE),
    EXPLICIT(HostAccess.EXPLICIT),
    CONSTRAINED(HostAccess.CONSTRAINED);

    private final HostAccess policy;
    private final Engine engine =
        Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();

    Access(HostAccess policy) {
      this.policy = policy;
    }
  }

  /** Returns the policies to try: all in full size, else the strictest one. */
  static Stream<Access> accesses() {
    return Stream.of(Access.values()).limit(TestSize.of(1, Access.values().length));
  }

  final List<String> defects = new ArrayList<>();
  final List<String> reported = new ArrayList<>();
  final List<Realm> reportedIn = new ArrayList<>();
  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final UserAgent userAgent;
  private final Agent agent;
  private final Platform platform;
  private @Nullable Value maker;
  private final List<Realm> realms = new ArrayList<>();

  RealmBed(Access access, PlatformModule... modules) {
    this(access, true, modules);
  }

  /**
   * Creates a test bed.
   *
   * @param lazy whether interface objects are made when they are read
   */
  RealmBed(Access access, boolean lazy, PlatformModule... modules) {
    ExceptionReporter reporter =
        (realm, exception) -> {
          reported.add(RealmBinding.of(realm).errors().text(exception));
          reportedIn.add(realm);
        };
    platform =
        lazy
            ? Platform.of(List.of(modules), reporter)
            : Platform.withEagerInterfaces(List.of(modules), reporter);
    userAgent =
        new UserAgent(
            new Configuration(
                driver,
                new RandomSource(new SplittableRandom(1)),
                (moduleAccess, limits) ->
                    Context.newBuilder("js")
                        .engine(access.engine)
                        .allowHostAccess(access.policy)
                        .allowValueSharing(false)
                        .option("js.ecmascript-version", "staging")
                        .option("js.unhandled-rejections", "handler")
                        .build(),
                (where, label, failure) -> defects.add(label + ": " + failure)));
    agent = userAgent.createAgent("test");
    addRealm(Set.of("Window"), true);
  }

  /** Adds a realm to the same agent; returns its index. */
  int addRealm(Set<String> globalNames, boolean secure) {
    onLoop(() -> {
      Origin origin = new Origin.Tuple("https", "one.test", 443);
      // the first installation removes this function, which page script must not reach
      if (maker != null) {
        realms.getFirst().global().putMember("loadWithNewGlobal", maker);
      }
      Realm realm =
          agent.createRealm(
              new EnvironmentSettings(
                  "id-" + realms.size(), "https://one.test/", origin, origin, secure, globalNames));
      if (maker == null) {
        maker = realm.global().getMember("loadWithNewGlobal");
      } else {
        realms.getFirst().global().removeMember("loadWithNewGlobal");
      }
      platform.install(realm);
      realms.add(realm);
    });
    return realms.size() - 1;
  }

  Realm realm(int index) {
    return realms.get(index);
  }

  /** Runs steps as a task of the agent, then all tasks that result. */
  void onLoop(Runnable steps) {
    List<Throwable> failures = new ArrayList<>();
    agent
        .eventLoop()
        .queueTask(
            TaskSource.DOM_MANIPULATION,
            null,
            "test",
            () -> {
              try {
                steps.run();
              } catch (Throwable failure) {
                failures.add(failure);
              }
            });
    driver.runUntilQuiescent(1_000_000);
    if (!failures.isEmpty()) {
      throw new AssertionError("steps failed: " + failures.getFirst(), failures.getFirst());
    }
  }

  /** Assigns a value of one realm to a global of another one. */
  void hand(int from, String expression, int to, String name) {
    onLoop(() ->
        realms
            .get(to)
            .global()
            .putMember(name, realms.get(from).evaluate(source("(" + expression + ")"))));
  }

  private static Source source(String script) {
    return Source.newBuilder("js", script, "https://one.test/test.js").buildLiteral();
  }

  /**
   * Returns the completion value of a script in the first realm, as text; {@code Name: message} if
   * it throws.
   */
  String eval(String script) {
    return evalIn(0, script);
  }

  String evalIn(int realm, String script) {
    String[] result = new String[1];
    onLoop(() -> {
      try {
        Value value =
            realms.get(realm).evaluate(source("String((0, eval)(" + quoted(script) + "))"));
        result[0] = value.asString();
      } catch (PolyglotException thrown) {
        result[0] = textOf(thrown);
      }
    });
    return result[0];
  }

  private static String textOf(PolyglotException thrown) {
    Value guest = thrown.getGuestObject();
    return guest != null && guest.hasMember("message")
        ? guest.getMember("name").asString() + ": " + guest.getMember("message").asString()
        : String.valueOf(thrown.getMessage());
  }

  private static String quoted(String script) {
    return JsLiteral.of(script);
  }

  /** Returns a module of one IDL file, which is a resource beside this class. */
  static PlatformModule module(String idl, Consumer<Implementations> define) {
    return new PlatformModule() {
      @Override
      public String idlResource() {
        return "/dev/weblocks/binding/" + idl;
      }

      @Override
      public void define(Implementations implementations) {
        define.accept(implementations);
      }
    };
  }

  @Override
  public void close() {
    userAgent.close();
    driver.runUntilQuiescent(1_000);
    driver.close();
  }

  static @Nullable String text(Value value) {
    if (value.isNull()) {
      return null;
    }
    if (value.isString()) {
      return value.asString();
    }
    return value.fitsInInt() ? String.valueOf(value.asInt()) : value.toString();
  }
}
