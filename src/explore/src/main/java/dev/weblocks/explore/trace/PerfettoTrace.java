package dev.weblocks.explore.trace;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.explore.trace.Timeline.Arrow;
import dev.weblocks.explore.trace.Timeline.Lane;
import dev.weblocks.explore.trace.Timeline.Life;
import dev.weblocks.explore.trace.Timeline.Resource;
import dev.weblocks.explore.trace.Timeline.Turn;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceKind;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A writer of JSON in the Trace Event Format. Each lane of the {@link Timeline} is a process with
 * one thread. On that thread, turns are slices; steps that do not begin a turn, such as checkpoints
 * and changes of the lock state, are instants. Waiting for a lock and holding it are async slices
 * of the process that waits or holds. Flows begin at the turn that releases, steals or aborts. They
 * lead through the step of the lock task queue to the turn that receives the effect.
 *
 * <p>With some drivers, turns take no virtual time. Slices without a length are hard to see and
 * click, so they last almost a microsecond, or less if the next slice begins earlier.
 *
 * @see <a
 *     href="https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU">Trace
 *     Event Format</a>
 */
final class PerfettoTrace implements TraceWriter {

  private static final int THREAD = 1;
  private static final long SHORTEST_NANOS = 900;

  private record Mark(long nanos, Fields fields) {}

  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator to) throws IOException;
  }

  private final Writer out;
  private @Nullable JsonGenerator json;

  /** The process id of the first lane of the next recording. */
  private int firstProcess = 1;

  /** The last id given to an async slice or a flow; ids are unique in the file. */
  private long lastId;

  PerfettoTrace(Writer out) {
    this.out = out;
  }

  @Override
  public boolean takesRecordings() {
    return true;
  }

  private JsonGenerator json() throws IOException {
    JsonGenerator begun = json;
    if (begun == null) {
      begun =
          new JsonFactoryBuilder()
              .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
              .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
              .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
              .build()
              .createGenerator(out);
      json = begun;
      begun.writeStartObject();
      begun.writeStringField("displayTimeUnit", "ns");
      begun.writeArrayFieldStart("traceEvents");
    }
    return begun;
  }

  @Override
  public void recording(Recorded recorded) throws IOException {
    JsonGenerator to = json();
    Timeline timeline = new Timeline(recorded);
    for (Lane lane : timeline.allLanes()) {
      metadata(to, lane, "process_name", "name", timeline.label(lane));
      metadata(to, lane, "process_labels", "labels", labels(recorded));
      metadata(to, lane, "thread_name", "name", "turns");
      to.writeStartObject();
      head(to, "M", "process_sort_index", lane.number);
      to.writeObjectFieldStart("args");
      to.writeNumberField("sort_index", firstProcess + lane.number);
      to.writeEndObject();
      to.writeEndObject();
    }
    List<Mark> marks = new ArrayList<>();
    turns(timeline, marks);
    instants(timeline, marks);
    lives(timeline, marks);
    flows(timeline, marks);
    marks.sort(Comparator.comparingLong(Mark::nanos));
    for (Mark mark : marks) {
      to.writeStartObject();
      mark.fields().write(to);
      to.writeEndObject();
    }
    firstProcess += timeline.allLanes().size();
  }

  @Override
  public void end() throws IOException {
    JsonGenerator to = json();
    to.writeEndArray();
    to.writeEndObject();
    to.close();
    out.write('\n');
  }

  private static String labels(Recorded recorded) {
    return recorded.note().isEmpty()
        ? recorded.title()
        : recorded.title() + " (" + recorded.note() + ")";
  }

  private void metadata(JsonGenerator to, Lane lane, String name, String argument, String value)
      throws IOException {
    to.writeStartObject();
    head(to, "M", name, lane.number);
    to.writeObjectFieldStart("args");
    text(to, argument, value);
    to.writeEndObject();
    to.writeEndObject();
  }

  /** Writes the fields that every event has, except for its time. */
  private void head(JsonGenerator to, String phase, String name, int lane) throws IOException {
    to.writeStringField("ph", phase);
    text(to, "name", name);
    to.writeNumberField("pid", firstProcess + lane);
    to.writeNumberField("tid", THREAD);
  }

  private static void text(JsonGenerator to, String field, String value) throws IOException {
    to.writeStringField(field, HarmlessText.line(value));
  }

  private static void micros(JsonGenerator to, String field, long nanos) throws IOException {
    to.writeNumberField(field, BigDecimal.valueOf(nanos, 3));
  }

  private void turns(Timeline timeline, List<Mark> marks) {
    Map<Integer, Turn> last = new HashMap<>();
    for (Turn turn : timeline.turns) {
      Turn before = last.put(turn.lane(), turn);
      if (before != null) {
        turn(timeline, before, turn.begin(), marks);
      }
    }
    last.values().forEach(turn -> turn(timeline, turn, Long.MAX_VALUE, marks));
  }

  /** Adds the slice of a turn; {@code next} is the start of the lane's next turn in nanoseconds. */
  private void turn(Timeline timeline, Turn turn, long next, List<Mark> marks) {
    long length = Math.max(turn.end() - turn.begin(), SHORTEST_NANOS);
    long fitting = Math.min(length, next - turn.begin());
    TraceEvent event = timeline.events.get(turn.first());
    marks.add(
        new Mark(
            turn.begin(),
            to -> {
              head(to, "X", nameOf(event), turn.lane());
              to.writeStringField("cat", event.kind() == TraceKind.TASK ? "task" : "queue");
              micros(to, "ts", turn.begin());
              micros(to, "dur", fitting);
              arguments(to, event);
            }));
  }

  private static String nameOf(TraceEvent event) {
    TraceEvent.Lock lock = event.lock();
    if (lock == null) {
      return event.detail();
    }
    String action = TraceWriter.word(lock.action()).replace('_', ' ');
    return lock.names().isEmpty() ? action : action + " " + quoted(lock.names());
  }

  /** Returns the names in quotes, such as {@code 'a', 'b'}. */
  private static String quoted(List<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }

  private static void arguments(JsonGenerator to, TraceEvent event) throws IOException {
    to.writeObjectFieldStart("args");
    to.writeNumberField("step", event.id());
    if (event.cause() != 0) {
      to.writeNumberField("cause", event.cause());
    }
    TraceEvent.Lock lock = event.lock();
    if (lock != null) {
      if (lock.requestId() != 0) {
        to.writeNumberField("request", lock.requestId());
      }
      if (lock.agent() != null) {
        text(to, "agent", lock.agent());
      }
      if (!lock.names().isEmpty()) {
        text(to, "lock", String.join(", ", lock.names()));
      }
      if (lock.mode() != null) {
        to.writeStringField("mode", TraceWriter.word(lock.mode()));
      }
      if (lock.logIndex() != null) {
        to.writeNumberField("log_index", lock.logIndex());
      }
    }
    if (event.spec() != null) {
      to.writeStringField("spec", event.spec().toString());
      to.writeStringField("link", event.spec().link());
    }
    text(to, "detail", event.detail());
    to.writeEndObject();
  }

  private void instants(Timeline timeline, List<Mark> marks) {
    for (int i = 0; i < timeline.events.size(); i++) {
      TraceEvent event = timeline.events.get(i);
      boolean isInstant =
          switch (event.kind()) {
            case CHECKPOINT, LOCK_CHANGE, LOCK_EFFECT, AGENT -> true;
            case TASK, LOCK_STEP, PARALLEL_STEP -> false;
          };
      if (isInstant) {
        int step = i;
        marks.add(
            new Mark(
                timeline.nanos(i),
                to -> {
                  head(to, "i", nameOf(event), timeline.laneOf(step));
                  to.writeStringField("cat", "step");
                  to.writeStringField("s", event.kind() == TraceKind.AGENT ? "p" : "t");
                  micros(to, "ts", timeline.nanos(step));
                  arguments(to, event);
                }));
      }
    }
  }

  private void lives(Timeline timeline, List<Mark> marks) {
    long last = timeline.lastNanos();
    List<Resource> resources = timeline.allResources();
    for (Life life : timeline.lives) {
      String lock = quoted(resources.get(life.resource).names());
      long id = ++lastId;
      if (life.queued >= 0 && (life.waited || life.granted < 0)) {
        int end = life.granted >= 0 ? life.granted : life.over;
        async(
            timeline,
            marks,
            life,
            id,
            "waits for " + lock,
            timeline.nanos(life.asked),
            end < 0 ? last : timeline.nanos(end),
            life.granted >= 0 ? "granted" : ending(life, "still waiting"));
      }
      if (life.granted >= 0) {
        async(
            timeline,
            marks,
            life,
            id,
            "holds " + lock,
            timeline.nanos(life.granted),
            life.over < 0 ? last : timeline.nanos(life.over),
            ending(life, "still held"));
      }
    }
  }

  private static String ending(Life life, String open) {
    return life.outcome == null ? open : TraceWriter.word(life.outcome).replace('_', ' ');
  }

  private void async(
      Timeline timeline,
      List<Mark> marks,
      Life life,
      long id,
      String name,
      long begin,
      long end,
      String ending) {
    String hex = "0x" + Long.toHexString(id);
    marks.add(
        lockMark(
            life,
            "b",
            hex,
            name,
            begin,
            to -> {
              to.writeNumberField("request", life.requestId);
              to.writeStringField("mode", TraceWriter.word(life.mode));
              to.writeStringField("wait", TraceWriter.word(life.wait));
              if (life.position != null) {
                text(to, "position", timeline.recorded.names().place(life.position));
              }
            }));
    marks.add(lockMark(life, "e", hex, name, end, to -> to.writeStringField("end", ending)));
  }

  private Mark lockMark(Life life, String phase, String id, String name, long time, Fields args) {
    return new Mark(
        time,
        to -> {
          head(to, phase, name, life.lane);
          to.writeStringField("cat", "lock");
          to.writeStringField("id", id);
          micros(to, "ts", time);
          to.writeObjectFieldStart("args");
          args.write(to);
          to.writeEndObject();
        });
  }

  private void flows(Timeline timeline, List<Mark> marks) {
    for (Arrow arrow : timeline.arrows) {
      // a release, steal, abort or forced release reaches the lock task queue as a step
      int step = arrow.from();
      while (step >= 0 && isOfLockStep(timeline.events.get(step).kind())) {
        step = timeline.cause(step);
      }
      int begin = timeline.taskOf(step);
      int end = timeline.taskAfter(arrow.to());
      List<Integer> way = new ArrayList<>();
      if (begin >= 0) {
        way.add(begin);
      }
      if (arrow.source() == Timeline.NONE) { // from a task, not from a request
        step = timeline.cause(arrow.to());
      }
      if (step >= 0 && timeline.events.get(step).kind() == TraceKind.LOCK_STEP) {
        way.add(step);
      }
      if (end >= 0) {
        way.add(end);
      }
      if (way.size() > 1) {
        flow(timeline, arrow, way, marks);
      }
    }
  }

  private static boolean isOfLockStep(TraceKind kind) {
    return kind == TraceKind.LOCK_CHANGE || kind == TraceKind.LOCK_EFFECT;
  }

  private void flow(Timeline timeline, Arrow arrow, List<Integer> way, List<Mark> marks) {
    String hex = "0x" + Long.toHexString(++lastId);
    String name = TraceWriter.word(arrow.type());
    for (int i = 0; i < way.size(); i++) {
      int step = way.get(i);
      String phase = i == 0 ? "s" : i == way.size() - 1 ? "f" : "t";
      marks.add(
          new Mark(
              timeline.nanos(step),
              to -> {
                head(to, phase, name, timeline.laneOf(step));
                to.writeStringField("cat", "flow");
                to.writeStringField("id", hex);
                micros(to, "ts", timeline.nanos(step));
                if (phase.equals("f")) {
                  to.writeStringField("bp", "e");
                }
              }));
    }
  }
}
