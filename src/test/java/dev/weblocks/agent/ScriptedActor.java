package dev.weblocks.agent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An actor that runs what a test gives it, one piece a turn. */
final class ScriptedActor implements Actor {

  private final String name;
  private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
  private volatile long deadline = NEVER;
  private volatile Runnable onTurn = () -> {};

  ScriptedActor(String name) {
    this.name = name;
  }

  /** Any thread. The lane is to be woken after it. */
  ScriptedActor then(Runnable piece) {
    work.add(piece);
    return this;
  }

  void setDeadline(long nanos) {
    deadline = nanos;
  }

  /** Called at the begin of every turn, also of those that find nothing. */
  void onTurn(Runnable action) {
    onTurn = action;
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
