package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The built-ins of the engine that windows and workers do not have. Each is listed in
 * docs/DEVIATIONS.md with a reason. Runs on any engine.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineBuiltInsTest {

  private static final Set<String> REMOVED =
      Set.of(
          "Graal",
          "Symbol%28Symbol%2EtoStringTag%29",
          "arguments",
          "load",
          "loadWithNewGlobal",
          "print",
          "printErr");

  /** Returns the paths of all properties below the given globals; visits each object once. */
  private static final String WALK =
      """
      (globals => {
        const text = key => escape(String(key)).replaceAll('.', '%2E');
        const names = [];
        const seen = new Set([globalThis, globalThis.console]);
        const visit = (object, path) => {
          if (Object(object) !== object || seen.has(object)) return;
          seen.add(object);
          for (const key of Reflect.ownKeys(object)) {
            const name = path + '.' + text(key);
            const property = Reflect.getOwnPropertyDescriptor(object, key);
            names.push(name);
            visit(property.value, name);
            visit(property.get, name);
            visit(property.set, name);
          }
        };
        for (const key of Reflect.ownKeys(globalThis)) names.push(text(key));
        for (const key of globals ?? Object.getOwnPropertyNames(globalThis)) visit(globalThis[key], key);
        const iterators = [[].values(), new Map().keys(), new Set().keys(), ''[Symbol.iterator](), 'a'.matchAll(/a/g),
          [].values().map(x => x), Iterator.from({ next() {} }), Int8Array, new Intl.Segmenter().segment('')];
        iterators.forEach((object, i) => visit(Object.getPrototypeOf(object), i));
        [function* () {}, async () => {}, async function* () {}].forEach((object, i) => visit(Object.getPrototypeOf(object), `f${i}`));
        return names.join();
      })\
      """;

  /** Returns the names in a context of the engine alone. */
  private static List<String> namesOfEngine() {
    try (Context context =
        Context.newBuilder("js")
            .option("engine.WarnInterpreterOnly", "false")
            .option("js.ecmascript-version", "staging")
            .build()) {
      return List.of(context.eval("js", WALK + "()").asString().split(","));
    }
  }

  private static String walkOf(List<String> names) {
    String globals =
        String.join("','", names.stream().filter(name -> name.matches("\\w+")).toList());
    return WALK + "(['" + globals + "'])";
  }

  /** Returns the names that are not there; of an object that is not there, only its own name. */
  private static Set<String> missing(List<String> names, String there) {
    Set<String> missing = new TreeSet<>(names);
    List.of(there.split(",")).forEach(missing::remove);
    Set<String> all = Set.copyOf(missing);
    missing.removeIf(
        name -> name.contains(".") && all.contains(name.replaceFirst("[.][^.]*$", "")));
    return missing;
  }

  @Test
  void windows_and_workers_lack_only_built_ins_removed_for_a_reason() throws Exception {
    List<String> names = namesOfEngine();
    ResourceLoader loader =
        ResourceLoader.inMemory()
            .put("https://one.test/", "<!doctype html>")
            .put("https://one.test/worker.js", "postMessage(" + walkOf(names) + ")")
            .build();
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .environment(SharedEnvironment.ENVIRONMENT)
            .resourceLoader(loader)
            .build()) {
      Window window = userAgent.open("https://one.test/");
      window.loaded().get();
      assertEquals(new TreeSet<>(REMOVED), missing(names, evaluate(window, walkOf(names))));
      assertEquals(
          new TreeSet<>(REMOVED),
          missing(
              names,
              evaluate(
                  window,
                  "new Promise(r => new Worker('/worker.js').onmessage = e => r(e.data))")));
    }
  }

  private static String evaluate(Window window, String code) throws Exception {
    EvaluationOptions awaits = EvaluationOptions.newBuilder().await(true).build();
    CompletableFuture<EvaluatedValue> result = window.evaluate(code, awaits);
    return result.get().text().replace("'", "");
  }

  @Test
  void virtual_worlds_lack_only_atomics_wait_async_in_addition() {
    List<String> names = namesOfEngine();
    Set<String> expected = new TreeSet<>(REMOVED);
    expected.add("Atomics.waitAsync");
    String there = Scenario.logOf("console.log(" + walkOf(names) + ")").getFirst();
    assertEquals(expected, missing(names, there));
  }
}
