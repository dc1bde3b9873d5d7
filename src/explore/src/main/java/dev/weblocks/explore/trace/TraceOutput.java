package dev.weblocks.explore.trace;

import dev.weblocks.model.TraceEvent;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file with the actions of one or more user agents. Each user agent has a recording with a title.
 * Thread-safe. A failing disk does not affect the agents: {@link #close()} throws the exception.
 */
public final class TraceOutput implements AutoCloseable {

  private final Writer out;
  private final TraceWriter writer;

  // guarded by this
  private final Set<Recording> open = new LinkedHashSet<>();
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * Creates an output without recordings.
   *
   * @param out closed by {@link #close()}
   */
  public TraceOutput(TraceFormat format, Writer out) {
    this.out = out;
    this.writer =
        switch (format) {
          case JSON_LINES -> new JsonLinesTrace(out);
          case PERFETTO -> new PerfettoTrace(out);
          case HTML -> new HtmlTrace(out);
        };
  }

  /** Begins a recording that uses the user agent's own names and has no note. */
  public Recording record(String title) {
    return record(title, "", Names.PLAIN);
  }

  /**
   * Begins a recording of one user agent.
   *
   * @param title distinguishes the recording from others
   * @param note further information, such as the seed; may be empty
   * @param names called when the recording is over; JSON lines use the user agent's own names
   *     instead
   */
  public synchronized Recording record(String title, String note, Names names) {
    Recording recording = new Recording(this, title, note, names, writer.takesRecordings());
    open.add(recording);
    return recording;
  }

  @FunctionalInterface
  private interface Writing {
    void write() throws IOException;
  }

  /**
   * Runs a write to the file. After a failure nothing more is written, so that the part already
   * written stays intact.
   */
  private synchronized void write(Writing writing) {
    if (closed || failure != null) {
      return;
    }
    try {
      writing.write();
    } catch (IOException e) {
      failure = e;
    }
  }

  void step(Recording recording, TraceEvent step, long begin) {
    write(() -> writer.step(recording.title(), step, begin));
  }

  void over(Recording recording, @Nullable Recorded whole) {
    synchronized (this) {
      open.remove(recording);
    }
    if (whole != null) {
      write(() -> writer.recording(whole));
    }
  }

  /**
   * Ends all open recordings and closes the file; later events are dropped. Idempotent.
   *
   * @throws IOException if something could not be written
   */
  @Override
  public void close() throws IOException {
    List<Recording> rest;
    synchronized (this) {
      rest = new ArrayList<>(open);
    }
    rest.forEach(Recording::close);
    write(writer::end);
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      try (out) {
        if (failure != null) {
          throw failure;
        }
      }
    }
  }
}
