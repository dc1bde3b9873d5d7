package dev.weblocks.harness.cluster;

import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A {@link ClusterAgent} in a process of its own, as the process that started it sees it. */
final class AgentProcess {

  private final Processes.Child child;
  private final Writer input;
  private final Thread reader;

  // guarded by this
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  /**
   * Takes a process that runs a {@link ClusterAgent}.
   *
   * @param listener gets each line of its output, on a thread of its own
   */
  AgentProcess(Processes.Child child, Consumer<String> listener) {
    this.child = child;
    this.input = child.process().outputWriter(StandardCharsets.UTF_8);
    this.reader =
        Thread.ofPlatform().daemon().name("weblocks-agent-output").start(() -> read(listener));
  }

  private void read(Consumer<String> listener) {
    try (BufferedReader output = child.process().inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        listener.accept(line);
        synchronized (this) {
          lines.add(line);
          notifyAll();
        }
      }
    } catch (IOException killed) {
      // the end of the output
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }

  /** Returns the process. */
  Processes.Child child() {
    return child;
  }

  /** Sends a line. */
  void send(String line) throws EngineFailure {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException gone) {
      throw new EngineFailure("an agent has ended" + child.lastWords());
    }
  }

  /** Sends a script, whose end is reported by a line {@code done}. */
  void evaluate(String code) throws EngineFailure {
    send("eval " + Base64.getEncoder().encodeToString(code.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns and removes the lines so far. */
  synchronized List<String> takeLines() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  /** Waits for a line, and removes it together with those before it. */
  synchronized String await(Predicate<String> expected, Duration limit)
      throws EngineFailure, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    String found = null;
    while (found == null) {
      found = take(expected);
      long left = deadline - System.nanoTime();
      if (found == null && (ended || left <= 0)) {
        throw new EngineFailure(
            "an agent " + (ended ? "has ended" : "does not answer") + child.lastWords());
      }
      if (found == null) {
        wait(Math.max(1, left / 1_000_000));
      }
    }
    return found;
  }

  private @Nullable String take(Predicate<String> expected) {
    for (int i = 0; i < lines.size(); i++) {
      if (expected.test(lines.get(i))) {
        String line = lines.get(i);
        lines.subList(0, i + 1).clear();
        return line;
      }
    }
    return null;
  }

  /** Waits until all output of the process that has ended was read. */
  void awaitEnd() throws InterruptedException {
    reader.join();
  }
}
