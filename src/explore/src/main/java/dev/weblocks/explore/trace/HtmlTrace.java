package dev.weblocks.explore.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.explore.trace.Timeline.Resource;
import dev.weblocks.explore.trace.Timeline.Waiting;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import java.io.IOException;
import java.io.Writer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a self-contained page with a timeline. Each recording is a JSON block in the page;
 * the page's script draws the visible part of it. Text from the recorded scripts occurs only in
 * that JSON, where every character that is special to the HTML parser is escaped. As a second
 * guard, the page's Content Security Policy allows only the page's own script.
 */
final class HtmlTrace implements TraceWriter {

  private static final String STYLE = "/dev/weblocks/explore/trace/timeline.css";
  private static final String SCRIPT = "/dev/weblocks/explore/trace/timeline.js";

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
  private final String script = PageText.resource(HtmlTrace.class, SCRIPT);
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
  public boolean takesRecordings() {
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
            .formatted(PageText.hash(script), PageText.resource(HtmlTrace.class, STYLE)));
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
    text(to, "title", timeline.recorded.title());
    text(to, "note", timeline.recorded.note());
    words(to, "kinds", TraceKind.values());
    words(to, "actions", LockAction.values());
    lanes(to, timeline);
    resources(to, timeline.allResources());
    Map<TraceEvent.Spec, Integer> specs = specs(to, timeline);
    lives(to, timeline);
    arrows(to, timeline);
    array(
        to,
        "turns",
        timeline.turns,
        turn ->
            numbers(to, turn.lane(), turn.first(), turn.last(), turn.end(), turn.over() ? 1 : 0));
    steps(to, timeline, specs);
    to.writeEndObject();
  }

  private static void text(JsonGenerator to, String field, String text) throws IOException {
    to.writeStringField(field, HarmlessText.line(text));
  }

  private static void words(JsonGenerator to, String field, Enum<?>[] constants)
      throws IOException {
    array(to, field, List.of(constants), constant -> to.writeString(TraceWriter.word(constant)));
  }

  private static void lanes(JsonGenerator to, Timeline timeline) throws IOException {
    objects(
        to,
        "lanes",
        timeline.allLanes(),
        lane -> {
          text(to, "name", timeline.label(lane));
          text(to, "actor", lane.actor);
          text(to, "url", lane.url);
          to.writeStringField("type", TraceWriter.word(lane.type));
          to.writeNumberField("parent", lane.parent);
          to.writeNumberField("begun", lane.begun);
          to.writeNumberField("ended", lane.ended);
        });
  }

  /**
   * Writes the names of the locks. If two lock managers have a lock of the same name, writes the
   * manager, too.
   */
  private static void resources(JsonGenerator to, List<Resource> resources) throws IOException {
    Map<String, Integer> managers = new LinkedHashMap<>();
    resources.forEach(each -> managers.merge(each.name(), 1, Integer::sum));
    objects(
        to,
        "locks",
        resources,
        each -> {
          text(to, "name", each.name());
          if (each.names().size() > 1) {
            to.writeNumberField("names", each.names().size());
          }
          if (managers.getOrDefault(each.name(), 1) > 1) {
            text(to, "manager", each.manager());
          }
        });
  }

  private static Map<TraceEvent.Spec, Integer> specs(JsonGenerator to, Timeline timeline)
      throws IOException {
    Map<TraceEvent.Spec, Integer> specs = new LinkedHashMap<>();
    for (TraceEvent event : timeline.events) {
      if (event.spec() != null) {
        specs.putIfAbsent(event.spec(), specs.size());
      }
    }
    objects(
        to,
        "specs",
        specs.keySet(),
        spec -> {
          to.writeStringField("section", spec.section());
          to.writeStringField("algorithm", spec.algorithm());
          to.writeStringField("step", spec.step());
          to.writeStringField("link", spec.link());
        });
    return specs;
  }

  private static void lives(JsonGenerator to, Timeline timeline) throws IOException {
    objects(
        to,
        "requests",
        timeline.lives,
        life -> {
          to.writeNumberField("lane", life.lane);
          to.writeNumberField("lock", life.resource);
          to.writeNumberField("id", life.requestId);
          to.writeStringField("mode", TraceWriter.word(life.mode));
          to.writeStringField("wait", TraceWriter.word(life.wait));
          to.writeNumberField("asked", life.asked);
          to.writeNumberField("queued", life.queued);
          to.writeNumberField("granted", life.granted);
          to.writeNumberField("over", life.over);
          to.writeBooleanField("waited", life.waited);
          if (life.outcome != null) {
            to.writeStringField("outcome", TraceWriter.word(life.outcome));
          }
          if (life.clientEnded) {
            to.writeBooleanField("clientEnded", true);
          }
          if (life.clientId != null) {
            text(to, "client", life.clientId);
          }
          if (life.position != null) {
            text(to, "position", timeline.recorded.names().place(life.position));
          }
          array(to, "steps", life.steps, to::writeNumber);
        });
  }

  private static void arrows(JsonGenerator to, Timeline timeline) throws IOException {
    objects(
        to,
        "arrows",
        timeline.arrows,
        arrow -> {
          to.writeStringField("type", TraceWriter.word(arrow.type()));
          to.writeNumberField("from", arrow.from());
          to.writeNumberField("to", arrow.to());
          to.writeNumberField("source", arrow.source());
          to.writeNumberField("target", arrow.target());
        });
    array(to, "waits", timeline.waits, wait -> numbers(to, wait.waiter(), wait.holder()));
    array(
        to,
        "cycles",
        timeline.cycles,
        cycle -> {
          to.writeStartArray();
          for (Waiting wait : cycle) {
            numbers(to, wait.waiter(), wait.holder());
          }
          to.writeEndArray();
        });
  }

  /** Code that writes one element of an array. */
  @FunctionalInterface
  private interface Element<T> {
    void write(T value) throws IOException;
  }

  private static <T> void array(
      JsonGenerator to, String field, Collection<T> values, Element<T> element) throws IOException {
    to.writeArrayFieldStart(field);
    for (T value : values) {
      element.write(value);
    }
    to.writeEndArray();
  }

  private static <T> void objects(
      JsonGenerator to, String field, Collection<T> values, Element<T> fields) throws IOException {
    array(
        to,
        field,
        values,
        value -> {
          to.writeStartObject();
          fields.write(value);
          to.writeEndObject();
        });
  }

  private static void numbers(JsonGenerator to, long... numbers) throws IOException {
    to.writeArray(numbers, 0, numbers.length);
  }

  /** Writes the steps as one column for each field; objects would be far longer. */
  private static void steps(
      JsonGenerator to, Timeline timeline, Map<TraceEvent.Spec, Integer> specs) throws IOException {
    List<TraceEvent> events = timeline.events;
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
    column(to, "action", count, i -> action(events.get(i)));
    column(to, "spec", count, i -> specs.getOrDefault(events.get(i).spec(), -1));
    Map<String, Integer> texts = new LinkedHashMap<>();
    column(
        to, "text", count, i -> texts.computeIfAbsent(textOf(events.get(i)), any -> texts.size()));
    to.writeEndObject();
    array(to, "texts", texts.keySet(), detail -> to.writeString(HarmlessText.line(detail)));
  }

  private static int action(TraceEvent event) {
    return event.lock() == null ? -1 : event.lock().action().ordinal();
  }

  /**
   * Returns the text of a step. It is empty for steps of a request, which the fields of the request
   * describe. A forced release has no request; its text is the list of the released names.
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
}
