package dev.weblocks.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.bench.Baseline.BadBaselineException;
import dev.weblocks.bench.Baseline.Entry;
import dev.weblocks.bench.Baseline.Measured;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BaselineTest {

  private static final Baseline BASELINE =
      new Baseline(
          "VM 25",
          "-flag",
          new TreeMap<>(Map.of("Locks.steal", new Entry("Locks.plain", 2, 1.5, 100, 1.1))));

  private static List<String> worse(double ratio, double bytes) {
    return BASELINE.worse(Map.of("Locks.steal", new Measured("Locks.plain", ratio, bytes)));
  }

  private static String reason(String json) {
    String message =
        assertThrows(BadBaselineException.class, () -> Baseline.parse(json)).getMessage();
    assertEquals(1, message.lines().count(), message);
    return message;
  }

  @Test
  void written_baseline_is_read_back_equal() throws Exception {
    assertEquals(BASELINE, Baseline.parse(BASELINE.toJson()));
  }

  @Test
  void result_within_its_tolerances_is_not_worse() {
    assertEquals(List.of(), worse(2, 100));
    assertEquals(List.of(), worse(3, 110));
    assertEquals(List.of(), worse(0.1, 0));
  }

  @Test
  void fraction_of_an_object_per_operation_is_not_worse() {
    Baseline nothing =
        new Baseline("VM", "", new TreeMap<>(Map.of("a", new Entry("b", 1, 1, 0, 1))));
    assertEquals(List.of(), nothing.worse(Map.of("a", new Measured("b", 1, 0.7))));
    assertEquals(1, nothing.worse(Map.of("a", new Measured("b", 1, 8))).size());
  }

  @Test
  void more_bytes_are_worse() {
    assertEquals(
        List.of("Locks.steal: allocates 1,116.0 bytes, at most 114.0 (was 100.0)"), worse(2, 1116));
  }

  @Test
  void a_greater_ratio_is_worse() {
    assertEquals(
        List.of("Locks.steal: takes 3.100 times as long as Locks.plain, at most 3.000 (was 2.000)"),
        worse(3.1, 100));
  }

  @Test
  void more_bytes_and_greater_ratio_make_one_line() {
    List<String> lines = worse(4, 200);
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).contains("allocates") && lines.get(0).contains("takes"), lines.get(0));
  }

  @Test
  void not_a_number_is_worse() {
    assertEquals(1, worse(Double.NaN, 100).size());
    assertEquals(1, worse(2, Double.NaN).size());
  }

  @Test
  void an_update_takes_the_numbers_and_keeps_the_tolerances() {
    Baseline updated =
        Baseline.of(
            "VM 26",
            "-other",
            Map.of(
                "Locks.steal", new Measured("Locks.other", 3.14159, 99.96),
                "Locks.new", new Measured("Locks.plain", 0.00001, 0)),
            BASELINE);
    assertEquals("VM 26", updated.jvm());
    assertEquals("-other", updated.mode());
    assertEquals(
        Map.of(
            "Locks.steal", new Entry("Locks.other", 3.142, 1.5, 100, 1.1),
            "Locks.new",
                new Entry(
                    "Locks.plain",
                    0.001,
                    Baseline.NEW_RATIO_TOLERANCE,
                    0,
                    Baseline.NEW_BYTES_TOLERANCE)),
        updated.entries());
  }

  @Test
  void baseline_fits_only_its_own_jvm_flags_and_benchmarks() {
    Map<String, String> same = Map.of("Locks.steal", "Locks.plain");
    assertNull(BASELINE.misfit("VM 25", "-flag", same));
    assertEquals("it holds for VM 25, and this is VM 21", BASELINE.misfit("VM 21", "-flag", same));
    assertEquals(
        "it holds for -flag, and the flags are -other", BASELINE.misfit("VM 25", "-other", same));
    assertEquals(
        "it has Locks.steal, which is not measured", BASELINE.misfit("VM 25", "-flag", Map.of()));
    assertEquals(
        "it has no Locks.new",
        BASELINE.misfit(
            "VM 25", "-flag", Map.of("Locks.steal", "Locks.plain", "Locks.new", "Locks.plain")));
    assertEquals(
        "Locks.steal is compared with Locks.other, and there with Locks.plain",
        BASELINE.misfit("VM 25", "-flag", Map.of("Locks.steal", "Locks.other")));
  }

  @Test
  void unusable_text_is_reported_in_one_line() {
    String good = BASELINE.toJson();
    assertTrue(reason("").contains("No content"));
    assertTrue(reason("null").contains("null"));
    assertTrue(reason("[]").startsWith("line 1: "));
    assertTrue(reason(good + "{").contains("line"));
    assertTrue(reason(good.replace("\"jvm\"", "\"vm\"")).contains("vm"));
    assertTrue(reason(good.replace("\"VM 25\"", "null")).contains("jvm"));
    assertTrue(reason(good.replace("100.0", "\"many\"")).contains("many"));
    assertTrue(reason("{\"jvm\":\"a\",\"mode\":\"b\",\"entries\":{\"c\":null}}").contains("c"));
    assertTrue(reason(good.replace("\"bytes\" : 100.0,", "")).contains("bytes"));
    assertTrue(reason(good.replace("1.5", "0.5")).endsWith("ratioTolerance 0.5 is not 1 or more"));
    assertTrue(reason(good.replace("1.5", "0.5")).contains("Locks.steal"));
    assertTrue(reason(good.replace("100.0", "-1")).endsWith("bytes -1.0 is negative"));
    assertTrue(reason(good.replace("2.0", "0")).endsWith("ratio 0.0 is not above 0"));
    assertTrue(reason(good.replace("2.0", "\"NaN\"")).endsWith("ratio NaN is no number"));
  }
}
