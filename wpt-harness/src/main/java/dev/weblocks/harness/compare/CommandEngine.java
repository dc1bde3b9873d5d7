package dev.weblocks.harness.compare;

import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An engine that is a command-line program. Its processes read commands as lines. */
final class CommandEngine implements Engine {

  static final String FIRST_LOCK =
      "navigator.locks.request('first', (lock) => console.log(lock.name))";

  private static final Duration START = Duration.ofSeconds(60);
  private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?(?:E\\d+)?) locks/s");

  private final String name;
  private final Processes processes;
  private final List<String> session;
  private final List<String> firstLock;
  private final Function<String, List<String>> uses;

  /**
   * Creates an engine.
   *
   * @param session the command that starts a {@link LineSession}
   * @param firstLock a command that {@link #FIRST_LOCK} is appended to, as its last argument
   * @param uses the command for each use; empty if it cannot be run
   */
  CommandEngine(
      String name,
      Processes processes,
      List<String> session,
      List<String> firstLock,
      Function<String, List<String>> uses) {
    this.name = name;
    this.processes = processes;
    this.session = List.copyOf(session);
    this.firstLock = List.copyOf(firstLock);
    this.uses = uses;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean canRun(Workload workload) {
    return workload.kind() != Workload.Kind.USE || !uses.apply(workload.use()).isEmpty();
  }

  @Override
  public Session start() throws EngineFailure, InterruptedException {
    LineSession started = LineSession.start(processes, session);
    if (name.equals(OWN_JIT) && started.greeting().path("interprets").asBoolean()) {
      started.close();
      throw new EngineFailure(
          "this JDK cannot run the optimising compiler; 'weblocks --jit --version' shows more");
    }
    return started;
  }

  @Override
  public double firstLock(Duration bound) throws EngineFailure, InterruptedException {
    List<String> command = new ArrayList<>(firstLock);
    command.add(FIRST_LOCK);
    long start = System.nanoTime();
    return output(
        command,
        bound,
        "lock",
        lines -> {
          for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals("first")) {
              return (System.nanoTime() - start) / 1e6;
            }
          }
          return null;
        });
  }

  @Override
  public List<Double> locksPerSecond(String use, int seconds)
      throws EngineFailure, InterruptedException {
    return output(
        uses.apply(use),
        START.plusSeconds(seconds),
        "figure",
        lines -> {
          List<Double> rates = new ArrayList<>();
          for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher rate = RATE.matcher(line);
            if (rate.matches()) {
              rates.add(Double.parseDouble(rate.group(1)));
            }
            if (rates.size() == seconds) {
              return rates;
            }
          }
          return null;
        });
  }

  /** A reader of a process's standard output. */
  @FunctionalInterface
  private interface OutputReader<T> {
    /** Returns null if the output has ended too early. */
    @Nullable T read(BufferedReader lines) throws IOException;
  }

  /** Starts a process, reads its standard output, and ends it. */
  private <T> T output(List<String> command, Duration bound, String wanted, OutputReader<T> reader)
      throws EngineFailure, InterruptedException {
    Processes.Child child = processes.start(command);
    try {
      return CompletableFuture.supplyAsync(
              () -> {
                try (BufferedReader lines = child.process().inputReader(StandardCharsets.UTF_8)) {
                  return Optional.ofNullable(reader.read(lines));
                } catch (IOException e) {
                  return Optional.<T>empty(); // same as if the process had closed its output
                }
              })
          .get(bound.toNanos(), TimeUnit.NANOSECONDS)
          .orElseThrow(() ->
              new EngineFailure(
                  "the process has ended before it got a " + wanted + child.lastWords()));
    } catch (TimeoutException e) {
      throw EngineFailure.late("no " + wanted + " within " + bound.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      processes.end(child);
    }
  }
}
