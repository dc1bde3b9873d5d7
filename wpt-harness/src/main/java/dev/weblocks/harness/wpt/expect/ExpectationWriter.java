package dev.weblocks.harness.wpt.expect;

import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestResult;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WholeFile;
import dev.weblocks.harness.wpt.WptTest;
import dev.weblocks.harness.wpt.expect.Expectations.MalformedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A writer that updates a directory of expectations to match results. An entry that still holds
 * keeps its reason. An entry is removed if its test or subtest passes, or no longer exists. A new
 * entry has no reason, and {@link Expectations#load} refuses the file until one is added.
 */
public final class ExpectationWriter {

  /**
   * The result of an update.
   *
   * @param changes sorted by file
   * @param open number of missing reasons by file, for the files of tests that have results
   * @param unusedReasons names of reasons that no entry uses any more
   */
  public record Outcome(List<Change> changes, Map<Path, Integer> open, List<String> unusedReasons) {
    public Outcome {
      changes = List.copyOf(changes);
      unusedReasons = List.copyOf(unusedReasons);
    }
  }

  /**
   * A file that was written, or removed because it was empty.
   *
   * @param added number of new entries
   * @param removed number of removed entries; a changed entry counts as added and removed
   */
  public record Change(Path file, int added, int removed) {}

  /** The key of an entry in a file; the subtest is null for a test as a whole. */
  private record Key(String id, @Nullable String subtest) {}

  private final Path directory;
  private final Reasons reasons;
  private final SourceTests tests;
  private final List<Change> changes = new ArrayList<>();
  private final Map<Path, Integer> open = new TreeMap<>();

  private ExpectationWriter(Path directory, Reasons reasons, SourceTests tests) {
    this.directory = directory;
    this.reasons = reasons;
    this.tests = tests;
  }

  /**
   * Checks before a run that {@link #write} can write to a directory.
   *
   * @throws MalformedException if it cannot
   */
  public static void requireWritable(Path directory) throws MalformedException {
    Path there = directory.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    if (Files.isDirectory(there) && !Files.isWritable(there)) {
      throw new MalformedException(there + " is not writable");
    }
  }

  /**
   * Writes expectations from results; those of other tests stay. Each file is replaced atomically,
   * so a run that is killed meanwhile leaves each file old or new; a repetition writes the rest.
   *
   * @param directory created if there are expectations to write
   * @param results may contain several of one test; different statuses become FLAKY
   */
  public static Outcome write(Path directory, List<TestResult> results, SourceTests tests)
      throws IOException, MalformedException {
    Map<String, Map<String, List<TestResult>>> bySource = new TreeMap<>();
    for (TestResult result : results) {
      bySource
          .computeIfAbsent(result.test().source(), source -> new TreeMap<>())
          .computeIfAbsent(result.test().id(), id -> new ArrayList<>())
          .add(result);
    }
    ExpectationWriter writer = new ExpectationWriter(directory, Reasons.read(directory), tests);
    for (Map.Entry<String, Map<String, List<TestResult>>> entry : bySource.entrySet()) {
      writer.write(entry.getKey(), entry.getValue());
    }
    return new Outcome(
        writer.changes, writer.open, Expectations.loadDrafts(directory).unusedReasons());
  }

  private void write(String source, Map<String, List<TestResult>> results)
      throws IOException, MalformedException {
    ExpectationFile file = ExpectationFile.readOrEmpty(directory, source, reasons);
    Map<String, TestEntry> after = updated(file, results);
    long openNow =
        after.values().stream().flatMap(TestEntry::entries).filter(Entry::isOpen).count();
    if (openNow > 0) {
      open.put(file.path(), (int) openNow);
    }
    if (after.equals(file.tests())) {
      WholeFile.removeLeftOver(file.path());
      return;
    }
    if (after.isEmpty()) {
      Files.delete(file.path());
    } else {
      Files.createDirectories(file.path().getParent());
      WholeFile.save(file.path(), ExpectationText.of(after));
    }
    Map<Key, Object> old = flat(file.tests());
    Map<Key, Object> now = flat(after);
    changes.add(new Change(file.path(), without(now, old), without(old, now)));
  }

  private static int without(Map<Key, Object> some, Map<Key, Object> others) {
    return (int)
        some.entrySet().stream()
            .filter(entry -> !entry.getValue().equals(others.get(entry.getKey())))
            .count();
  }

  private static Map<Key, Object> flat(Map<String, TestEntry> tests) {
    Map<Key, Object> entries = new HashMap<>();
    tests.forEach((id, test) -> {
      test.whole().ifPresent(whole -> entries.put(new Key(id, null), whole));
      test.subtests().forEach((name, entry) -> entries.put(new Key(id, name), entry));
      if (test.isEmpty()) {
        entries.put(new Key(id, null), test);
      }
    });
    return entries;
  }

  private Map<String, TestEntry> updated(
      ExpectationFile file, Map<String, List<TestResult>> results) throws IOException {
    Set<String> ids = new LinkedHashSet<>(); // of the tests that can run
    Set<String> others = new HashSet<>();
    for (WptTest test : tests.of(file.source())) {
      (test.supported() ? ids : others).add(test.id());
    }
    if (ids.isEmpty() && others.isEmpty()) { // tests of the source are unknown, so none is stale
      file.tests().keySet().stream()
          .filter(id -> !id.equals(ExpectationFile.ALL))
          .forEach(ids::add);
    }
    ids.addAll(results.keySet());

    Map<String, TestEntry> entries = new LinkedHashMap<>();
    for (String id : ids) {
      List<TestResult> own = results.get(id);
      entries.put(id, own == null ? file.of(id) : updated(file.of(id), own));
    }
    Optional<TestEntry> all = all(file, entries);
    List<String> order = new ArrayList<>(file.tests().keySet());
    if (!order.contains(ExpectationFile.ALL)) {
      order.addFirst(ExpectationFile.ALL);
    }
    ids.stream().filter(id -> !file.tests().containsKey(id)).forEach(order::add);
    Map<String, TestEntry> after = new LinkedHashMap<>();
    for (String id : order) {
      if (id.equals(ExpectationFile.ALL)) {
        all.ifPresent(entry -> after.put(id, entry));
      } else if (others.contains(id)) {
        after.put(id, file.of(id));
      } else if (ids.contains(id)) {
        TestEntry entry = Objects.requireNonNull(entries.get(id));
        if (!entry.equals(all.orElse(TestEntry.NOTHING))) {
          after.put(id, entry);
        }
      }
    }
    return after;
  }

  /**
   * Returns the new entry for {@code *}; empty if there is to be none. If several tests all have
   * the same entry, it is that entry. Otherwise, an existing entry for {@code *} stays if at least
   * one test without an entry of its own in the file still has it. If none has, the most frequent
   * entry of these tests replaces it, provided that at least two of them have that entry.
   */
  private static Optional<TestEntry> all(ExpectationFile file, Map<String, TestEntry> entries) {
    Set<TestEntry> different = new HashSet<>(entries.values());
    if (different.size() == 1 && entries.size() > 1) {
      return different.stream().filter(entry -> !entry.isEmpty()).findFirst();
    }
    TestEntry old = file.tests().get(ExpectationFile.ALL);
    if (old == null) {
      return Optional.empty();
    }
    Map<TestEntry, Integer> votes = new LinkedHashMap<>();
    entries.forEach((id, entry) -> {
      if (!file.tests().containsKey(id) && !entry.isEmpty()) {
        votes.merge(entry, 1, Integer::sum);
      }
    });
    if (votes.containsKey(old)) {
      return Optional.of(old);
    }
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() > 1)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey);
  }

  private static TestEntry updated(TestEntry before, List<TestResult> results) {
    EnumSet<HarnessStatus> whole = EnumSet.noneOf(HarnessStatus.class);
    Map<String, EnumSet<SubtestStatus>> seen = new LinkedHashMap<>();
    for (TestResult result : results) {
      whole.add(result.status());
      for (SubtestResult subtest : result.subtests()) {
        seen.computeIfAbsent(subtest.name(), name -> EnumSet.noneOf(SubtestStatus.class))
            .add(subtest.status());
      }
    }
    // Existing entries keep their order, so that a diff shows only changes.
    Set<String> order = new LinkedHashSet<>(before.subtests().keySet());
    order.retainAll(seen.keySet());
    order.addAll(seen.keySet());
    Map<String, Entry<SubtestStatus>> subtests = new LinkedHashMap<>();
    for (String name : order) {
      updated(
              Optional.ofNullable(before.subtests().get(name)),
              Objects.requireNonNull(seen.get(name)),
              SubtestStatus.PASS)
          .ifPresent(entry -> subtests.put(name, entry));
    }
    return new TestEntry(
        updated(before.whole(), whole, results.getFirst().test().kind().success()), subtests);
  }

  private static <S extends Enum<S>> Optional<Entry<S>> updated(
      Optional<Entry<S>> before, EnumSet<S> seen, S success) {
    if (before.isPresent()) {
      Entry<S> entry = before.get();
      boolean holds =
          entry.isFlaky()
              ? entry.statuses().containsAll(seen)
              : entry.isSkip() || seen.equals(EnumSet.copyOf(entry.statuses()));
      if (holds) {
        return before;
      }
      if (entry.isFlaky()) {
        EnumSet<S> union = EnumSet.copyOf(entry.statuses());
        union.addAll(seen);
        return Optional.of(Entry.open(List.copyOf(union)));
      }
    }
    return seen.size() == 1 && seen.contains(success)
        ? Optional.empty()
        : Optional.of(Entry.open(List.copyOf(seen)));
  }
}
