package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class ResultJsonTest {

  private static JsonNode json(Results results) throws JsonProcessingException {
    return JsonMapper.builder().build().readTree(ResultJson.of(results));
  }

  @Test
  void each_workload_has_its_name_unit_results_and_ratio() throws JsonProcessingException {
    JsonNode workloads = json(Made.mixed()).get("workloads");

    assertEquals(3, workloads.size());
    JsonNode first = workloads.get(0);
    assertEquals("sequential", first.get("name").asText());
    assertEquals("locks/s", first.get("unit").asText());
    assertEquals("higher", first.get("better").asText());
    assertEquals("node", first.get("best").asText());
    assertEquals(1.5, first.get("ratioToBest").asDouble());
    assertEquals(0.25, first.get("interpreterRatioToBest").asDouble());
    JsonNode jit = first.get("results").get("weblocks-jit");
    assertEquals(300_000, jit.get("median").asDouble());
    assertEquals(150_000, jit.get("min").asDouble());
    assertEquals(600_000, jit.get("max").asDouble());
    assertEquals(3, jit.get("rounds").asInt());
    assertEquals(100, jit.get("size").asInt());
    assertFalse(jit.has("note"));
    JsonNode second = workloads.get(1);
    assertEquals("lower", second.get("better").asText());
    assertEquals(
        "Error: <no> & \"never\"", second.get("results").get("node").get("failed").asText());
    assertEquals(10_000, second.get("results").get("weblocks").get("wantedSize").asInt());
    assertEquals("slow", second.get("results").get("weblocks").get("note").asText());
    JsonNode third = workloads.get(2);
    assertTrue(third.get("ratioToBest").isNull());
    assertTrue(third.get("best").isNull());
    assertEquals(1, third.get("results").size());
  }

  @Test
  void json_describes_the_run_and_its_present_and_missing_engines() throws JsonProcessingException {
    JsonNode all = json(Made.mixed());

    assertFalse(all.get("quick").asBoolean());
    assertEquals(3, all.get("rounds").asInt());
    assertTrue(all.get("complete").asBoolean());
    assertEquals("node", all.get("engines").get(2).get("name").asText());
    assertEquals("26", all.get("engines").get(2).get("version").asText());
    assertEquals("chromium", all.get("leftOut").get(0).get("name").asText());
    assertEquals("it is not installed", all.get("leftOut").get(0).get("reason").asText());
  }
}
