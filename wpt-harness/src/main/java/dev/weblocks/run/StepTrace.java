package dev.weblocks.run;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weblocks.embed.TraceEvent;
import dev.weblocks.embed.TraceListener;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes the steps of a user agent as JSON lines: {@code step} (from 1), {@code kind}, {@code
 * actor}, {@code detail}, as {@link TraceEvent} has them. Thread-safe; what happens after its end
 * is not written.
 */
public final class StepTrace implements TraceListener, AutoCloseable {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final Writer out;
  private long step;
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * A trace without steps.
   *
   * @param out is closed with it
   */
  public StepTrace(Writer out) {
    this.out = out;
  }

  @Override
  public synchronized void on(TraceEvent event) {
    if (closed || failure != null) {
      return;
    }
    step++;
    try {
      out.write(
          JSON.writeValueAsString(
              JSON.createObjectNode()
                  .put("step", step)
                  .put("kind", event.kind().name().toLowerCase(Locale.ROOT))
                  .put("actor", event.actor())
                  .put("detail", event.detail())));
      out.write('\n');
    } catch (IOException e) {
      failure = e; // the agents do not suffer from it
    }
  }

  /**
   * Ends the trace.
   *
   * @throws IOException if not all of it could be written
   */
  @Override
  public synchronized void close() throws IOException {
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
