package dev.weblocks.xhr;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.dom.EventTarget;
import dev.weblocks.file.Blob;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The {@code FileReader} interface. All bytes of a blob are available at once, as one chunk.
 *
 * @see <a href="https://w3c.github.io/FileAPI/#dfn-filereader">File API</a>
 */
final class FileReader extends EventTarget {

  /** <a href="https://w3c.github.io/FileAPI/#filereader-state">state</a> */
  private enum State {
    EMPTY,
    LOADING,
    DONE
  }

  private State state = State.EMPTY;
  private @Nullable Object result;
  private @Nullable Value error;

  /** The read in progress; tasks of other reads do nothing. */
  private @Nullable Object reading;

  private FileReader(Realm realm) {
    super(realm);
  }

  /** <a href="https://w3c.github.io/FileAPI/#readOperation">read operation</a> */
  private void readOperation(String operation, PackagedData.Type type, Arguments args) {
    Blob blob = args.object(0, Blob.class);
    String encodingName =
        type == PackagedData.Type.TEXT && args.isPresent(1) ? args.string(1) : null;
    if (state == State.LOADING) { // 1
      throw ScriptException.dom(
          "InvalidStateError",
          "Failed to execute '"
              + operation
              + "' on 'FileReader': The object is already busy reading Blobs.");
    }
    state = State.LOADING; // 2
    result = null; // 3
    error = null; // 4
    Object current = new Object();
    reading = current;
    long size = blob.bytes().size();
    queue(current, operation, () -> ProgressEvents.fire(this, "loadstart", 0, size)); // 9.2
    if (size > 0) { // 9.4
      queue(current, operation, () -> ProgressEvents.fire(this, "progress", size, size));
    }
    queue(current, operation, () -> finish(blob, type, encodingName)); // 9.5
  }

  private void queue(Object current, String operation, Runnable steps) {
    realm()
        .queueTask(
            TaskSource.FILE_READING,
            "FileReader." + operation + "()",
            () -> {
              if (reading == current) {
                steps.run();
              }
            });
  }

  /** Runs step 9.5 of the read operation. */
  private void finish(Blob blob, PackagedData.Type type, @Nullable String encodingName) {
    long size = blob.bytes().size();
    reading = null;
    state = State.DONE; // 1
    try {
      result = PackagedData.packageData(realm(), blob, type, encodingName); // 2
      ProgressEvents.fire(this, "load", size, size); // 4
    } catch (ScriptException unreadable) { // 3
      error = binding().values().exception(unreadable);
      ProgressEvents.fire(this, "error", 0, size);
    }
    if (state != State.LOADING) { // 5
      ProgressEvents.fire(this, "loadend", size, size);
    }
  }

  /** <a href="https://w3c.github.io/FileAPI/#dfn-abort">abort()</a> */
  private void abort() {
    result = null; // 1
    if (state != State.LOADING) {
      return;
    }
    state = State.DONE; // 2
    reading = null; // 3, 4
    ProgressEvents.fire(this, "abort", 0, 0); // 5
    if (state != State.LOADING) { // 6
      ProgressEvents.fire(this, "loadend", 0, 0);
    }
  }

  static void define(Implementations implementations) {
    Implementations.Interface<FileReader> reader =
        implementations
            .implement("FileReader", FileReader.class)
            .constructor((realm, args) -> new FileReader(realm));
    PackagedData.OPERATIONS.forEach((operation, type) ->
        reader.action(operation, (self, args) -> self.readOperation(operation, type, args)));
    reader
        .action("abort", (self, args) -> self.abort())
        .getter("readyState", self -> self.state.ordinal())
        .getter("result", self -> self.result)
        .getter("error", self -> self.error);
  }
}
