package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.explore.Exploration;
import dev.weblocks.explore.ExplorationError;
import dev.weblocks.explore.ExplorationReport;
import dev.weblocks.explore.Explore;
import dev.weblocks.explore.Orders;
import dev.weblocks.explore.Scene;
import org.junit.jupiter.api.Test;

/** The scripts of the application in all orders of their steps. Defects has those that fail. */
class AccountTest {

  @Explore(Orders.ALL)
  void deposits_under_a_lock_both_count(Scene scene) {
    Scenes.twoDeposits(scene, "deposit-locked.mjs");
  }

  @Explore(Orders.ALL)
  void transfers_that_take_locks_in_order_never_block_each_other(Scene scene) {
    Scenes.twoTransfers(scene, "transferInOrder");
  }

  @Test
  void deposit_without_a_lock_is_lost_and_a_replay_repeats_it() throws InterruptedException {
    ExplorationReport report =
        Exploration.of(scene -> Scenes.twoDeposits(scene, "deposit.mjs")).run();
    String replay = report.problem().replay();
    Exploration again =
        Exploration.of(scene -> Scenes.twoDeposits(scene, "deposit.mjs")).replay(replay);
    ExplorationError lost = assertThrows(ExplorationError.class, again::check);
    assertTrue(lost.getMessage().contains("expected: <20> but was: <10>"), lost.getMessage());
    assertEquals(replay, lost.getMessage().replaceFirst("(?s).*replay: ", ""));
  }
}
