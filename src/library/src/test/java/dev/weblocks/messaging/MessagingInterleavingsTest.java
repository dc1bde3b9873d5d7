package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.BareRealm;
import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.SystemClock;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lincheck.Interleavings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ends of channels and broadcast channels in many interleavings, without script. */
@Tag("interleaved")
@Tag("interpreting") // runs no script
@Tag("full") // each interleaving creates agents
class MessagingInterleavingsTest {

  /** The result of a call that found no message. */
  private static final int NONE = -1;

  /** Loads the classes of the engine that agents refer to, before Lincheck rewrites classes. */
  @BeforeAll
  static void loadTheEngine() {
    new Ports().message_and_close_are_delivered_once();
    new Channels().all_messages_arrive();
  }

  @Test
  void messages_of_a_channel_are_taken_once_and_in_order() {
    Interleavings.check(MessageQueue.class, MessageQueueInOrder.class);
  }

  @Test
  void started_port_gets_each_message_once_and_then_closes() {
    Interleavings.check(Ports.class);
  }

  @Test
  void broadcast_messages_arrive_once_and_in_the_order_of_their_sender() {
    Interleavings.check(Channels.class);
  }

  private static SerializedValue message(int number) {
    return new SerializedValue(
        new byte[] {(byte) number}, List.of(), List.of(), List.of(), List.of());
  }

  private static int number(SerializedValue message) {
    return message.code()[0];
  }

  /** A port without script: its tasks are in a list. */
  private static final class TestPort implements PortHandle.Owner {
    private final Realm realm;
    final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable delivery;
    private final Runnable close;
    private boolean isStarted;
    private boolean isOver;

    /**
     * @param end the end that the port holds from now on
     * @param received gets the numbers of the messages, and {@link #NONE} for the close event
     */
    TestPort(Realm realm, PortHandle end, List<Integer> received) {
      this.realm = realm;
      this.delivery =
          () -> {
            SerializedValue oldest = end.poll(this);
            if (oldest != null) {
              if (isOver) {
                throw new IllegalStateException("a message comes after the close event");
              }
              received.add(number(oldest));
            }
          };
      this.close =
          () -> {
            if (end.takeCloseDue(this)) {
              received.add(NONE);
              isOver = isStarted; // otherwise the messages wait for start()
            }
          };
      end.hold(this);
    }

    void start(PortHandle end) {
      isStarted = true;
      for (int waiting = end.enable(); waiting > 0; waiting--) {
        queueDelivery();
      }
    }

    void runTask() {
      Runnable task = tasks.poll();
      if (task != null) {
        task.run();
      }
    }

    @Override
    public Realm realm() {
      return realm;
    }

    @Override
    public void queueDelivery() {
      tasks.add(delivery);
    }

    @Override
    public void queueClose() {
      tasks.add(close);
    }
  }

  private static UserAgent newUserAgent() {
    return BareRealm.newUserAgent(new CallerDriver(new SystemClock(), null));
  }

  /** The messages of an end that moves from port to port. */
  @Param(name = "number", gen = IntGen.class, conf = "1:9")
  public static class MessageQueue {
    private final PortHandle sender = new PortHandle();
    private final PortHandle receiver = sender.entangleWithNew();
    private final Realm realm = BareRealm.of(newUserAgent().createAgent("window"));
    private TestPort port = new TestPort(realm, receiver, new ArrayList<>());

    @Operation
    public void send(int number) {
      receiver.enqueue(message(number));
    }

    @Operation(nonParallelGroup = "receiver")
    public int take() {
      SerializedValue oldest = receiver.poll(port);
      return oldest == null ? NONE : number(oldest);
    }

    @Operation(nonParallelGroup = "receiver")
    public void start() {
      port.start(receiver);
    }

    @Operation(nonParallelGroup = "receiver")
    public void move() {
      receiver.leave();
      receiver.depart();
      port = new TestPort(realm, receiver, new ArrayList<>());
    }
  }

  /** The specification of {@link MessageQueue}. */
  public static class MessageQueueInOrder {
    private final Deque<Integer> messages = new ArrayDeque<>();

    public void send(int number) {
      messages.add(number);
    }

    public int take() {
      Integer oldest = messages.poll();
      return oldest == null ? NONE : oldest;
    }

