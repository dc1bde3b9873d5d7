package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Commands without what a test does not need. */
public final class TestCommands {

  private TestCommands() {}

  /** Returns the command that makes a client known. Its agent has the name of the client. */
  public static RegisterClient registered(ClientId client) {
    return new RegisterClient(client, requester(client));
  }

  /** Returns the client as {@link #registered} registers it. */
  public static LockRequester requester(ClientId client) {
    return new LockRequester(client.value(), "", "");
  }

  /** Returns a request as the draft has it, without a position. */
  public static RequestLock request(
      RequestId id, ManagerId manager, String name, LockMode mode, WaitMode wait) {
    return new RequestLock(id, manager, LockOptions.of(name, mode, wait));
  }

  /** Applies a command at time 0. */
  static void apply(LockManagers managers, LockCommand command, Consumer<LockEffect> effects) {
    effectsOf(managers.apply(command, 0)).forEach(effects);
  }

  static List<LockEffect> effectsOf(List<LockOutcome> outcomes) {
    return outcomes.stream().map(LockOutcome::effect).filter(Objects::nonNull).toList();
  }
}
