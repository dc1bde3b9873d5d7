package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
import dev.weblocks.global.ErrorInformation;
import dev.weblocks.global.GlobalModule;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.url.UrlParser;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Notifications to callers of top-level module scripts, and several realms in one agent. */
class ModuleMapTest {

  private final Map<String, String> resources = new HashMap<>();
  private final List<String> log = new ArrayList<>();
  private final List<String> requests = new ArrayList<>();
  private final List<String> defects = new ArrayList<>();
  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final Platform platform =
      Platform.of(
          List.of(new DomModule(), new GlobalModule(), new ScopeModule()),
          (realm, exception) -> GlobalScope.of(realm).reportException(exception));
  private final UserAgent userAgent = newUserAgent();
  private Agent agent = userAgent.createAgent("test");
  private @Nullable Value maker;

  private final class TestScope extends GlobalScope {
    TestScope(Realm realm) {
      super(realm);
    }

    @Override
    protected void reportUnhandled(ErrorInformation error) {
      log.add(realm().settings().id() + ": " + error.message().lines().findFirst().orElse(""));
    }
  }

  private static final class TestNavigator extends PlatformObject {
    TestNavigator(Realm realm) {
      super(realm);
    }
  }

  private static final class ScopeModule implements PlatformModule {
    @Override
    public String idlResource() {
      return "module-scope.idl";
    }

    @Override
    public void define(Implementations implementations) {
      implementations.implement("TestScope", TestScope.class);
      implementations.implement("Navigator", TestNavigator.class);
    }
  }

  private UserAgent newUserAgent() {
    UserAgent made =
        new UserAgent(
            new Configuration(
                    driver,
                    new RandomSource(new SplittableRandom(1)),
                    (modules, limits) ->
                        Context.newBuilder("js")
                            .allowHostAccess(HostAccess.NONE)
                            .allowIO(modules)
                            .allowValueSharing(false)
                            .option("js.ecmascript-version", "staging")
                            .option("js.unhandled-rejections", "handler")
                            .option("engine.WarnInterpreterOnly", "false")
                            .build(),
                    (agent, where, failure) -> defects.add(where + ": " + failure))
                .moduleLoaders(ModuleScripts::loaderOf)
                .with(FetchSettings.withoutInterceptor((none, request) -> fetch(request))));
    return made;
  }

  private CompletableFuture<FetchResponse> fetch(FetchRequest request) {
    requests.add(request.url());
    String text = resources.get(request.currentUrl().href().replace("https://one.test", ""));
    return CompletableFuture.completedFuture(
        new FetchResponse(
            request.url(),
            text == null ? 404 : 200,
            "",
            List.of(Map.entry("Content-Type", "text/javascript")),
            (text == null ? "" : text).getBytes(StandardCharsets.UTF_8)));
  }

  @AfterEach
  void close() {
    userAgent.close();
    driver.runUntilQuiescent(1_000);
    driver.close();
    assertEquals(List.of(), defects);
  }

  private void onLoop(Runnable steps) {
    agent.eventLoop().queueTask(TaskSource.DOM_MANIPULATION, null, "test", steps);
    driver.runUntilQuiescent(1_000_000);
  }

  private Realm newRealm(String id) {
    if (maker != null) {
      // the first installation removes this function, which page script must not reach
      maker.getContext().getBindings("js").putMember("loadWithNewGlobal", maker);
    }
    Origin origin = new Origin.Tuple("https", "one.test", -1);
    Realm realm =
        agent.createRealm(
            new EnvironmentSettings(
                id, "https://one.test/page.html", origin, origin, true, Set.of("TestScope")));
    maker = maker == null ? realm.global().getMember("loadWithNewGlobal") : maker;
    platform.install(realm);
    new TestScope(realm).becomeGlobal();
    realm
        .global()
        .putMember(
            "log",
            (ProxyExecutable)
                values -> {
                  log.add(id + " " + (values[0].isString() ? values[0].asString() : values[0]));
                  return null;
                });
    return realm;
  }

  private void run(Realm realm, String path) {
    String url = "https://one.test" + path;
    onLoop(() ->
        ModuleScripts.of(realm)
            .run(
                url,
                String.valueOf(resources.get(path)),
                new ModuleScripts.Listener() {
                  @Override
                  public void onStarted(boolean awaits) {
                    log.add("started" + (awaits ? ", awaits" : ""));
                  }

                  @Override
                  public void onEvaluated() {
                    log.add("evaluated");
                  }

                  @Override
                  public void onThrown() {
                    log.add("thrown");
                  }

                  @Override
                  public void onFailed(@Nullable Value error, String reason) {
                    log.add(
                        "failed " + (error == null ? null : error.getMember("name").asString()));
                  }
                }));
  }

  private Realm[] realms(int count) {
    Realm[] realms = new Realm[count];
    onLoop(() -> {
      for (int i = 0; i < count; i++) {
        realms[i] = newRealm("realm-" + i);
      }
    });
    return realms;
  }

