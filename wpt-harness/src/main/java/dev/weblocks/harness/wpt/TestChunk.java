package dev.weblocks.harness.wpt;

import dev.weblocks.explore.schedule.Shard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The division of tests into chunks, one for each machine. It depends on nothing but the tests, so
 * that all machines divide them alike.
 */
public final class TestChunk {

  private static final Comparator<WptTest> ORDER =
      Comparator.comparing(WptTest::supported)
          .thenComparing(WptTest::timeout)
          .reversed()
          .thenComparing(test -> test.id().hashCode()) // mixes the globals of .any.js files
          .thenComparing(WptTest::id);

  private TestChunk() {}

  /**
   * Returns a chunk, in the order of the tests. Two chunks differ by at most one in the number of
   * tests that are supported, and of those among them with a long timeout.
   */
  public static List<WptTest> of(List<WptTest> tests, Shard chunk) {
    List<WptTest> dealt = new ArrayList<>(tests);
    dealt.sort(ORDER);
    Set<WptTest> own = new HashSet<>();
    for (int i = 0; i < dealt.size(); i++) {
      if (chunk.has(i)) {
        own.add(dealt.get(i));
      }
    }
    return tests.stream().filter(own::contains).toList();
  }
}
