package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a channel, independent of any realm. Holds the state of a {@link MessagePort}; a port
 * in transit between realms has only this object. Thread-safe.
 *
 * <p>Messages are queued here and not in an event loop. So a transferred port takes them along, and
 * its tasks in the old realm find no message. Each task of the port takes the oldest message.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-ports">HTML</a>
 */
public final class PortHandle {

  /** A port that can hold an end. Thread-safe. */
  interface Owner {

    /** Returns the relevant realm. */
    Realm realm();

    /** Queues a task that takes the oldest message with {@link #poll}. */
    void queueDelivery();

    /** Queues a task that fires a close event if {@link #takeCloseDue} returns true. */
    void queueClose();
  }

  /** The Java lock that all ends of a channel share. */
  private final Object lock;

  private @Nullable PortHandle other;
  private @Nullable Owner owner;

  /**
   * The agent that this end is in or in transit to; this end is closed when that agent ends. Null
   * while another end, or a transport between agents, is responsible for closing this end.
   */
  private @Nullable Agent home;

  /** The realm that this end is in, about to leave or about to arrive in; null if not known. */
  private @Nullable Realm homeRealm;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#port-message-queue">port
   * message queue</a>
   */
  private final Deque<SerializedValue> messages = new ArrayDeque<>();

  /** Whether the queue is enabled: the port that holds this end has a task for each message. */
  private boolean enabled;

  /** Whether the holding port must get a close event, because this end was disentangled. */
  private boolean closeIsDue;

  /** True while the close event is held back, until the queue is enabled and has no messages. */
  private boolean closeWaits;

  /** Whether this end is closed, so that no port will hold it any more. */
  private boolean gone;

  PortHandle() {
    this(new Object());
  }

  private PortHandle(Object lock) {
    this.lock = lock;
  }

  /**
   * Disentangles this end from its other end, if any, and entangles it with a new one.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#entangle">entangle</a>
   */
  PortHandle entangleWithNew() {
    disentangle();
    PortHandle made = new PortHandle(lock);
    synchronized (lock) {
      made.other = this;
      other = made;
    }
    return made;
  }

  /** Returns the end that this one is entangled with; null for none. */
  @Nullable PortHandle entangled() {
    synchronized (lock) {
      return other;
    }
  }

  /**
   * Makes a port the owner of this end. Called on the event loop of the port.
   *
   * @throws IllegalStateException if another port holds this end
   */
  void hold(Owner port) {
    synchronized (lock) {
      requireNoOwner();
      owner = port;
      home = port.realm().agent();
      homeRealm = port.realm();
      // a new port has no listeners yet: a close event that became due in transit waits for start()
      closeWaits = closeIsDue;
    }
    AgentPorts.watch(port.realm());
    AgentPorts.of(port.realm().agent()).addHeld(this);
  }

  private void requireNoOwner() {
    if (owner != null) {
      throw new IllegalStateException("this end of a channel already belongs to a port");
    }
  }

  /**
   * Takes this end from the port that holds it. Until it {@link #depart departs}, this end is
   * closed when the realm of that port is discarded, because the sending script may be cancelled.
   */
  void leave() {
    Agent left;
    synchronized (lock) {
      owner = null;
      enabled = false;
      closeWaits = false;
      left = home;
    }
    if (left != null) {
      AgentPorts.of(left).addMoving(this);
    }
  }

  /** Marks this end as part of a message. The holder of the message has to close this end. */
  void depart() {
    Agent left;
    synchronized (lock) {
      requireNoOwner();
      left = home;
      home = null;
      homeRealm = null;
    }
    if (left != null) {
      AgentPorts.of(left).remove(this);
    }
  }

  /** Sets the destination; if the agent ends before a port holds this end, this end is closed. */
  public void addressTo(Agent agent) {
    arriveAt(agent, null);
  }

  /**
   * Sets the realm that is about to create a port for this end. If the realm is discarded before a
   * port holds this end, this end is closed.
   */
  void addressTo(Realm realm) {
    AgentPorts.watch(realm);
    arriveAt(realm.agent(), realm);
  }

