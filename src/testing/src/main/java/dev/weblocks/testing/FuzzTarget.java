package dev.weblocks.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests of code that reads text or bytes from outside. A subclass names the code, its
 * properties, and inputs that are easily processed in more than linear time.
 *
 * <p>A quick run replays the saved inputs, in the folder {@code src/testing/corpus/NAME}, where
 * NAME is that of the subclass. In full size, Jazzer searches for other inputs, in a JVM of its
 * own. It runs for {@code weblocks.fuzz.seconds} (a system property, 20 by default), and stores its
 * own corpus and failing inputs in {@code target/fuzz/NAME}. To add a test for a failing input,
 * move it to the folder of saved inputs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FuzzTarget {

  /**
   * A kind of input of any length.
   *
   * @param unit repeated between the other two; {@code #} in it is the index of the repetition, and
   *     {@code ~} the index of the one before
   */
  public record Shape(String before, String unit, String after) {

    /** Returns an input in which the unit is repeated until the text has a length. */
    public byte[] input(int length) {
      String text = unit.repeat(length / unit.length());
      if (unit.contains("#")) {
        StringBuilder numbered = new StringBuilder();
        for (int i = 1; numbered.length() < length; i++) {
          numbered.append(unit.replace("#", "" + i).replace("~", "" + (i - 1)));
        }
        text = numbered.toString();
      }
      return (before + text + after).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return before + "(" + unit + ")*" + after;
    }
  }

  /** The default stack of a Java thread, on which an embedder may call the library. */
  private static final long STACK = 1 << 20;

  private static final int SECONDS = Integer.getInteger("weblocks.fuzz.seconds", 20);
  private static final int MEASURABLE_NANOS = 5_000_000;
  private static final int LONG = 1 << 16;
  private static final Pattern DONE = Pattern.compile("Done \\d+ runs in \\d+ second\\(s\\)");

  private static @Nullable FuzzTarget fuzzed;

  /**
   * Processes an input.
   *
   * @throws Throwable a failure: an exception that is not documented, or a property that is not met
   */
  protected abstract void accept(byte[] input) throws Exception;

  /** Returns inputs that must be processed in linear time. */
  protected abstract List<Shape> shapes();

  /** Returns an input as text; malformed UTF-8 becomes U+FFFD. */
  protected static String text(byte[] input) {
    return new String(input, StandardCharsets.UTF_8);
  }

  /** Called by Jazzer with the name of the subclass. */
  public static void fuzzerInitialize(String[] arguments) throws Exception {
    Constructor<?> constructor = Class.forName(arguments[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    fuzzed = (FuzzTarget) constructor.newInstance();
    fuzzerTestOneInput(new byte[0]); // the first start of an engine is no time of an input
  }

  /** Called by Jazzer with each input. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    Objects.requireNonNull(fuzzed).accept(input);
  }

  private Path corpus() {
    return Path.of("src/testing/corpus", getClass().getSimpleName());
  }

  Stream<Path> savedInputs() throws IOException {
    try (Stream<Path> files = Files.list(corpus())) {
      return files.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("savedInputs")
  void saved_input_has_a_documented_outcome(Path file) throws Exception {
    byte[] input = Files.readAllBytes(file);
    onSmallStack(() -> accept(input));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void long_input_has_a_documented_outcome(Shape shape) throws InterruptedException {
    byte[] input = shape.input(LONG);
    onSmallStack(() -> accept(input));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  @Tag("full")
  void time_grows_linearly_with_length(Shape shape) throws InterruptedException {
    double growth = Double.MAX_VALUE; // 8 if linear, 64 if quadratic
    for (int i = 0; i < 3 && growth >= 24; i++) { // the compiler or the collector may disturb
      double nanos = Math.max(nanosFor(shape.input(LONG)), MEASURABLE_NANOS);
      growth = Math.min(growth, nanosFor(shape.input(8 * LONG)) / nanos);
    }
    assertTrue(growth < 24, growth + " times the time for 8 times the length");
  }

  /** Returns the processor time for an input. */
  private long nanosFor(byte[] input) throws InterruptedException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    AtomicLong nanos = new AtomicLong();
    onSmallStack(() -> {
      long start = threads.getCurrentThreadCpuTime();
      accept(input);
      nanos.set(threads.getCurrentThreadCpuTime() - start);
    });
    return nanos.get();
  }

  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  /** Does work on a new thread: some targets accept inputs on one living thread only. */
  private static void onSmallStack(Work work) throws InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                work.run();
              } catch (Throwable thrown) {
                failure.set(thrown);
              }
            },
            "fuzz target",
            STACK);
    thread.start();
    thread.join();
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("undocumented: " + thrown, thrown);
    }
  }

  @Test
  @Tag("full")
  @Tag("interpreting") // no target depends on the engine's compiler
  void fuzzer_finds_no_other_outcome(TestReporter reporter) throws Exception {
    Path folder = Path.of("target/fuzz", getClass().getSimpleName());
    Path own = Files.createDirectories(folder.resolve("corpus"));
    Path log = folder.resolve("log");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xss" + STACK,
                "-Xmx1g",
                "-XX:+EnableDynamicAgentLoading",
                "-da:com.oracle...", // Jazzer enables all assertions, also the engine's
                "--enable-native-access=ALL-UNNAMED",
                "-Dsun.misc.unsafe.memory.access=allow",
                "-Dpolyglot.engine.WarnInterpreterOnly=false",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + FuzzTarget.class.getName(),
                "--target_args=" + getClass().getName(),
                "--instrumentation_includes=dev.weblocks.**:org.jsoup.**",
                "--custom_hook_includes=dev.weblocks.**",
                "--reproducer_path=" + folder,
                "-artifact_prefix=" + folder + "/",
                "-max_total_time=" + SECONDS,
                "-timeout=5", // of one input
                "-rss_limit_mb=4096", // the heap is limited above
                "-max_len=4096"));
    command.add(own.toString());
    command.add(corpus().toString());
    Process fuzzer =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      // a fuzzer that starts slowly is no failure
      assertTrue(fuzzer.waitFor(SECONDS + 300L, TimeUnit.SECONDS), "does not end; see " + log);
    } finally {
      fuzzer.destroyForcibly();
    }
    String output = Files.readString(log, StandardCharsets.ISO_8859_1);
    Matcher done = DONE.matcher(output);
    assertTrue(fuzzer.exitValue() == 0 && done.find(), () -> "see " + log + ":\n" + end(output));
    reporter.publishEntry(getClass().getSimpleName(), done.group());
  }

  private static String end(String output) {
    return output.substring(Math.max(0, output.length() - 4_000));
  }
}
