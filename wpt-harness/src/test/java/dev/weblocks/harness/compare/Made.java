package dev.weblocks.harness.compare;

import dev.weblocks.harness.compare.Results.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Made-up results for tests. */
final class Made {

  private Made() {}

  static Workload workload(String name) {
    return Workloads.ALL.stream().filter(each -> each.name().equals(name)).findAny().orElseThrow();
  }

  static Score measured(double median) {
    return new Score.Measured(new Figures(median, median / 2, median * 2, 3), 100, 100, true, "");
  }

  /** Creates a row of engine names and their scores, in turn. */
  static Row row(String workload, Object... scores) {
    Map<String, Score> all = new LinkedHashMap<>();
    for (int i = 0; i < scores.length; i += 2) {
      all.put(
          (String) scores[i],
          scores[i + 1] instanceof Score score
              ? score
              : measured(((Number) scores[i + 1]).doubleValue()));
    }
    return new Row(workload(workload), all);
  }

  static Results results(Row... rows) {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put(Engine.OWN_JIT, "1.0");
    versions.put(Engine.OWN_INTERPRETER, "1.0");
    versions.put("node", "26");
    versions.put("deno", "2");
    return new Results(
        versions,
        List.of(new Engines.LeftOut("chromium", "it is not installed")),
        List.of(rows),
        false,
        3,
        true);
  }

  /** Creates results of rates and costs, with a failure, a reduced round and missing scores. */
  static Results mixed() {
    return results(
        row("sequential", "weblocks-jit", 300_000, "weblocks", 50_000, "node", 200_000, "deno", 90),
        row(
            "query",
            "weblocks-jit",
            0.5,
            "weblocks",
            new Score.Measured(new Figures(4, 4, 4, 1), 1000, 10_000, true, "slow"),
            "node",
            new Score.Failed("Error: <no> & \"never\""),
            "deno",
            0.25),
        row("growth", "weblocks-jit", 1.1));
  }
}