    public void start() {}

    public void move() {}
  }

  /** A port that sends, and the port at the other end, which moves between two agents. */
  public static class Ports {
    private final UserAgent userAgent = newUserAgent();
    private final Realm near = BareRealm.of(userAgent.createAgent("window"));
    private final Realm far = BareRealm.of(userAgent.createAgent("worker"));
    private final PortHandle sender = new PortHandle();
    private final PortHandle end = sender.entangleWithNew();
    private final List<Integer> received = new ArrayList<>();
    private TestPort port = new TestPort(near, end, received);
    private int sent;
    private boolean closed;

    @Operation(nonParallelGroup = "sender")
    public void send() {
      PortHandle target = sender.entangled();
      if (target != null) {
        target.enqueue(message(sent++));
      }
    }

    @Operation(nonParallelGroup = "sender")
    public void close() {
      sender.disentangle();
      closed = true;
    }

    @Operation(nonParallelGroup = "receiver")
    public void start() {
      port.start(end);
    }

    @Operation(nonParallelGroup = "receiver")
    public void runTask() {
      port.runTask();
    }

    @Operation(nonParallelGroup = "receiver")
    public void move() {
      end.leave();
      end.depart();
      Realm target = port.realm() == near ? far : near;
      end.addressTo(target.agent());
      port = new TestPort(target, end, received);
    }

    @Validate
    public void message_and_close_are_delivered_once() {
      start();
      while (!port.tasks.isEmpty()) {
        port.runTask();
      }
      boolean wasClosed = received.remove((Integer) NONE);
      if (!received.equals(IntStream.range(0, sent).boxed().toList()) || wasClosed != closed) {
        throw new IllegalStateException(
            "received " + received + " of " + sent + " messages; close event: " + wasClosed);
      }
    }
  }

  /** One lasting channel in each of two agents, and a second one that opens and closes. */
  public static class Channels {
    private final UserAgent userAgent = newUserAgent();
    private final BroadcastChannels channels = BroadcastChannels.of(userAgent);
    private final Party left = new Party();
    private final Party right = new Party();

    /** An agent with its channels. */
    private final class Party {
      final Agent agent = userAgent.createAgent("window");
      final Realm realm = BareRealm.of(agent);
      final TestChannel lasting = new TestChannel(realm);
      @Nullable TestChannel second;
      int sent;

      void post() {
        lasting.membership.post(message(sent++), "");
      }

      void toggle() {
        if (second == null) {
          second = new TestChannel(realm);
        } else {
          second.close();
          second = null;
        }
      }

      void check(int sentByOther) {
        if (!lasting.received.equals(IntStream.range(0, sentByOther).boxed().toList())) {
          throw new IllegalStateException(
              "received " + lasting.received + " of " + sentByOther + " messages");
        }
      }
    }

    private final class TestChannel implements BroadcastChannels.Receiver {
      private final Realm realm;
      final List<Integer> received = new ArrayList<>();
      final BroadcastChannels.Membership membership;

      TestChannel(Realm realm) {
        this.realm = realm;
        this.membership = channels.join(this, "name");
      }

      @Override
      public Realm realm() {
        return realm;
      }

      @Override
      public void receive(SerializedValue message, String origin) {
        received.add(number(message));
      }

      @Override
      public void close() {
        membership.leave();
      }
    }

    @Operation(nonParallelGroup = "left")
    public void postLeft() {
      left.post();
    }

    @Operation(nonParallelGroup = "left")
    public void toggleLeft() {
      left.toggle();
    }

    @Operation(nonParallelGroup = "left")
    public void runLeft() {
      left.agent.eventLoop().runTurn();
    }

    @Operation(nonParallelGroup = "right")
    public void postRight() {
      right.post();
    }

    @Operation(nonParallelGroup = "right")
    public void toggleRight() {
      right.toggle();
    }

    @Operation(nonParallelGroup = "right")
    public void runRight() {
      right.agent.eventLoop().runTurn();
    }

    @Validate
    public void all_messages_arrive() {
      while (left.agent.eventLoop().runTurn() || right.agent.eventLoop().runTurn()) {
        // until both loops are idle
      }
      left.check(right.sent);
      right.check(left.sent);
    }
  }
}
