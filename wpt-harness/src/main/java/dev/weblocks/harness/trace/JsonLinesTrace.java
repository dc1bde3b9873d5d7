package dev.weblocks.harness.trace;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weblocks.embed.TraceEvent;
import java.io.IOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * A writer of JSON lines: an object for each step, in ASCII. Fields without a value are left out;
 * the README of the harness lists the fields.
 */
final class JsonLinesTrace implements TraceWriter {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

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
    ObjectNode line = JSON.createObjectNode();
    line.put("recording", title);
    line.put("step", step.id());
    line.put("kind", TraceWriter.word(step.kind()));
    line.put("actor", step.actor());
    line.put("time", step.time().toNanos() - begin);
    if (step.cause() != 0) {
      line.put("cause", step.cause());
    }
    if (step.lock() != null) {
      put(line, step.lock());
    }
    if (step.spec() != null) {
      line.put("section", step.spec().section());
      line.put("algorithm", step.spec().algorithm());
      line.put("algorithm_step", step.spec().step());
      line.put("link", step.spec().link());
    }
    line.put("detail", step.detail());
    out.write(JSON.writeValueAsString(line));
    out.write('\n');
  }

  private static void put(ObjectNode line, TraceEvent.Lock lock) {
    line.put("action", TraceWriter.word(lock.action()));
    put(line, "agent", lock.agent());
    put(line, "client", lock.clientId());
    put(line, "url", lock.url());
    if (lock.requestId() != 0) {
      line.put("request", lock.requestId());
    }
    put(line, "manager", lock.manager());
    put(line, "lock", lock.name());
    if (lock.names().size() > 1) {
      lock.names().forEach(line.putArray("locks")::add);
    }
    put(line, "mode", lock.mode() == null ? null : TraceWriter.word(lock.mode()));
    put(line, "wait", lock.waitMode() == null ? null : TraceWriter.word(lock.waitMode()));
    put(line, "position", lock.position());
    if (lock.clientEnded()) {
      line.put("client_ended", true);
    }
    if (lock.logIndex() != null) {
      line.put("log_index", lock.logIndex());
    }
  }

  private static void put(ObjectNode line, String field, @Nullable String value) {
    if (value != null) {
      line.put(field, value);
    }
  }
}
