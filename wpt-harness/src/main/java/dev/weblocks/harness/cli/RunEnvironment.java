package dev.weblocks.harness.cli;

import dev.weblocks.embed.Environment;
import dev.weblocks.harness.wpt.Timers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * The external dependencies of {@code weblocks run} in addition to {@link CliEnvironment}.
 *
 * @param workingDirectory base of relative paths; absolute
 * @param timers for {@code --timeout}
 * @param interrupts for Ctrl-C
 */
record RunEnvironment(
    InputStream in,
    boolean inputIsTerminal,
    Path workingDirectory,
    Timers timers,
    Interrupts interrupts,
    TerminalMaker prompts,
    Supplier<Environment> environments) {

  /** A registry of actions for interrupts by the user. */
  @FunctionalInterface
  interface Interrupts {
    /**
     * Registers an action to be run, on any thread, when the user interrupts the command.
     *
     * @param action must return soon
     * @param ended counted down by the command after its last output
     * @return an action that undoes the registration
     */
    Runnable listen(Runnable action, CountDownLatch ended);
  }

  @FunctionalInterface
  interface TerminalMaker {
    Terminal open() throws IOException;
  }

  /** Maximum time that an interrupted process waits for its last output. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  @SuppressWarnings("SystemConsoleNull") // the launcher's property has precedence
  static RunEnvironment ofProcess() {
    String terminal = System.getProperty("weblocks.terminal.input");
    return new RunEnvironment(
        System.in,
        terminal == null ? System.console() != null : Boolean.parseBoolean(terminal),
        Path.of("").toAbsolutePath(),
        RunEnvironment::schedule,
        RunEnvironment::atExit,
        () -> TerminalBuilder.builder().name("weblocks").system(true).build(),
        Environment::create);
  }

  private static Timers.Timer schedule(Duration delay, Runnable action) {
    ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weblocks-run-timer").factory());
    Future<?> future = executor.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    executor.shutdown(); // ends after the scheduled action
    return () -> future.cancel(false);
  }

  /** Registers a shutdown hook. After SIGINT the JVM ends with status 130 when the hook returns. */
  private static Runnable atExit(Runnable action, CountDownLatch ended) {
    Thread hook =
        new Thread(
            () -> {
              action.run();
              try {
                boolean unused = ended.await(LAST_WORDS.toSeconds(), TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "weblocks-run-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
    return () -> {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endingAlready) {
        // the hook has run, or will do nothing
      }
    };
  }
}
