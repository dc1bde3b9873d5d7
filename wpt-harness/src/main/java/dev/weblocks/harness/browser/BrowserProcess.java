package dev.weblocks.harness.browser;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.harness.process.TemporaryDirectory;

/** A browser's process, with a profile of its own. */
abstract class BrowserProcess implements RemoteBrowser {

  final TemporaryDirectory profile;
  final Processes.Child child;
  final Listener listener;
  private final Processes processes;

  BrowserProcess(
      Processes processes, TemporaryDirectory profile, Processes.Child child, Listener listener) {
    this.processes = processes;
    this.profile = profile;
    this.child = child;
    this.listener = listener;
  }

  /** Connects with the process. To be called once, before other methods. */
  abstract void open() throws EngineFailure, InterruptedException;

  /** Returns the text of a value that a script returned to a protocol. */
  static String text(JsonNode value) throws EngineFailure {
    if (!value.isTextual()) {
      throw new EngineFailure("the page returned no text, but " + value);
    }
    return value.asText();
  }

  @Override
  public final long residentBytes() throws EngineFailure {
    return Processes.residentBytes(child);
  }

  @Override
  public final String lastWords() {
    return child.lastWords();
  }

  @Override
  public void close() {
    boolean interrupted = Thread.interrupted(); // else this would not wait for the processes
    processes.end(child);
    profile.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
