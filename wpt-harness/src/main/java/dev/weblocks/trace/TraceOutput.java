package dev.weblocks.trace;

import dev.weblocks.embed.TraceEvent;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file with what one or more user agents did, each of which is a recording with a title. Any
 * thread. A disk that fails hurts no agent: {@link #close()} tells of it.
 */
public final class TraceOutput implements AutoCloseable {

  private final Writer out;
  private final TraceWriter writer;

  // guarded by this
  private final Set<Recording> open = new LinkedHashSet<>();
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * An output without recordings.
   *
   * @param out is closed with it
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

  /** Begins a recording under the user agent's own names, with nothing else to say. */
  public Recording record(String title) {
    return record(title, "", Names.PLAIN);
  }

  /**
   * Begins a recording, of one user agent.
   *
   * @param title tells it from the others
   * @param note what else is to be said about it, such as the seed; may be empty
   * @param names are asked when the recording is over; JSON lines keep the user agent's own
   */
  public synchronized Recording record(String title, String note, Names names) {
    Recording recording = new Recording(this, title, note, names, writer.takesWholes());
    open.add(recording);
    return recording;
  }

  @FunctionalInterface
  private interface Writing {
    void write() throws IOException;
  }

  /** Writes nothing any more after a failure, so that what there is stays as it is. */
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
   * Ends all recordings that go on, and the file; what happens after that is not written. Does
   * nothing the second time.
   *
   * @throws IOException if not all of it could be written
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
