package dev.weblocks.cluster.ratis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The members of a cluster.
 *
 * @param clusterId the name of the cluster; members and clients with another one are refused
 * @param addresses the address of each member, as {@code host:port}, by its id
 */
public record Peers(String clusterId, Map<String, String> addresses) {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.%A-Za-z_-]{2,64}]");

  private static final String HOW = "; write n1=host1:7800,n2=host2:7800,n3=host3:7800";

  public Peers {
    addresses = new LinkedHashMap<>(addresses);
  }

  /**
   * Parses members.
   *
   * @param text such as {@code n1=10.0.0.1:7800,n2=10.0.0.2:7800,n3=10.0.0.3:7800}
   * @throws IllegalArgumentException if the text is not as described
   */
  public static Peers parse(String clusterId, String text) {
    Map<String, String> addresses = new LinkedHashMap<>();
    for (String each : text.split(",", -1)) {
      int equals = each.indexOf('=');
      int colon = each.lastIndexOf(':');
      String id = equals < 1 ? "" : each.substring(0, equals).strip();
      if (!ID.matcher(id).matches()
          || colon < equals + 2
          || !isHost(each.substring(equals + 1, colon).strip())
          || !isPort(each.substring(colon + 1).strip())) {
        throw new IllegalArgumentException("'" + each + "' is not a member" + HOW);
      }
      if (addresses.put(id, each.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException("two members have the id '" + id + "'" + HOW);
      }
    }
    return new Peers(clusterId, addresses);
  }

  /** Returns whether a text has the form of the name or the address of a host. */
  public static boolean isHost(String text) {
    return HOST.matcher(text).matches();
  }

  private static boolean isPort(String text) {
    return text.matches("[0-9]{1,5}")
        && Integer.parseInt(text) > 0
        && Integer.parseInt(text) < 65_536;
  }

  /**
   * Returns the address of a member.
   *
   * @throws IllegalArgumentException if there is no member with this id
   */
  public String addressOf(String id) {
    String address = addresses.get(id);
    if (address == null) {
      throw new IllegalArgumentException(
          "'" + id + "' is not a member; the members are " + String.join(", ", addresses.keySet()));
    }
    return address;
  }

  int portOf(String id) {
    String address = addressOf(id);
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  String hostOf(String id) {
    String address = addressOf(id);
    return address.substring(0, address.lastIndexOf(':'));
  }

  List<RaftPeerId> ids() {
    return addresses.keySet().stream().map(RaftPeerId::valueOf).toList();
  }

  RaftGroupId groupId() {
    UUID id = UUID.nameUUIDFromBytes(("weblocks " + clusterId).getBytes(StandardCharsets.UTF_8));
    return RaftGroupId.valueOf(id);
  }

  RaftGroup group() {
    List<RaftPeer> peers = new ArrayList<>();
    addresses.forEach(
        (id, address) -> peers.add(RaftPeer.newBuilder().setId(id).setAddress(address).build()));
    return RaftGroup.valueOf(groupId(), peers);
  }

  static ByteString bytes(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** Returns the message for a member that does not know this cluster. */
  String foreignMember(String member) {
    return "the member '%s' belongs to another cluster than '%s'".formatted(member, clusterId);
  }
}