  private void arriveAt(Agent agent, @Nullable Realm realm) {
    Agent before;
    synchronized (lock) {
      requireNoOwner();
      before = home;
      home = agent;
      homeRealm = realm;
    }
    if (before != null && before != agent) {
      AgentPorts.of(before).remove(this);
    }
    AgentPorts.of(agent).addMoving(this);
  }

  /** Enables the queue; returns the number of messages that have no task yet. */
  int enable() {
    int waiting;
    Owner toTell;
    synchronized (lock) {
      if (enabled) {
        return 0;
      }
      enabled = true;
      waiting = messages.size();
      boolean closeIsNext = closeWaits && waiting == 0;
      closeWaits &= !closeIsNext;
      toTell = closeIsNext ? owner : null;
    }
    if (toTell != null) {
      toTell.queueClose();
    }
    return waiting;
  }

  void enqueue(SerializedValue message) {
    Owner enabledOwner;
    boolean lost;
    synchronized (lock) {
      lost = gone;
      if (!lost) {
        messages.add(message);
      }
      enabledOwner = enabled ? owner : null;
    }
    if (lost) {
      message.discard();
    } else if (enabledOwner != null) {
      enabledOwner.queueDelivery();
    }
  }

  /**
   * Takes the oldest message; null if there is none, or if the port no longer holds this end. After
   * the last message, queues the close event that waited for it.
   */
  @Nullable SerializedValue poll(Owner port) {
    SerializedValue oldest;
    boolean closeIsNext;
    synchronized (lock) {
      if (owner != port) {
        return null;
      }
      oldest = messages.poll();
      closeIsNext = closeWaits && messages.isEmpty();
      closeWaits &= !closeIsNext;
    }
    if (closeIsNext) {
      port.queueClose();
    }
    return oldest;
  }

  /**
   * Returns whether to fire a due close event at a port now; true at most once. The event has to
   * wait until the queued messages have been taken.
   */
  boolean takeCloseDue(Owner port) {
    synchronized (lock) {
      if (!closeIsDue || owner != port) {
        return false;
      }
      closeWaits = enabled && !messages.isEmpty();
      closeIsDue = closeWaits;
      return !closeWaits;
    }
  }

  /**
   * Disentangles both ends, if they are entangled. The port at the other end gets a close event; in
   * a task, since it may belong to another agent.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#disentangle">disentangle</a>
   */
  void disentangle() {
    Owner toTell;
    synchronized (lock) {
      PortHandle left = other;
      if (left == null) {
        return;
      }
      other = null;
      left.other = null;
      left.closeIsDue = true;
      toTell = left.owner;
    }
    if (toTell != null) {
      toTell.queueClose();
    }
  }

  /** Closes this end permanently, and the ports in its queued messages, which are lost. */
  public void close() {
    closeAll(List.of(this));
  }

  /** Closes those ends that are held in an agent or in transit to it. */
  static void endWith(Agent agent, Collection<PortHandle> handles) {
    closeAll(handles.stream().filter(handle -> handle.isAt(agent)).toList());
  }

  /** Closes those ends that are held in a realm, about to arrive there or about to leave it. */
  static void endWith(Realm realm, Collection<PortHandle> handles) {
    closeAll(handles.stream().filter(handle -> handle.isOf(realm)).toList());
  }

  private boolean isOf(Realm realm) {
    synchronized (lock) {
      return homeRealm == realm;
    }
  }

  private boolean isAt(Agent agent) {
    synchronized (lock) {
      return home == agent;
    }
  }

  /** Closes ends and the ports in their messages, without recursion: pages can nest them deeply. */
  static void closeAll(Collection<PortHandle> handles) {
    Deque<PortHandle> left = new ArrayDeque<>(handles);
    PortHandle next = left.poll();
    while (next != null) {
      for (SerializedValue lost : next.giveUp()) {
        left.addAll(lost.ports());
      }
      next = left.poll();
    }
  }

  private List<SerializedValue> giveUp() {
    disentangle();
    Agent left;
    List<SerializedValue> lost;
    synchronized (lock) {
      gone = true;
      owner = null;
      left = home;
      home = null;
      homeRealm = null;
      enabled = false;
      lost = List.copyOf(messages);
      messages.clear();
    }
    if (left != null) {
      AgentPorts.of(left).remove(this);
    }
    return lost;
  }
}
