package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.explore.text.HarmlessText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A stored report of one shard of a run.
 *
 * @param shard null if the run was not divided
 * @param complete whether the run ended as planned
 * @param facts values that are equal in all shards of one run, by name
 */
record ShardReport(Path file, @Nullable Shard shard, boolean complete, Map<String, String> facts) {

  private String name() {
    return HarmlessText.line(file.toString());
  }

  /**
   * Checks that reports are those of all shards of one run.
   *
   * @throws CommandFailure if they are not; the message names the reports and the difference
   */
  static void requireWhole(List<ShardReport> reports) throws CommandFailure {
    for (ShardReport each : reports) {
      if (each.shard == null) {
        throw new CommandFailure(
            "the report %s is of a whole run; name reports of --shard or --this-chunk"
                .formatted(each.name()));
      }
      if (!each.complete) {
        throw new CommandFailure(
            "the run of the report %s was interrupted, or failed; shard %s is needed again"
                .formatted(each.name(), each.shard));
      }
    }
    ShardReport first = reports.getFirst();
    Set<Integer> missing = new TreeSet<>();
    int total = first.shard == null ? 0 : first.shard.total();
    for (int number = 1; number <= total; number++) {
      missing.add(number);
    }
    for (ShardReport each : reports) {
      Shard shard = each.shard;
      if (shard == null || shard.total() != total) {
        throw apart(first, each, "shard", String.valueOf(first.shard), String.valueOf(shard));
      }
      Set<String> names = new LinkedHashSet<>(first.facts.keySet());
      names.addAll(each.facts.keySet());
      for (String name : names) {
        String one = first.facts.getOrDefault(name, "none");
        String other = each.facts.getOrDefault(name, "none");
        if (!one.equals(other)) {
          throw apart(first, each, name, one, other);
        }
      }
      if (!missing.remove(shard.number())) {
        throw new CommandFailure(
            "%s and another report are of shard %s; name one of them"
                .formatted(each.name(), shard));
      }
    }
    if (!missing.isEmpty()) {
      List<String> shards = new ArrayList<>();
      missing.forEach(number -> shards.add(new Shard(number, total).toString()));
      throw new CommandFailure(
          "no report of shard " + String.join(", ", shards) + " is given; name it too");
    }
  }

  private static CommandFailure apart(
      ShardReport first, ShardReport second, String name, String one, String other) {
    return new CommandFailure(
        "the reports %s and %s do not belong together: %s is %s and %s"
            .formatted(
                first.name(),
                second.name(),
                HarmlessText.line(name),
                HarmlessText.line(one),
                HarmlessText.line(other)));
  }
}
