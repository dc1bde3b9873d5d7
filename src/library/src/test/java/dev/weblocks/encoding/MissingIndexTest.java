package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Platform;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.junit.jupiter.api.Test;

/** Decoding in a JVM that has only the standard charsets. */
class MissingIndexTest {

  private final List<String> results = new ArrayList<>();
  private final List<Throwable> defects = new ArrayList<>();

  private void evaluate(String script) {
    EncodingModule module =
        new EncodingModule(name -> {
          throw new UnsupportedCharsetException(name);
        });
    Platform platform = Platform.of(List.of(module), (realm, exception) -> {});
    try (DeterministicDriver driver = new DeterministicDriver(1)) {
      UserAgent userAgent =
          new UserAgent(
              new Configuration(
                  driver,
                  new RandomSource(new SplittableRandom(1)),
                  (modules, limits) ->
                      Context.newBuilder("js")
                          .allowHostAccess(HostAccess.NONE)
                          .option("engine.WarnInterpreterOnly", "false")
                          .option("js.ecmascript-version", "staging")
                          .option("js.unhandled-rejections", "handler")
                          .build(),
                  (where, label, failure) -> defects.add(failure)));
      Agent agent = userAgent.createAgent("test");
      agent
          .eventLoop()
          .queueTask(
              TaskSource.DOM_MANIPULATION,
              null,
              "test",
              () -> {
                Origin origin = new Origin.Tuple("https", "one.test", 443);
                Realm realm =
                    agent.createRealm(
                        new EnvironmentSettings(
                            "id", "https://one.test/", origin, origin, true, Set.of("Window")));
                platform.install(realm);
                results.add(realm.evaluate(Source.create("js", script)).asString());
              });
      driver.runUntilQuiescent(1_000);
      userAgent.close();
      driver.runUntilQuiescent(1_000);
    }
  }

  @Test
  void page_gets_a_range_error_and_the_host_a_hint() {
    evaluate("try { new TextDecoder('euc-kr'); 'made' } catch (e) { e.name + ': ' + e.message }");
    assertEquals(
        List.of(
            "RangeError: Failed to construct 'TextDecoder':"
                + " The encoding 'EUC-KR' is not available here."),
        results);
    assertEquals(1, defects.size());
    assertInstanceOf(IndexUnavailableException.class, defects.getFirst());
  }

  @Test
  void unicode_and_single_byte_encodings_work_without_charsets_of_the_jdk() {
    evaluate(
        """
        const bytes = new Uint8Array([0xE4, 0x41]);
        ['utf-8', 'utf-16le', 'windows-1252', 'koi8-r', 'macintosh']
            .map(label => new TextDecoder(label).decode(bytes)).join()
        """);
    assertEquals(List.of("\uFFFDA,\u41E4,\u00E4A,\u0414A,\u2030A"), results);
    assertEquals(List.of(), defects);
  }
}
