package dev.weblocks.cli;

import dev.weblocks.embed.UserAgent;
import dev.weblocks.wpt.Timers;
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
 * What {@code weblocks run} takes from outside beside {@link Surroundings}.
 *
 * @param in the standard input
 * @param inputIsTerminal whether a person types there
 * @param workingDirectory what relative paths begin with; absolute
 * @param timers measure {@code --timeout}
 * @param interrupts tell of Ctrl-C
 * @param prompts open the terminal of the prompt
 * @param environments make what the agents share
 */
record RunSurroundings(
    InputStream in,
    boolean inputIsTerminal,
    Path workingDirectory,
    Timers timers,
    Interrupts interrupts,
    TerminalMaker prompts,
    Supplier<UserAgent.Environment> environments) {

  /** Tells of the wish of the user to end the command. */
  @FunctionalInterface
  interface Interrupts {
    /**
     * Has an action run, on any thread, when the user wants an end.
     *
     * @param action returns soon
     * @param ended the command counts it down when it has said all that it had to say
     * @return takes the action back
     */
    Runnable listen(Runnable action, CountDownLatch ended);
  }

  /** Opens a terminal. */
  @FunctionalInterface
  interface TerminalMaker {
    Terminal open() throws IOException;
  }

  /** How long the process waits, when it is interrupted, for last words. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  /** The Java process itself. */
  @SuppressWarnings("SystemConsoleNull") // the launcher's word counts first
  static RunSurroundings ofProcess() {
    String terminal = System.getProperty("weblocks.terminal.input");
    return new RunSurroundings(
        System.in,
        terminal == null ? System.console() != null : Boolean.parseBoolean(terminal),
        Path.of("").toAbsolutePath(),
        RunSurroundings::schedule,
        RunSurroundings::atExit,
        () -> TerminalBuilder.builder().name("weblocks").system(true).build(),
        UserAgent.Environment::new);
  }

  private static Timers.Timer schedule(Duration delay, Runnable action) {
    ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weblocks-run-timer").factory());
    Future<?> future = executor.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    executor.shutdown(); // after what is scheduled
    return () -> future.cancel(false);
  }

  /** The JVM ends with status 130 by itself after SIGINT, as soon as this returns. */
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
        // then the hook has run, or will find that there is nothing to say
      }
    };
  }
}
