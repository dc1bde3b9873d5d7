package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a channel without any realm: what is behind a {@link MessagePort}, and all that there
 * is of a port on its way from one realm to another. Any thread.
 *
 * <p>Messages wait here, in order, and not in an event loop: a port that moves takes them along,
 * whatever tasks it leaves behind find nothing, and each task of the port that holds this end takes
 * the oldest.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#message-ports">HTML</a>
 */
public final class PortHandle {

  /** Guards this end and the one that it is entangled with, which has the same. */
  private final Object lock;

  private @Nullable PortHandle other;
  private @Nullable MessagePort owner;

  /**
   * With whose end this one is closed: the agent that it is in or on its way to; null while another
   * end, or a messenger between agents, answers for it.
   */
  private @Nullable Agent home;

  /** The realm in that agent, if it is in one. */
  private @Nullable Realm homeRealm;

  /**
   * <a href="https://html.spec.whatwg.org/multipage/web-messaging.html#port-message-queue">port
   * message queue</a>
   */
  private final Deque<SerializedValue> messages = new ArrayDeque<>();

  /** Whether the queue is enabled: the owner has a task for each message. */
  private boolean enabled;

  /** Whether the owner is still to hear that it has been disentangled. */
  private boolean closeIsDue;

  /** Whether that waits for messages that come first, or for the queue to be enabled. */
  private boolean closeWaits;

  /** Whether nobody will ever hold this end any more. */
  private boolean gone;

  PortHandle() {
    this(new Object());
  }

  private PortHandle(Object lock) {
    this.lock = lock;
  }

  /**
   * Makes the other end; an older one is disentangled.
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

  /** What this end is entangled with, null for nothing. */
  @Nullable PortHandle entangled() {
    synchronized (lock) {
      return other;
    }
  }

  /**
   * Lets a port hold this end. On the event loop of the port.
   *
   * @throws IllegalStateException if another one holds it
   */
  void hold(MessagePort port) {
    synchronized (lock) {
      requireNoOwner();
      owner = port;
      home = port.realm().agent();
      homeRealm = port.realm();
      // nobody can listen to a port that is just made: what came on its way waits for start()
      closeWaits = closeIsDue;
    }
    AgentPorts.watch(port.realm());
    AgentPorts.of(port.realm().agent()).addHeld(this);
  }

  private void requireNoOwner() {
    if (owner != null) {
      throw new IllegalStateException("this end of a channel belongs to a port already");
    }
  }

  /**
   * Takes this end, with its messages, from the port that holds it. It still ends with that one's
   * realm, until it {@link #depart departs}: the script that sends it may be cancelled in the
   * middle.
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

  /** It is in a message, and ends with that. */
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

  /**
   * Says which agent this end is sent to: if that ends before a port takes this end, it is closed.
   */
  public void addressTo(Agent agent) {
    arriveAt(agent, null);
  }

  /** Says that a port of a realm is about to be made for this end: it is closed with the realm. */
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

  /**
   * Enables the queue.
   *
   * @return how many messages have no task yet
   */
  int enable() {
    int waiting;
    MessagePort toTell;
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

  /** Adds a message to the queue of this end. */
  void enqueue(SerializedValue message) {
    MessagePort enabledOwner;
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
   * Takes the oldest message, null if there is none or another port holds this end by now. After
   * the last one comes the close event that waited for it.
   */
  @Nullable SerializedValue poll(MessagePort port) {
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
   * Whether the close event is to be fired at a port, now: not before the messages that are on
   * their way to it.
   */
  boolean takeCloseDue(MessagePort port) {
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
   * Disentangles both ends, if they are entangled; the port at the other one gets a close event, in
   * a task since it may belong to another agent.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/web-messaging.html#disentangle">disentangle</a>
   */
  void disentangle() {
    MessagePort toTell;
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

  /**
   * Gives this end up: nobody will take it, or its port is no more. Messages that wait are lost,
   * and ports within them.
   */
  public void close() {
    closeAll(List.of(this));
  }

  /** Closes each end that is held in an agent, or on its way there. */
  static void endWith(Agent agent, Collection<PortHandle> handles) {
    closeAll(handles.stream().filter(handle -> handle.isAt(agent)).toList());
  }

  /** Closes each end that is held in a realm, or about to arrive there or to leave it. */
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

  /** With a list of its own, since lost messages can hold ports as deep as a page likes. */
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
