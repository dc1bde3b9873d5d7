package dev.weblocks.explore.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.weblocks.model.TraceEvent;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * A writer of JSON lines: an object for each step, in ASCII. Fields without a value are left out;
 * the README of the harness lists the fields.
 */
final class JsonLinesTrace implements TraceWriter {

  private static final JsonFactory JSON =
      new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final Writer out;

  JsonLinesTrace(Writer out) {
    this.out = out;
  }

  @Override
  public boolean takesRecordings() {
    return false;
  }

  @Override
  public void step(String title, TraceEvent step, long begin) throws IOException {
    StringWriter text = new StringWriter(); // a failing disk gets no part of a line
    try (JsonGenerator line = JSON.createGenerator(text)) {
      line.writeStartObject();
      write(line, title, step, begin);
      line.writeEndObject();
    }
    out.write(text.append('\n').toString());
  }

  private static void write(JsonGenerator line, String title, TraceEvent step, long begin)
      throws IOException {
    line.writeStringField("recording", title);
    line.writeNumberField("step", step.id());
    line.writeStringField("kind", TraceWriter.word(step.kind()));
    line.writeStringField("actor", step.actor());
    line.writeNumberField("time", step.time().toNanos() - begin);
    if (step.cause() != 0) {
      line.writeNumberField("cause", step.cause());
    }
    TraceEvent.Lock lock = step.lock();
    if (lock != null) {
      write(line, lock);
    }
    TraceEvent.Spec spec = step.spec();
    if (spec != null) {
      line.writeStringField("section", spec.section());
      line.writeStringField("algorithm", spec.algorithm());
      line.writeStringField("algorithm_step", spec.step());
      line.writeStringField("link", spec.link());
    }
    line.writeStringField("detail", step.detail());
  }

  private static void write(JsonGenerator line, TraceEvent.Lock lock) throws IOException {
    line.writeStringField("action", TraceWriter.word(lock.action()));
    write(line, "agent", lock.agent());
    write(line, "client", lock.clientId());
    write(line, "url", lock.url());
    if (lock.requestId() != 0) {
      line.writeNumberField("request", lock.requestId());
    }
    write(line, "manager", lock.manager());
    write(line, "lock", lock.name());
    if (lock.names().size() > 1) {
      line.writeArrayFieldStart("locks");
      for (String name : lock.names()) {
        line.writeString(name);
      }
      line.writeEndArray();
    }
    write(line, "mode", lock.mode() == null ? null : TraceWriter.word(lock.mode()));
    write(line, "wait", lock.waitMode() == null ? null : TraceWriter.word(lock.waitMode()));
    write(line, "position", lock.position());
    if (lock.clientEnded()) {
      line.writeBooleanField("client_ended", true);
    }
    if (lock.logIndex() != null) {
      line.writeNumberField("log_index", lock.logIndex());
    }
  }

  private static void write(JsonGenerator line, String field, @Nullable String value)
      throws IOException {
    if (value != null) {
      line.writeStringField(field, value);
    }
  }
}
