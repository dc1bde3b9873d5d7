package dev.weblocks.harness.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.weblocks.embed.TraceEvent;
import dev.weblocks.harness.trace.Timeline.Arrow;
import dev.weblocks.harness.trace.Timeline.Lane;
import dev.weblocks.harness.trace.Timeline.Life;
import dev.weblocks.harness.trace.Timeline.Resource;
import dev.weblocks.harness.trace.Timeline.Turn;
import dev.weblocks.harness.trace.Timeline.Waiting;
import dev.weblocks.harness.wpt.report.Visible;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A self-contained page with a timeline. Each recording is a JSON block in the page; the page's
 * script draws the visible part of it. Text from page scripts occurs only in that JSON, where every
 * character that is special to the HTML parser is escaped. As a second guard, the page's Content
 * Security Policy allows no script but its own.
 */
final class HtmlTrace implements TraceWriter {

  private static final String STYLE = "/dev/weblocks/harness/trace/timeline.css";
  private static final String SCRIPT = "/dev/weblocks/harness/trace/timeline.js";

  private static final class NoMarkup extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private final int[] codes = standardAsciiEscapesForJSON();

    NoMarkup() {
      for (char each : new char[] {'<', '>', '&', '\'', '/'}) {
        codes[each] = ESCAPE_STANDARD;
      }
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return codes.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int ch) {
      return null;
    }
  }

  private final Writer out;
  private final String script = resource(SCRIPT);
  private final JsonFactory factory =
      new JsonFactoryBuilder()
          .characterEscapes(new NoMarkup())
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();
  private boolean begun;

  HtmlTrace(Writer out) {
    this.out = out;
  }

  @Override
  public boolean takesWholes() {
    return true;
  }

  private void begin() throws IOException {
    if (begun) {
      return;
    }
    begun = true;
    out.write(
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none';\
         form-action 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Weblocks trace</title>
        <style>
        %s</style>
        </head>
        <body>
        <noscript>This page draws its timeline with a script, but scripts are disabled in this\
         browser.</noscript>
        """
            .formatted(hash(script), resource(STYLE)));
  }

  @Override
  public void recording(Recorded recorded) throws IOException {
    begin();
    out.write("<script type=\"application/json\" class=\"recording\">");
    JsonGenerator to = factory.createGenerator(out);
    write(to, new Timeline(recorded));
    to.close();
    out.write("</script>\n");
  }

  @Override
  public void end() throws IOException {
    begin();
    out.write("<script>" + script + "</script>\n</body>\n</html>\n");
  }

  private static void write(JsonGenerator to, Timeline timeline) throws IOException {
    to.writeStartObject();
    text(to, "title", timeline.recorded().title());
    text(to, "note", timeline.recorded().note());
    words(to, "kinds", TraceKind.values());
    words(to, "actions", LockAction.values());
    lanes(to, timeline);
    resources(to, timeline.allResources());
    Map<TraceEvent.Spec, Integer> specs = specs(to, timeline);
    lives(to, timeline);
    arrows(to, timeline);
    to.writeArrayFieldStart("turns");
    for (Turn turn : timeline.allTurns()) {
      to.writeStartArray();
      to.writeNumber(turn.lane());
      to.writeNumber(turn.first());
      to.writeNumber(turn.last());
      to.writeNumber(turn.end());
      to.writeNumber(turn.over() ? 1 : 0);
      to.writeEndArray();
    }
    to.writeEndArray();
    steps(to, timeline, specs);
    to.writeEndObject();
  }

  private static void text(JsonGenerator to, String field, String text) throws IOException {
    to.writeStringField(field, Visible.line(text));
  }

  private static void words(JsonGenerator to, String field, Enum<?>[] constants)
      throws IOException {
    to.writeArrayFieldStart(field);
    for (Enum<?> constant : constants) {
      to.writeString(word(constant));
    }
    to.writeEndArray();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void lanes(JsonGenerator to, Timeline timeline) throws IOException {
    to.writeArrayFieldStart("lanes");
    for (Lane lane : timeline.allLanes()) {
      to.writeStartObject();
      text(to, "name", timeline.label(lane));
      text(to, "actor", lane.actor);
      text(to, "url", lane.url);
      to.writeStringField("type", word(lane.type));
      to.writeNumberField("parent", lane.parent);
      to.writeNumberField("begun", lane.begun);
      to.writeNumberField("ended", lane.ended);
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  /**
   * Writes the names of the locks. If two lock managers have a lock of the same name, writes the
   * manager, too.
   */
  private static void resources(JsonGenerator to, List<Resource> resources) throws IOException {
    Map<String, Integer> managers = new LinkedHashMap<>();
    resources.forEach(each -> managers.merge(each.name(), 1, Integer::sum));
    to.writeArrayFieldStart("locks");
    for (Resource each : resources) {
      to.writeStartObject();
      text(to, "name", each.name());
      if (each.names().size() > 1) {
        to.writeNumberField("names", each.names().size());
      }
      if (managers.getOrDefault(each.name(), 1) > 1) {
        text(to, "manager", each.manager());
      }
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  private static Map<TraceEvent.Spec, Integer> specs(JsonGenerator to, Timeline timeline)
      throws IOException {
    Map<TraceEvent.Spec, Integer> specs = new LinkedHashMap<>();
    for (TraceEvent event : timeline.events()) {
      if (event.spec() != null) {
        specs.putIfAbsent(event.spec(), specs.size());
      }
    }
    to.writeArrayFieldStart("specs");
    for (TraceEvent.Spec spec : specs.keySet()) {
      to.writeStartObject();
      to.writeStringField("section", spec.section());
      to.writeStringField("algorithm", spec.algorithm());
      to.writeStringField("step", spec.step());
      to.writeStringField("link", spec.link());
      to.writeEndObject();
    }
    to.writeEndArray();
    return specs;
  }

  private static void lives(JsonGenerator to, Timeline timeline) throws IOException {
    to.writeArrayFieldStart("requests");
    for (Life life : timeline.allLives()) {
      to.writeStartObject();
      to.writeNumberField("lane", life.lane);
      to.writeNumberField("lock", life.resource);
      to.writeNumberField("id", life.requestId);
      to.writeStringField("mode", word(life.mode));
      to.writeStringField("wait", word(life.wait));
      to.writeNumberField("asked", life.asked);
      to.writeNumberField("queued", life.queued);
      to.writeNumberField("granted", life.granted);
      to.writeNumberField("over", life.over);
      to.writeBooleanField("waited", life.waited);
      if (life.outcome != null) {
        to.writeStringField("outcome", word(life.outcome));
      }
      if (life.clientEnded) {
        to.writeBooleanField("clientEnded", true);
      }
      if (life.clientId != null) {
        text(to, "client", life.clientId);
      }
      if (life.position != null) {
        text(to, "position", timeline.recorded().names().place(life.position));
      }
      to.writeArrayFieldStart("steps");
      for (int step : life.steps) {
        to.writeNumber(step);
      }
      to.writeEndArray();
      to.writeEndObject();
    }
    to.writeEndArray();
  }

  private static void arrows(JsonGenerator to, Timeline timeline) throws IOException {
    to.writeArrayFieldStart("arrows");
    for (Arrow arrow : timeline.allArrows()) {
      to.writeStartObject();
      to.writeStringField("type", word(arrow.type()));
      to.writeNumberField("from", arrow.from());
      to.writeNumberField("to", arrow.to());
      to.writeNumberField("source", arrow.source());
      to.writeNumberField("target", arrow.target());
      to.writeEndObject();
    }
    to.writeEndArray();
    to.writeArrayFieldStart("waits");
    for (Waiting wait : timeline.allWaits()) {
      pair(to, wait);
    }
    to.writeEndArray();
    to.writeArrayFieldStart("circles");
    for (List<Waiting> circle : timeline.allCircles()) {
      to.writeStartArray();
      for (Waiting wait : circle) {
        pair(to, wait);
      }
      to.writeEndArray();
    }
    to.writeEndArray();
  }

  private static void pair(JsonGenerator to, Waiting wait) throws IOException {
    to.writeStartArray();
    to.writeNumber(wait.waiter());
    to.writeNumber(wait.holder());
    to.writeEndArray();
  }

  /** Writes a column for each field, which is far shorter than an object for each step. */
  private static void steps(
      JsonGenerator to, Timeline timeline, Map<TraceEvent.Spec, Integer> specs) throws IOException {
    List<TraceEvent> events = timeline.events();
    int count = events.size();
    to.writeObjectFieldStart("steps");
    to.writeNumberField("count", count);
    column(to, "id", count, i -> events.get(i).id());
    column(to, "kind", count, i -> events.get(i).kind().ordinal());
    column(to, "lane", count, timeline::laneOf);
    column(to, "agent", count, timeline::agentOf);
    column(to, "time", count, timeline::nanos);
    column(to, "cause", count, timeline::cause);
    column(to, "request", count, timeline::lifeOf);
    column(
        to,
        "action",
        count,
        i -> {
          TraceEvent.Lock lock = events.get(i).lock();
          return lock == null ? -1 : lock.action().ordinal();
        });
    column(
        to,
        "spec",
        count,
        i -> {
          TraceEvent.Spec spec = events.get(i).spec();
          return spec == null ? -1 : specs.getOrDefault(spec, -1);
        });
    Map<String, Integer> texts = new LinkedHashMap<>();
    column(
        to, "text", count, i -> texts.computeIfAbsent(textOf(events.get(i)), any -> texts.size()));
    to.writeEndObject();
    to.writeArrayFieldStart("texts");
    for (String detail : texts.keySet()) {
      to.writeString(Visible.line(detail));
    }
    to.writeEndArray();
  }

  /**
   * Returns the text of a step. The fields of a request describe its steps already, so their text
   * is empty; a forced release has only names.
   */
  private static String textOf(TraceEvent event) {
    TraceEvent.Lock lock = event.lock();
    if (lock == null) {
      return event.detail();
    }
    return lock.action() == LockAction.FORCED ? String.join(", ", lock.names()) : "";
  }

  private static void column(JsonGenerator to, String field, int count, IntToLongFunction value)
      throws IOException {
    to.writeArrayFieldStart(field);
    for (int i = 0; i < count; i++) {
      to.writeNumber(value.applyAsLong(i));
    }
    to.writeEndArray();
  }

  private static String hash(String script) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM lacks SHA-256", e);
    }
  }

  private static String resource(String name) {
    try (InputStream resource = HtmlTrace.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name + " cannot be read", e);
    }
  }
}
