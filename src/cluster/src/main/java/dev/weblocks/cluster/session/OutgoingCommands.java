package dev.weblocks.cluster.session;

import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.DeleteBucket;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a session that were not answered, with their numbers. They are sent in batches,
 * of which several may be in flight. Not thread-safe.
 */
final class OutgoingCommands {

  private static final int BATCH_COMMANDS = 512;

  /** The code units of names and URLs in a batch: about half of what a message may have. */
  private static final int BATCH_UNITS = Caps.MESSAGE / 8;

  private static final int UNITS_OF_ANY = 100;

  /**
   * Commands to send together.
   *
   * @param first the number of the first one
   */
  record Batch(long first, List<LockCommand> commands) {
    long last() {
      return first + commands.size() - 1;
    }
  }

  /**
   * The commands in flight up to which a second batch is sent, so that a request does not wait for
   * the answer to the release before it. Under load, few large batches are faster.
   */
  private static final int FEW_IN_FLIGHT = 4;

  private final Deque<LockCommand> sent = new ArrayDeque<>();
  private final Deque<LockCommand> unsent = new ArrayDeque<>();

  private int batchesInFlight;

  /** The number of the last command that is sent alone; 0 for none. */
  private long aloneUntil;

  /** The number of the first command that was not answered. */
  private long first = 1;

  boolean isEmpty() {
    return sent.isEmpty() && unsent.isEmpty();
  }

  boolean hasUnsent() {
    return !unsent.isEmpty();
  }

  int size() {
    return sent.size() + unsent.size();
  }

  boolean hasBatchInFlight() {
    return batchesInFlight > 0;
  }

  /** Returns whether another batch can be sent now. */
  boolean isBatchPossible() {
    return batchesInFlight == 0 || (batchesInFlight == 1 && sent.size() <= FEW_IN_FLIGHT);
  }

  void add(LockCommand command) {
    unsent.add(command);
  }

  /** Begins a session, in which these commands are sent first. */
  void restart(Collection<LockCommand> commands) {
    sent.clear();
    unsent.clear();
    unsent.addAll(commands);
    batchesInFlight = 0;
    aloneUntil = 0;
    first = 1;
  }

  /** Takes the next commands to send; none if all are in flight. */
  Batch next() {
    batchesInFlight++;
    long number = first + sent.size();
    List<LockCommand> next = new ArrayList<>();
    int units = 0;
    LockCommand command;
    while (next.size() < BATCH_COMMANDS && (command = unsent.peek()) != null) {
      units += unitsOf(command);
      if (!next.isEmpty() && (units > BATCH_UNITS || number <= aloneUntil)) {
        break;
      }
      next.add(unsent.remove());
    }
    sent.addAll(next);
    return new Batch(number, next);
  }

  /** Notes that a batch got no answer: all commands that were not answered are sent again. */
  void failed() {
    batchesInFlight--;
    again();
  }

  /**
   * Notes that the cluster does not accept a batch. Its commands are sent again, one by one, to
   * find the one that it does not accept. That one is replaced by a command without an effect,
   * which has the number instead: a late copy of the batch must not give the number to another
   * command.
   *
   * @param found gets the command that is not accepted, once
   * @return false if the cluster has to accept the batch
   */
  boolean rejected(Batch batch, Consumer<LockCommand> found) {
    LockCommand command = batch.commands().isEmpty() ? null : batch.commands().getFirst();
    boolean isAlone = batch.commands().size() == 1;
    LockCommand replacement = isAlone ? withoutEffect(command) : command;
    if (replacement == null) {
      return false;
    }
    failed();
    if (!isAlone) {
      aloneUntil = Math.max(aloneUntil, batch.last());
    } else if (batch.first() == first && unsent.peek() == command) { // else after earlier answers
      unsent.remove();
      unsent.addFirst(replacement);
      found.accept(command);
    }
    return true;
  }

  private static @Nullable LockCommand withoutEffect(@Nullable LockCommand command) {
    return switch (command) {
      case RegisterClient register -> new EndClient(register.client());
      case RequestLock request -> new ReleaseLock(request.id());
      case TakeSnapshot query -> new ReleaseLock(query.id());
      case BucketCommand bucket -> new ReleaseLock(bucket.id());
      case null, default -> null;
    };
  }

  private void again() {
    while (!sent.isEmpty()) {
      unsent.addFirst(sent.removeLast());
    }
  }

  /**
   * Notes the answer to a batch. If an earlier batch is missing in the cluster, the commands were
   * not applied, and are sent again.
   *
   * @param lastCommand the number of the last command of the session that was applied
   */
  void answered(Batch batch, long lastCommand) {
    batchesInFlight--;
    while (first <= lastCommand && !isEmpty()) {
      if (sent.isEmpty()) {
        unsent.remove();
      } else {
        sent.remove();
      }
      first++;
    }
    if (batch.last() > lastCommand) {
      again();
    }
  }

  private static int unitsOf(LockCommand command) {
    return switch (command) {
      case RequestLock request -> {
        String position = request.options().position();
        yield UNITS_OF_ANY
            + request.options().name().length()
            + request.manager().value().length()
            + (position == null ? 0 : position.length());
      }
      case OpenBucket open -> UNITS_OF_ANY + open.bucket().value().length();
      case DeleteBucket delete -> UNITS_OF_ANY + delete.bucket().value().length();
      case RegisterClient register ->
          UNITS_OF_ANY
              + register.requester().agent().length()
              + register.requester().url().length()
              + register.requester().origin().length();
      default -> UNITS_OF_ANY;
    };
  }
}
