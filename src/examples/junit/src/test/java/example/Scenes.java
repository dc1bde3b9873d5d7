package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.explore.Scene;

/** The scenes of the tests: scripts of the application as agents, and Java code that they call. */
final class Scenes {

  private Scenes() {}

  /** Runs a script in two agents; each adds 10 to one account. */
  static void twoDeposits(Scene scene, String script) {
    Account account = new Account(); // a new one for each order
    scene.function("balance", arguments -> account.balance());
    scene.function(
        "setBalance",
        arguments -> {
          account.setBalance(arguments[0].asInt());
          return null;
        });
    scene.agent("first").resource(Scenes.class.getResource(script));
    scene.agent("second").resource(Scenes.class.getResource(script));
    scene.atEnd(() -> assertEquals(20, account.balance()));
  }

  /** Moves money to and fro between two accounts. */
  static void twoTransfers(Scene scene, String function) {
    scene
        .agent("pay")
        .resource(Scenes.class.getResource("transfer.js"))
        .script(function + "('giro', 'savings')");
    scene
        .agent("save")
        .resource(Scenes.class.getResource("transfer.js"))
        .script(function + "('savings', 'giro')");
  }
}
