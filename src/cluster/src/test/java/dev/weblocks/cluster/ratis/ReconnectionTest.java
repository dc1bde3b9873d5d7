package dev.weblocks.cluster.ratis;

import static dev.weblocks.cluster.ratis.Reconnection.FIRST_NANOS;
import static dev.weblocks.cluster.ratis.Reconnection.MOST_NANOS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReconnectionTest {

  private static final long START = Long.MAX_VALUE - FIRST_NANOS; // the clock overflows
  private static final long TENTH = FIRST_NANOS / 10;

  private final Reconnection reconnection = new Reconnection();

  private List<Long> dueTimes(boolean hasLeader, long from, long to) {
    return LongStream.range(from, to)
        .filter(tenth -> reconnection.isDue(hasLeader, START + tenth * TENTH))
        .boxed()
        .toList();
  }

  @Test
  void is_not_due_while_a_member_leads() {
    assertEquals(List.of(), dueTimes(true, 0, 100));
  }

  @Test
  void is_due_ever_more_rarely_while_no_member_leads() {
    assertEquals(List.of(10L, 30L, 70L, 110L, 150L), dueTimes(false, 0, 160));
    assertEquals(MOST_NANOS, 40 * TENTH);
  }

  @Test
  void a_leader_in_between_starts_the_time_again() {
    assertEquals(List.of(10L, 30L), dueTimes(false, 0, 60));
    assertFalse(reconnection.isDue(true, START + 60 * TENTH));
    assertEquals(List.of(71L), dueTimes(false, 61, 80));
    assertTrue(reconnection.isDue(false, START + 91 * TENTH));
  }
}
