package dev.weblocks.messaging;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.SerializedPlatformObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A JavaScript value without its context, and what was transferred along with it. Immutable, but
 * for what was transferred; any thread. One with transferred parts is to be deserialized once.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html">HTML</a>
 */
public final class SerializedValue {

  /** What crosses of the numbered lists that {@code structured-clone.js} tells of. */
  private final byte[] code;

  private final List<String> strings;
  private final List<Bytes> buffers;
  private final List<SerializedPlatformObject> states;
  private final List<Holder> holders;

  /** A transfer data holder. */
  sealed interface Holder permits Bytes, TransferredObject {}

  /**
   * The contents of an ArrayBuffer. Not to be changed.
   *
   * @param maxByteLength -1 if it is not resizable
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Bytes(byte[] bytes, int maxByteLength) implements Holder {}

  /** A platform object. */
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

  /** The ports that were transferred, in order. */
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
   * Says which agent this is sent to: if that ends before it has deserialized this value, the ports
   * in it are closed, and those entangled with them hear of it. For messages that go another way
   * than through a port.
   */
  public void addressTo(Agent agent) {
    ports().forEach(port -> port.addressTo(agent));
  }

  /** Says that nobody but whoever has this value answers for the ports in it. */
  void depart() {
    ports().forEach(PortHandle::depart);
  }

  /**
   * Says that the ports in it are about to be made in a realm, with which they end if that fails.
   */
  void addressTo(Realm realm) {
    ports().forEach(port -> port.addressTo(realm));
  }

  /** Tells that nobody will get this value: the ports in it are closed. */
  public void discard() {
    PortHandle.closeAll(ports());
  }
}