  @Test
  void caller_is_notified_of_a_top_level_await() {
    resources.put("/plain.js", "import '/dependency.js'");
    resources.put("/dependency.js", "log('x')");
    resources.put("/await.js", "await undefined;");
    resources.put("/awaits-inside.js", "import '/await-2.js'");
    resources.put("/await-2.js", "await undefined; await undefined");
    resources.put("/for.js", "for await (const x of []);");
    resources.put("/never.js", "await new Promise(() => {});");
    resources.put("/function.js", "(async () => { await 1; await 2; await 3; await 4; })()");
    Realm realm = realms(1)[0];
    Map<String, List<String>> expected =
        Map.of(
            "/plain.js", List.of("realm-0 x", "evaluated", "started"),
            "/await.js", List.of("evaluated", "started, awaits"),
            "/awaits-inside.js", List.of("evaluated", "started, awaits"),
            "/for.js", List.of("evaluated", "started, awaits"),
            "/never.js", List.of("started, awaits"),
            "/function.js", List.of("evaluated", "started"));
    expected.forEach((path, events) -> {
      run(realm, path);
      assertEquals(events, log, path);
      log.clear();
    });
  }

  @Test
  void caller_receives_load_failures_and_only_exceptions_are_reported() {
    resources.put("/syntax.js", "let let;");
    resources.put("/inside.js", "import '/syntax.js'; log('never')");
    resources.put("/missing.js", "import '/no.js'; log('never')");
    resources.put("/bare.js", "import 'x'; log('never')");
    resources.put("/link.js", "import {x} from '/good.js'; log('never')");
    resources.put("/good.js", "");
    resources.put("/throws.js", "throw new RangeError('thrown')");
    resources.put("/late.js", "await 0; throw new RangeError('late')");
    Realm realm = realms(1)[0];
    for (String path :
        List.of(
            "/syntax.js",
            "/inside.js",
            "/missing.js",
            "/bare.js",
            "/link.js",
            "/throws.js",
            "/late.js")) {
      run(realm, path);
    }
    assertEquals(
        List.of(
            "failed SyntaxError",
            "failed SyntaxError",
            "failed null",
            "failed TypeError",
            "realm-0: Uncaught SyntaxError: The requested module '/good.js' does not provide an export named 'x'",
            "thrown",
            "started",
            "realm-0: Uncaught RangeError: thrown",
            "thrown",
            "started",
            "realm-0: Uncaught RangeError: late",
            "thrown",
            "started, awaits"),
        log);
  }

  @Test
  void each_realm_has_its_own_module_map_and_errors() {
    resources.put("/main.js", "import x from '/x.js'; globalThis.x = x; log('main')");
    resources.put("/x.js", "log('x'); export default {}");
    Realm[] realms = realms(3);
    for (Realm realm : realms) {
      run(realm, "/main.js");
    }
    assertEquals(
        List.of("realm-0 x", "realm-0 main", "evaluated", "started").stream()
            .flatMap(line -> List.of(0, 1, 2).stream().map(i -> line.replace("0", "" + i)))
            .sorted()
            .toList(),
        log.stream().sorted().toList());
    log.clear();
    // a function that another realm calls imports into its own realm
    onLoop(() -> {
      String script =
          "globalThis.load = specifier => import(specifier).then(m => log(m.default === x), e => log(e instanceof TypeError));";
      for (Realm realm : realms) {
        realm.evaluate(Source.newBuilder("js", script, "https://one.test/s.js").buildLiteral());
      }
      realms[0].global().putMember("others", realms[2].global().getMember("load"));
      realms[0].evaluate(
          Source.newBuilder(
                  "js", "others('./x.js'); others('./no.js'); load('./x.js'); load('bare')", "x")
              .buildLiteral());
    });
    assertEquals(
        List.of("realm-0 true", "realm-0 true", "realm-2 true", "realm-2 true"),
        log.stream().sorted().toList());
    assertEquals(4, requests.size(), requests::toString);
  }

  @Test
  void agents_of_one_engine_do_not_share_modules() {
    resources.put("/main.js", "globalThis.count = (globalThis.count ?? 0) + 1; log(count)");
    run(realms(1)[0], "/main.js");
    agent = userAgent.createAgent("second");
    maker = null;
    run(realms(1)[0], "/main.js");
    assertEquals(
        List.of("realm-0 1", "evaluated", "started", "realm-0 1", "evaluated", "started"), log);
  }

  @Tag("alone")
  @Test
  void module_map_is_collected_after_its_agent_ended() {
    resources.put("/main.js", "log('x')");
    Realm realm = realms(1)[0];
    run(realm, "/main.js");
    WeakReference<ModuleScripts> modules = new WeakReference<>(ModuleScripts.of(realm));
    realm = null;
    maker = null;
    agent.terminate();
    driver.runUntilQuiescent(1_000);
    agent = userAgent.createAgent("other");
    for (int i = 0; i < 50 && modules.get() != null; i++) {
      System.gc();
    }
    assertNull(modules.get());
  }

  @Test
  void module_text_is_fetched_once() {
    resources.put("/main.js", "import '/main.js'; import('/main.js'); log('once')");
    Realm realm = realms(1)[0];
    run(realm, "/main.js");
    run(realm, "/main.js");
    onLoop(() ->
        ModuleScripts.of(realm)
            .fetchGraph(
                UrlParser.parseAbsolute("https://one.test/main.js"),
                FetchRequest.Credentials.SAME_ORIGIN,
                null,
                () -> log.add("ready")));
    assertEquals(
        List.of("realm-0 once", "evaluated", "started", "evaluated", "started", "ready"), log);
    assertEquals(List.of(), requests);
  }
}
