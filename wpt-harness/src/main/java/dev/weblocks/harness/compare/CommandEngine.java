package dev.weblocks.harness.compare;

import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An engine that is a command-line program. Its processes read commands as lines. */
final class CommandEngine implements Engine {

  static final String FIRST_LOCK =
      "navigator.locks.request('first', (lock) => console.log(lock.name))";

  private final String name;
  private final Processes processes;
  private final List<String> session;
  private final List<String> firstLock;

  /**
   * Creates an engine.
   *
   * @param session the command that starts a {@link LineSession}
   * @param firstLock a command that {@link #FIRST_LOCK} is appended to, as its last argument
   */
  CommandEngine(String name, Processes processes, List<String> session, List<String> firstLock) {
    this.name = name;
    this.processes = processes;
    this.session = List.copyOf(session);
    this.firstLock = List.copyOf(firstLock);
  }

  @Override
  public String name() {
    return name;
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
    Processes.Child child = processes.start(command);
    try {
      return CompletableFuture.supplyAsync(() -> awaitLine(child, start))
          .get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw EngineFailure.late("no lock within " + bound.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw new EngineFailure("the process has ended before it got a lock" + child.lastWords());
    } finally {
      processes.end(child);
    }
  }

  private static double awaitLine(Processes.Child child, long start) {
    try (BufferedReader out = child.process().inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      while (line != null) {
        if (line.equals("first")) {
          return (System.nanoTime() - start) / 1e6;
        }
        line = out.readLine();
      }
    } catch (IOException e) {
      // same as if the process had closed its output
    }
    throw new IllegalStateException("no line");
  }
}
