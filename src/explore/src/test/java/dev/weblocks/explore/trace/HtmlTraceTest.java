package dev.weblocks.explore.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weblocks.model.LockAction;
import dev.weblocks.model.TraceEvent;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;

class HtmlTraceTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Returns the recordings of a page, as its script reads them. */
  private static List<JsonNode> recordings(String page) throws Exception {
    List<JsonNode> recordings = new ArrayList<>();
    for (Element script : Jsoup.parse(page).select("script.recording")) {
      recordings.add(JSON.readTree(script.data()));
    }
    return recordings;
  }

  @Test
  void page_is_self_contained() throws Exception {
    String page = TraceBed.written(TraceFormat.HTML, TraceBed.ALL_SORTS);
    Document document = Jsoup.parse(page);
    assertEquals(
        0,
        document
            .select("[src], [href], [srcset], [style], link, img, iframe, object, base")
            .size());
    String style = document.select("style").first().data();
    assertFalse(style.contains("@import") || style.contains("http"), style);
    assertEquals(
        style.split("url\\(", -1).length,
        style.split("url\\(#", -1).length,
        "pictures of the page itself alone");
    String script = document.select("script:not(.recording)").first().data();
    assertEquals(
        "'http://www.w3.org/2000/svg'", // a namespace, not a link
        script.replaceAll("(?s).*?('https?:[^']*').*", "$1"));
    assertEquals(2, script.split("https?:", -1).length);
    assertFalse(
        script.matches("(?s).*\\b(innerHTML|outerHTML|insertAdjacentHTML|eval|fetch)\\b.*"));
  }

  @Test
  void security_policy_of_the_page_allows_only_its_own_script() throws Exception {
    Document document = Jsoup.parse(TraceBed.written(TraceFormat.HTML, TraceBed.DEADLOCK));
    String policy =
        document.select("meta[http-equiv=Content-Security-Policy]").first().attr("content");
    String script = document.select("script:not(.recording)").first().data();
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
    assertTrue(policy.startsWith("default-src 'none';"), policy);
    assertTrue(
        policy.endsWith("script-src 'sha256-" + Base64.getEncoder().encodeToString(hash) + "'"),
        policy);
  }

  @Test
  void hostile_text_cannot_end_the_script_and_is_shown_with_escapes() throws Exception {
    String hostile = "</script><script>alert(1)</script><!-- <b a='\"&amp;";
    String page =
        TraceBed.written(
            TraceFormat.HTML,
            List.of(
                "navigator.locks.request(`"
                    + hostile.replace("/", "\\/")
                    + "\\u202e\\0`, () => {})"));
    Document document = Jsoup.parse(page);
    assertEquals(2, document.select("script").size());
    assertEquals(0, document.select("b").size());
    assertFalse(document.select("script.recording").first().data().matches("(?s).*[<>&'/].*"));
    assertEquals(
        hostile + "U+202eU+0000",
        recordings(page).getFirst().get("locks").get(0).get("name").asText());
  }

  @Test
  void steps_are_read_back_with_all_their_fields() throws Exception {
    JsonNode recording =
        recordings(TraceBed.written(TraceFormat.HTML, TraceBed.ALL_SORTS)).getFirst();
    List<TraceEvent> steps = TraceBed.steps(1, TraceBed.ALL_SORTS);
    JsonNode columns = recording.get("steps");
    assertEquals(steps.size(), columns.get("count").asInt());
    for (int i = 0; i < steps.size(); i++) {
      TraceEvent step = steps.get(i);
      assertEquals(step.id(), columns.get("id").get(i).asLong());
      assertEquals(
          step.kind().name().toLowerCase(Locale.ROOT),
          recording.get("kinds").get(columns.get("kind").get(i).asInt()).asText());
      assertEquals(
          step.actor(),
          recording.get("lanes").get(columns.get("lane").get(i).asInt()).get("actor").asText());
      assertEquals(step.cause() - 1, columns.get("cause").get(i).asLong());
      assertEquals(step.time().toNanos(), columns.get("time").get(i).asLong());
      int spec = columns.get("spec").get(i).asInt();
      assertEquals(step.spec() == null, spec < 0);
      if (step.spec() != null) {
        assertEquals(step.spec().link(), recording.get("specs").get(spec).get("link").asText());
        assertEquals(step.spec().step(), recording.get("specs").get(spec).get("step").asText());
      }
      int action = columns.get("action").get(i).asInt();
      assertEquals(step.lock() == null, action < 0);
      if (step.lock() == null) {
        assertEquals(
            step.detail(), recording.get("texts").get(columns.get("text").get(i).asInt()).asText());
      } else {
        assertEquals(step.lock().action(), LockAction.values()[action]);
      }
    }
  }

  @Test
  void each_recording_is_a_data_block_that_begins_with_its_title() throws Exception {
    StringWriter text = new StringWriter();
    try (TraceOutput output = new TraceOutput(TraceFormat.HTML, text)) {
      TraceBed.run(output.record("first \"title\""), 1, TraceBed.DEADLOCK);
      TraceBed.run(output.record("second", "seed 2", Names.PLAIN), 2, TraceBed.DEADLOCK);
    }
    List<JsonNode> recordings = recordings(text.toString());
    assertEquals(
        List.of("first \"title\"", "second"),
        recordings.stream().map(each -> each.get("title").asText()).toList());
    assertEquals("seed 2", recordings.getLast().get("note").asText());
    for (Element script : Jsoup.parse(text.toString()).select("script.recording")) {
      assertTrue(script.data().startsWith("{\"title\":\""), script.data().substring(0, 40));
    }
  }

  @Test
  void page_shows_the_cycle_and_all_waits_that_remain_at_the_end() throws Exception {
    JsonNode recording =
        recordings(TraceBed.written(TraceFormat.HTML, TraceBed.DEADLOCK)).getFirst();
    assertEquals(2, recording.get("waits").size());
    assertEquals(1, recording.get("cycles").size());
    assertEquals(2, recording.get("cycles").get(0).size());
  }

  @Test
  void agent_names_and_positions_are_mapped_to_display_names() throws Exception {
    StringWriter text = new StringWriter();
    Names names =
        new Names() {
          @Override
          public String agent(String agent, String url) {
            return agent + " of " + url;
          }

          @Override
          public String place(String place) {
            return place.replace("https://one.test/", "here/");
          }
        };
    try (TraceOutput output = new TraceOutput(TraceFormat.HTML, text)) {
      TraceBed.run(
          output.record("names", "", names), 1, List.of("navigator.locks.request('a', () => {})"));
    }
    JsonNode recording = recordings(text.toString()).getFirst();
    List<String> lanes = new ArrayList<>();
    recording.get("lanes").forEach(lane -> lanes.add(lane.get("name").asText()));
    assertTrue(lanes.contains("window-1 of https://one.test/0.html"), lanes::toString);
    assertTrue(lanes.contains("lock task queue"), lanes::toString);
    String position = recording.get("requests").get(0).get("position").asText();
    assertTrue(position.startsWith("here/0.html:1:"), position);
  }
}
