package dev.weblocks.agent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** An actor that runs the pieces that a test adds, one per turn. */
final class ScriptedActor implements Actor {

  private final String name;
  private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
  private volatile long deadline = NEVER;
  private volatile Runnable onTurn = () -> {};
  private volatile Consumer<Throwable> onLost = failure -> {};

  ScriptedActor(String name) {
    this.name = name;
  }

  /** Adds a piece; the caller then wakes the lane. Any thread. */
  ScriptedActor then(Runnable piece) {
    work.add(piece);
    return this;
  }

  void setDeadline(long nanos) {
    deadline = nanos;
  }

  /** Sets an action for the begin of every turn, even of a turn without work. */
  void onTurn(Runnable action) {
    onTurn = action;
  }

  /** Sets the receiver of the failures of the driver, or of turns that a lane runs. */
  ScriptedActor onLost(Consumer<Throwable> action) {
    onLost = action;
    return this;
  }

  @Override
  public void isLost(Throwable failure) {
    onLost.accept(failure);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean runTurn() {
    onTurn.run();
    Runnable piece = work.poll();
    if (piece == null) {
      return false;
    }
    piece.run();
    return true;
  }

  @Override
  public boolean hasWork() {
    return !work.isEmpty();
  }

  @Override
  public long nextDeadline() {
    return deadline;
  }
}
