package dev.weblocks.harness.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.cluster.LockHistory.Request;
import org.junit.jupiter.api.Test;

/** The violations that a history of locks finds. */
class LockHistoryTest {

  private final LockHistory history = new LockHistory();

  private Request request(String client) {
    return history.requested(client, "cart");
  }

  private void grant(Request request, long token) {
    history.granted(request, token, () -> true, token);
  }

  private void assertComplaint(String expected) {
    assertEquals(1, history.complaints().size(), history.complaints()::toString);
    assertTrue(history.complaints().getFirst().contains(expected), history.complaints()::toString);
  }

  @Test
  void correct_history_has_no_complaint() {
    Request first = request("a");
    Request second = request("b");
    history.logged(second);
    grant(first, 1);
    history.ends(first);
    history.ends(first);
    grant(second, 4);
    history.ends(second);
    grant(history.requested("c", "other"), 3);
    assertEquals(0, history.complaints().size(), history.complaints()::toString);
    assertEquals(3, history.grants());
    assertEquals(1, history.placed());
    assertEquals(0, history.lost());
  }

  @Test
  void two_holders_of_one_lock_are_found() {
    grant(request("a"), 1);
    grant(request("b"), 2);
    assertComplaint("two hold the lock 'cart': a, with the token 1, and b, with the token 2");
  }

  @Test
  void holder_beyond_its_lease_holds_nothing() {
    Request first = request("a");
    history.granted(first, 1, () -> false, 1);
    grant(request("b"), 2);
    history.ends(first);
    assertEquals(0, history.complaints().size(), history.complaints()::toString);
    assertEquals(1, history.lost());
  }

  @Test
  void token_that_has_not_grown_is_found() {
    Request first = request("a");
    grant(first, 2);
    history.ends(first);
    grant(request("b"), 1);
    assertComplaint("has not grown from 2: b, with the token 1");
  }

  @Test
  void token_of_another_grant_is_found() {
    grant(request("a"), 1);
    grant(history.requested("b", "other"), 1);
    assertComplaint("the token of 'other' is not new: b, with the token 1");
  }

  @Test
  void request_that_is_granted_twice_is_found() {
    Request request = request("a");
    grant(request, 1);
    grant(request, 2);
    assertComplaint("a got 'cart' twice, with the tokens 1 and 2");
  }

  @Test
  void request_that_overtakes_a_logged_one_is_found() {
    Request first = request("a");
    history.logged(first);
    Request second = request("b");
    grant(second, 1);
    history.ends(second);
    grant(first, 2);
    assertComplaint("'cart' was granted out of order: first to b, with the token 1");
  }

  @Test
  void request_may_overtake_one_whose_place_is_unknown() {
    Request first = request("a");
    Request second = request("b");
    history.logged(first); // perhaps behind the second one
    grant(second, 1);
    history.ends(second);
    grant(first, 2);
    assertEquals(0, history.complaints().size(), history.complaints()::toString);
  }

  @Test
  void request_of_a_lost_session_may_be_overtaken() {
    Request first = request("a");
    history.logged(first);
    Request second = request("b");
    grant(second, 1);
    history.ends(second);
    history.sessionLost(); // the loss may become known after the grant
    history.logged(first);
    grant(first, 2);
    assertEquals(0, history.complaints().size(), history.complaints()::toString);
  }

  @Test
  void grant_before_the_end_of_the_lease_is_found() {
    Request next = request("a");
    history.granted(next, 1, () -> true, 1_000_000);
    history.outlives(next, 900_000);
    assertEquals(0, history.complaints().size(), history.complaints()::toString);
    history.outlives(next, 3_000_000);
    assertComplaint("'cart' was granted 2 ms before the lease of its holder was over");
  }

  @Test
  void gaps_reach_from_and_to_the_ends_of_the_interval() {
    for (long nanos : new long[] {10, 30, 35}) {
      Request request = request("a");
      history.granted(request, nanos, () -> true, nanos);
      history.ends(request);
    }
    assertEquals(20, history.longestGap(10, 40));
    assertEquals(25, history.longestGap(10, 60));
    assertEquals(5, history.nextGrantAfter(25));
    assertEquals(-1, history.nextGrantAfter(36));
  }

  @Test
  void resource_refuses_tokens_smaller_than_the_greatest_one() {
    FencedResource resource = new FencedResource();
    assertTrue(resource.write(2));
    assertFalse(resource.write(1));
    assertTrue(resource.write(2));
    assertEquals(1, resource.refused());
  }
}
