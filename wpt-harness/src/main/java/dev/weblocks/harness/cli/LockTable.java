package dev.weblocks.harness.cli;

import dev.weblocks.embed.WaitForGraph;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.wpt.report.Columns;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A table of the holders of locks, the waiting requests, the wait-for relation and its cycles. */
final class LockTable {

  /** The maximum length of a name in UTF-16 code units; longer names are truncated. */
  private static final int LONGEST = 200;

  private record Party(String clientId, String label) {}

  private final List<LockEntry> entries;
  private final Function<LockEntry, String> labels;
  private final UnaryOperator<String> positions;
  private final boolean atRest;

  /**
   * Creates a table.
   *
   * @param entries as returned by {@code UserAgent.locks()}
   * @param labels returns the display name of the client of an entry
   * @param positions returns the display name of a place in a script
   * @param atRest whether all agents are idle, so that a cycle is a deadlock
   */
  LockTable(
      List<LockEntry> entries,
      Function<LockEntry, String> labels,
      UnaryOperator<String> positions,
      boolean atRest) {
    this.entries = entries;
    this.labels = labels;
    this.positions = positions;
    this.atRest = atRest;
  }

  /** Returns a table of locks of a run, with display names of agents and of places in scripts. */
  static LockTable of(ScriptRun run, List<LockEntry> locks, boolean atRest) {
    return new LockTable(
        locks, entry -> run.label(entry.agent(), entry.url()), run::withNames, atRest);
  }

  /** Returns the table of a user agent, without display names; empty if there are no locks. */
  static String text(List<LockEntry> entries) {
    return new LockTable(entries, LockEntry::agent, position -> position, /* atRest= */ false)
        .text();
  }

  /** Returns all lines, without a line end after the last; empty if there are no locks. */
  String text() {
    if (entries.isEmpty()) {
      return "";
    }
    Map<String, List<LockEntry>> byManager = new LinkedHashMap<>();
    entries.forEach(
        entry -> byManager.computeIfAbsent(entry.manager(), key -> new ArrayList<>()).add(entry));
    boolean headings =
        byManager.size() > 1
            || entries.stream().anyMatch(entry -> !entry.bucket().equals("default"));
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "MODE", "STATE", "HOLDER/WAITER", "SINCE", "POSITION"));
    byManager
        .values()
        .forEach(ofManager -> {
          if (headings) {
            LockEntry first = ofManager.getFirst();
            rows.add(List.of(first.origin() + ", bucket " + first.bucket() + ":"));
          }
          ofManager.forEach(entry -> rows.add(row(entry)));
        });
    List<String> lines = Columns.aligned(rows, rows.getFirst().size());
    lines.addAll(waits());
    return String.join("\n", lines);
  }

  private List<String> row(LockEntry entry) {
    String position = entry.position();
    return List.of(
        printable(entry.name()),
        entry.mode().name().toLowerCase(Locale.ROOT),
        entry.isHeld() ? "held" : "waits, " + ordinal(entry.place()),
        printable(labels.apply(entry)),
        ago(entry.age()),
        position == null ? "-" : printable(positions.apply(position)));
  }

  private static String ordinal(int place) {
    return place == 1 ? "next" : "no. " + place;
  }

  private static String ago(Duration time) {
    double seconds = time.toNanos() / 1e9;
    if (seconds < 60) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    return time.toHours() > 0
        ? time.toHours() + " h " + time.toMinutesPart() + " min"
        : time.toMinutes() + " min " + time.toSecondsPart() + " s";
  }

  /** Returns a name on one line, escaped and truncated for a table; {@code ''} if it is empty. */
  private static String printable(String text) {
    if (text.length() <= LONGEST) {
      return text.isEmpty() ? "''" : HarmlessText.line(text);
    }
    return HarmlessText.line(text.substring(0, LONGEST)) + "… (" + text.length() + " characters)";
  }

  /** Returns a line about a late request; {@code clock} is the name of the clock of its age. */
  String late(LockEntry request, String clock) {
    String position = request.position();
    return printable(labels.apply(request))
        + " has waited "
        + ago(request.age())
        + " of "
        + clock
        + " for lock "
        + printable(request.name())
        + (position == null ? "" : ", at " + printable(positions.apply(position)));
  }

  private Party party(LockEntry entry) {
    return new Party(entry.clientId(), printable(labels.apply(entry)));
  }

  private List<String> waits() {
    WaitForGraph graph = WaitForGraph.of(entries);
    Map<LockEntry, Set<String>> inTheWay = new LinkedHashMap<>();
    for (WaitForGraph.Wait wait : graph.waits()) {
      inTheWay.computeIfAbsent(wait.request(), request -> new LinkedHashSet<>()).add(name(wait));
    }
    List<String> lines = new ArrayList<>();
    inTheWay.forEach((request, others) ->
        lines.add(
            party(request).label()
                + " waits for "
                + String.join(", ", others)
                + " (lock "
                + printable(request.name())
                + ")"));
    for (List<WaitForGraph.Wait> cycle : graph.cycles()) {
      lines.add(
          (atRest ? "deadlock: " : "cycle: ")
              + described(cycle.stream().map(wait -> party(wait.request())).toList()));
    }
    return lines;
  }

  /**
   * Returns a phrase for the lock or earlier request that a request waits for: its client's label.
   * For the same client, the phrase is "itself" for a lock, "its own earlier request" otherwise.
   */
  private String name(WaitForGraph.Wait wait) {
    return wait.isForItself() && !wait.obstacle().isHeld()
        ? "its own earlier request"
        : nameOf(party(wait.request()), party(wait.obstacle()));
  }

  private static String nameOf(Party self, Party other) {
    return self.equals(other) ? "itself" : other.label();
  }

  private static String described(List<Party> cycle) {
    StringBuilder text = new StringBuilder(cycle.getFirst().label());
    for (int i = 1; i <= cycle.size(); i++) {
      text.append(i == 1 ? " waits for " : ", which waits for ")
          .append(nameOf(cycle.get(i - 1), cycle.get(i % cycle.size())));
    }
    return text.toString();
  }
}
