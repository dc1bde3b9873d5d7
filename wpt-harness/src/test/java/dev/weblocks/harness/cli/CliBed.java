package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.harness.wpt.Browser;
import dev.weblocks.harness.wpt.FakeBrowser;
import dev.weblocks.harness.wpt.MiniatureWpt;
import dev.weblocks.harness.wpt.PreloadScript;
import dev.weblocks.harness.wpt.Stage;
import dev.weblocks.model.Variant;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test bed of the command line: a small WPT directory, a fake browser and captured output. */
abstract class CliBed {

  @TempDir Path dir;

  MiniatureWpt wpt;
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final ByteArrayOutputStream err = new ByteArrayOutputStream();
  final Map<String, String> properties = new HashMap<>();
  final Map<String, String> variables = new HashMap<>();
  boolean terminal;

  /** The variants of the last browser. */
  Set<Variant> variantsOfBrowser = Set.of();

  Runnable end = () -> {};
  Duration stopLimit = Duration.ofDays(1);

  /** The seeds of the requested deterministic stages. */
  final List<Long> seeds = Collections.synchronizedList(new ArrayList<>());

  Consumer<FakeBrowser.Page> script =
      page -> page.complete(0, FakeBrowser.Page.subtest("it works", 0, ""));

  @BeforeEach
  void makeDirectory() {
    wpt = new MiniatureWpt(dir.resolve("wpt"));
    properties.put("weblocks.wpt.dir", dir.resolve("wpt").toString());
    properties.put("weblocks.home", dir.toString());
  }

  CliEnvironment cli() {
    FakeBrowser browser = new FakeBrowser(page -> script.accept(page));
    Browser seeded =
        new Browser() {
          @Override
          public OpenPage open(
              String url,
              List<PreloadScript> scripts,
              ResourceLoader loader,
              PageListener listener) {
            return browser.open(url, scripts, loader, listener);
          }

          @Override
          public Stage deterministic(long seed) {
            seeds.add(seed);
            return new Stage.Real(this, (delay, action) -> () -> {}, () -> new UUID(0, seed));
          }
        };
    CliEnvironment.ClosableBrowser closable =
        new CliEnvironment.ClosableBrowser(seeded, () -> end.run());
    return new CliEnvironment(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        properties::get,
        variables::get,
        terminal,
        (jobs, preloads, locks) -> {
          variantsOfBrowser = locks.variants();
          return closable;
        },
        stopLimit);
  }

  /** Returns an environment without a terminal and interrupts, whose timers never fire. */
  static RunEnvironment environment(Path workingDirectory, String input) {
    return new RunEnvironment(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        false,
        workingDirectory,
        (delay, action) -> () -> {},
        (action, ended) -> () -> {},
        () -> {
          throw new AssertionError("no terminal is needed");
        },
        Environment.newBuilder().warmUp(false)::build); // commands close it
  }

  int run(String... args) {
    return Main.run(cli(), args);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Asserts exit code 2 and, besides the remark about hashes, this one line. */
  void assertFails(String line, String... args) {
    forget();
    assertEquals(2, run(args), this::err);
    assertEquals(
        "weblocks: " + line + "\n",
        err().replace("weblocks: no hashes in wpt-subset: the tests are not verified\n", ""));
    assertEquals("", out());
  }

  /** Discards the output so far. */
  void forget() {
    out.reset();
    err.reset();
  }
}
