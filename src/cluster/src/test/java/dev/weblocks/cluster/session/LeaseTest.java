package dev.weblocks.cluster.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A lease while the time of day jumps. */
class LeaseTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final class Clocks implements ClusterTime {
    long nanos;
    long wall;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long wallMillis() {
      return wall;
    }

    @Override
    public void after(long delay, Runnable action) {
      throw new UnsupportedOperationException();
    }

    void pass(long seconds) {
      nanos += seconds * SECOND;
      wall += TimeUnit.SECONDS.toMillis(seconds);
    }
  }

  private final Clocks clocks = new Clocks();
  private final Lease lease = new Lease(clocks, 10 * SECOND);

  @Test
  void an_hour_forth_puts_the_lease_in_doubt_until_it_is_renewed() {
    lease.begin(clocks.nanos, clocks.wall);
    clocks.pass(1);
    clocks.wall += HOUR_MILLIS;
    assertFalse(lease.isOver());
    assertTrue(lease.isInDoubt());
    assertTrue(lease.renew(clocks.nanos, clocks.wall));
    assertFalse(lease.isInDoubt());
    assertEquals(9 * SECOND, lease.leftNanos());
  }

  @Test
  void an_hour_back_neither_ends_nor_extends_the_lease() {
    lease.begin(clocks.nanos, clocks.wall);
    clocks.wall -= HOUR_MILLIS;
    clocks.pass(8);
    assertFalse(lease.isInDoubt());
    assertFalse(lease.isOver());
    clocks.pass(1);
    assertTrue(lease.isOver());
  }

  @Test
  void a_lease_that_was_cut_begins_again_after_a_reset_only() {
    lease.begin(clocks.nanos, clocks.wall);
    clocks.pass(1);
    lease.cut("memory was exhausted");
    clocks.pass(1);
    assertFalse(lease.renew(clocks.nanos, clocks.wall));
    assertTrue(lease.isOver());
    lease.begin(clocks.nanos, clocks.wall);
    assertTrue(lease.isOver());
    assertEquals("memory was exhausted", lease.whyOver());
    lease.reset();
    lease.begin(clocks.nanos, clocks.wall);
    assertFalse(lease.isOver());
  }
}
