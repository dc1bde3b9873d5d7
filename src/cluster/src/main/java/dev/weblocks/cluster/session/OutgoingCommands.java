package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.DeleteBucket;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * The commands of a session that were not answered, with their numbers. A batch is sent again until
 * it is answered; commands that come meanwhile wait for the next one. Not thread-safe.
 */
final class OutgoingCommands {

  private static final int BATCH_COMMANDS = 512;

  /** The code units of names and URLs in a batch: about half of what a message may have. */
  private static final int BATCH_UNITS = Caps.MESSAGE / 8;

  private static final int UNITS_OF_ANY = 100;

  private final Deque<LockCommand> queued = new ArrayDeque<>();
  private List<LockCommand> batch = List.of();
  private long first = 1;

  boolean isEmpty() {
    return queued.isEmpty() && batch.isEmpty();
  }

  void add(LockCommand command) {
    queued.add(command);
  }

  /** Begins a session, in which these commands are sent first. */
  void restart(Collection<LockCommand> commands) {
    queued.clear();
    queued.addAll(commands);
    batch = List.of();
    first = 1;
  }

  /** Returns the number of the first command of {@link #batch}. */
  long first() {
    return first;
  }

  /** Returns the batch to send, the same one until it is answered; empty if nothing is queued. */
  List<LockCommand> batch() {
    if (batch.isEmpty() && !queued.isEmpty()) {
      batch = nextBatch();
    }
    return batch;
  }

  private List<LockCommand> nextBatch() {
    List<LockCommand> next = new ArrayList<>();
    int units = 0;
    LockCommand command;
    while (next.size() < BATCH_COMMANDS && (command = queued.peek()) != null) {
      units += unitsOf(command);
      if (!next.isEmpty() && units > BATCH_UNITS) {
        break;
      }
      next.add(queued.remove());
    }
    return next;
  }

  private static int unitsOf(LockCommand command) {
    return switch (command) {
      case RequestLock request ->
          UNITS_OF_ANY + request.options().name().length() + request.manager().value().length();
      case OpenBucket open -> UNITS_OF_ANY + open.bucket().value().length();
      case DeleteBucket delete -> UNITS_OF_ANY + delete.bucket().value().length();
      case RegisterClient register -> UNITS_OF_ANY + register.requester().url().length();
      default -> UNITS_OF_ANY;
    };
  }

  /** Removes the commands that were applied. */
  void applied(long lastCommand) {
    int count = (int) Math.max(0, Math.min(batch.size(), lastCommand - first + 1));
    first += count;
    batch = batch.subList(count, batch.size());
  }
}
