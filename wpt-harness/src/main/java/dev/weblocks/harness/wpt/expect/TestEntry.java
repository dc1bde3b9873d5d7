package dev.weblocks.harness.wpt.expect;

import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The expectations for a test that differ from success.
 *
 * @param subtests by name, in the order of the file
 */
record TestEntry(Optional<Entry<HarnessStatus>> whole, Map<String, Entry<SubtestStatus>> subtests) {

  static final TestEntry NOTHING = new TestEntry(Optional.empty(), Map.of());

  TestEntry {
    subtests = Collections.unmodifiableMap(new LinkedHashMap<>(subtests));
  }

  boolean isEmpty() {
    return whole.isEmpty() && subtests.isEmpty();
  }

  Stream<Entry<?>> entries() {
    return Stream.concat(whole.stream(), subtests.values().stream());
  }
}
