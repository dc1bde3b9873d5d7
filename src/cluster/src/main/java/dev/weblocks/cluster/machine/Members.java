package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.lockmanager.Wire;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The members of the cluster, and the ids of those that were removed. */
final class Members {

  /**
   * A member that has joined.
   *
   * @param storage the id of its data folder
   * @param version the newest version of the codec that it reads
   */
  private record Joined(UUID storage, int version) {}

  /**
   * The addresses by the ids, in the last configuration; empty in a snapshot of version 1, until a
   * leader logs its configuration again.
   */
  private final Map<String, String> addresses = new TreeMap<>();

  private final Map<String, Joined> joined = new TreeMap<>();

  /** Not to be used again: a member with such an id would have forgotten its votes. */
  private final Set<String> removed = new TreeSet<>();

  /** Replaces the configuration. The ids that it does not contain are removed for ever. */
  void configure(Map<String, String> configuration) {
    Set<String> former = new TreeSet<>(addresses.keySet());
    former.addAll(joined.keySet());
    former.removeAll(configuration.keySet());
    removed.addAll(former);
    joined.keySet().retainAll(configuration.keySet());
    addresses.clear();
    addresses.putAll(configuration);
  }

  /** Returns the address of a member; null if it is not known. */
  @Nullable String addressOf(String id) {
    return addresses.get(id);
  }

  boolean isRemoved(String id) {
    return removed.contains(id);
  }

  /** Notes that a member starts; returns why it may not, or null. */
  @Nullable String join(JoinMember join) {
    String id = join.id();
    if (removed.contains(id)) {
      return ("the member '%s' was removed from the cluster; start a member with a new id and an"
              + " empty folder instead")
          .formatted(id);
    }
    if (!addresses.isEmpty() && !addresses.containsKey(id)) {
      return "the cluster has no member '%s', but %s; replace one of them by it"
          .formatted(id, String.join(", ", addresses.keySet()));
    }
    Joined known = joined.get(id);
    if (known != null && !known.storage().equals(join.storage())) {
      // without the ids, which would help to join with forged data
      return "the member '%s' has joined with other data; start it with its own folder, or give it a new id"
          .formatted(id);
    }
    int others =
        joined.entrySet().stream()
            .filter(each -> !each.getKey().equals(id))
            .mapToInt(each -> each.getValue().version())
            .min()
            .orElse(1);
    if (join.version() < others) {
      return ("the member '%s' reads version %s of the codec, but the other members have version"
              + " %s; start it with their version of Weblocks")
          .formatted(id, join.version(), others);
    }
    joined.put(id, new Joined(join.storage(), join.version()));
    return null;
  }

  /** Returns why an entry of a version may not be logged yet; null if all members can read it. */
  @Nullable String refusal(int version) {
    for (Map.Entry<String, Joined> each : joined.entrySet()) {
      if (each.getValue().version() < version) {
        return ("a message has version %s of the codec, but the member '%s' reads version %s;"
                + " upgrade all members before their clients")
            .formatted(version, each.getKey(), each.getValue().version());
      }
    }
    return null;
  }

  /** Returns whether members have joined, and all of them can read a version. */
  boolean allRead(int version) {
    return !joined.isEmpty() && refusal(version) == null;
  }

  /** Returns the members of the configuration and those that have joined. */
  List<MemberStatus> status() {
    Set<String> all = new TreeSet<>(addresses.keySet());
    all.addAll(joined.keySet());
    return all.stream()
        .map(id -> {
          Joined member = joined.get(id);
          return new MemberStatus(
              id, addresses.getOrDefault(id, ""), member == null ? 0 : member.version(), -1, -1);
        })
        .toList();
  }

  List<String> removed() {
    return List.copyOf(removed);
  }

  static void write(DataOutputStream out, Members members) throws IOException {
    Wire.list(
        out,
        members.joined.entrySet(),
        (to, each) -> {
          Wire.string(to, each.getKey());
          EntryCodec.uuid(to, each.getValue().storage());
          to.writeInt(each.getValue().version());
        });
    Wire.list(
        out,
        members.addresses.entrySet(),
        (to, each) -> {
          Wire.string(to, each.getKey());
          Wire.string(to, each.getValue());
        });
    Wire.list(out, members.removed, Wire::string);
  }

  void read(DataInputStream in, int version) throws IOException {
    for (JoinMember each : Wire.list(in, from -> EntryCodec.join(from, version))) {
      joined.put(each.id(), new Joined(each.storage(), each.version()));
    }
    if (version < 2) {
      return;
    }
    Wire.list(in, from -> Map.entry(Wire.string(from), Wire.string(from)))
        .forEach(each -> addresses.put(each.getKey(), each.getValue()));
    removed.addAll(Wire.list(in, Wire::string));
  }
}
