package dev.weblocks.html;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.TaskSource;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The queue of window messages from one agent to others. Each message is sent in a task of its own,
 * as in browsers. The message therefore arrives after earlier messages between windows of the
 * sending agent. A message that a load event listener posts arrives after all listeners of that
 * event have run. When the agent ends, all remaining messages are sent.
 */
final class PostedMessages {

  private final Agent agent;

  // guarded by this
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private PostedMessages(Agent agent) {
    this.agent = agent;
    agent.onEnd(this::sendAll);
  }

  static PostedMessages of(Agent agent) {
    return agent.supplements().get(PostedMessages.class, () -> new PostedMessages(agent));
  }

  /**
   * Sends a message. Called on the event loop of the agent.
   *
   * @param delivery queues the task of the receiver; runs on any thread
   */
  void send(Runnable delivery) {
    synchronized (this) {
      waiting.add(delivery);
    }
    agent.queueTask(TaskSource.POSTED_MESSAGE, "send message", this::sendNext);
  }

  private boolean sendNext() {
    Runnable next = poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  private synchronized @Nullable Runnable poll() {
    return waiting.poll();
  }

  private void sendAll() {
    while (sendNext()) {
      // until the queue is empty
    }
  }
}
