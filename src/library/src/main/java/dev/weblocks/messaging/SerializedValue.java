package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.SerializedPlatformObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A JavaScript value independent of its context, with the objects that were transferred. Immutable,
 * except for the transferred objects; any thread. A value with transferred objects can be
 * deserialized only once.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html">HTML</a>
 */
public final class SerializedValue {

  /**
   * The value as a stream of doubles. {@code structured-clone.js} describes the stream and the
   * lists below.
   */
  private final byte[] code;

  private final List<String> strings;
  private final List<Bytes> buffers;
  private final List<SerializedPlatformObject> states;
  private final List<Holder> holders;

  /** A transfer data holder. */
  sealed interface Holder permits Bytes, TransferredObject {}

  /**
   * The contents of an ArrayBuffer. Must not be changed.
   *
   * @param maxByteLength -1 if the buffer is not resizable
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bytes(byte[] bytes, int maxByteLength) implements Holder {}

  record TransferredObject(SerializedPlatformObject state) implements Holder {}

  SerializedValue(
      byte[] code,
      List<String> strings,
      List<Bytes> buffers,
      List<SerializedPlatformObject> states,
      List<Holder> holders) {
    this.code = code;
    this.strings = List.copyOf(strings);
    this.buffers = List.copyOf(buffers);
    this.states = List.copyOf(states);
    this.holders = List.copyOf(holders);
  }

  byte[] code() {
    return code;
  }

  List<String> strings() {
    return strings;
  }

  List<Bytes> buffers() {
    return buffers;
  }

  List<SerializedPlatformObject> states() {
    return states;
  }

  List<Holder> holders() {
    return holders;
  }

  /** Returns the ports that were transferred, in order. */
  List<PortHandle> ports() {
    List<PortHandle> ports = new ArrayList<>();
    for (Holder holder : holders) {
      if (holder instanceof TransferredObject(SerializedPlatformObject object)
          && object.state() instanceof PortHandle port) {
        ports.add(port);
      }
    }
    return ports;
  }

  /**
   * Sets the agent that this value is sent to. If the agent ends before it has deserialized the
   * value, the ports in the value are closed, and the ports entangled with them get close events.
   * For messages that are not sent through a port.
   */
  public void addressTo(Agent agent) {
    ports().forEach(port -> port.addressTo(agent));
  }

  /** Makes the holder of this value responsible for closing the ports in it. */
  void depart() {
    ports().forEach(PortHandle::depart);
  }

  /**
   * Sets the realm in which the ports of this value are about to be created. If that fails, they
   * are closed when the realm is discarded.
   */
  void addressTo(Realm realm) {
    ports().forEach(port -> port.addressTo(realm));
  }

  /** Closes the ports in this value, which will not be delivered. */
  public void discard() {
    PortHandle.closeAll(ports());
  }
}
