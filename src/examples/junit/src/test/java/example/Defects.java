package example;

import dev.weblocks.explore.Explore;
import dev.weblocks.explore.Scene;

/** Scripts with a defect each. These tests fail, so they are not among those of the build. */
class Defects {

  @Explore
  void deposits_without_a_lock_both_count(Scene scene) {
    Scenes.twoDeposits(scene, "deposit.mjs");
  }

  @Explore
  void transfers_never_block_each_other(Scene scene) {
    Scenes.twoTransfers(scene, "transfer");
  }
}
