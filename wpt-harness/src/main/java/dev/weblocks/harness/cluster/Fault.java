package dev.weblocks.harness.cluster;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** An event that a lock cluster has to survive. */
public enum Fault {
  KILL_LEADER(Network.ANY),
  KILL_FOLLOWER(Network.ANY),
  KILL_ALL(Network.ANY),
  STOP_LEADER(Network.ANY),
  STOP_FOLLOWER(Network.ANY),
  RESTART_EACH(Network.ANY),
  KILL_HOLDER(Network.ANY),
  STOP_HOLDER(Network.ANY),
  STOP_HOLDER_BRIEFLY(Network.ANY),
  TERMINATE(Network.ANY),
  DELAY(Network.PROXIES),
  LOSS(Network.PROXIES),
  BLACK_HOLE(Network.PROXIES),
  PARTITION_LEADER(Network.NAMESPACES),
  PARTITION_FOLLOWER(Network.NAMESPACES),
  PARTITION_MINORITY(Network.NAMESPACES),
  PARTITION_ONE_WAY(Network.NAMESPACES),
  PARTITION_CLIENT_FROM_LEADER(Network.NAMESPACES),
  PARTITION_HOLDER(Network.NAMESPACES);

  private enum Network {
    ANY,
    PROXIES,
    NAMESPACES
  }

  private final Network network;

  Fault(Network network) {
    this.network = network;
  }

  /** Returns whether the fault is possible with, or else without, network namespaces. */
  public boolean isPossible(boolean namespaces) {
    return network != (namespaces ? Network.PROXIES : Network.NAMESPACES);
  }

  /** Returns whether the fault is one of a holder, not of members or of clients' connections. */
  public boolean hitsHolder() {
    return switch (this) {
      case KILL_HOLDER, STOP_HOLDER, STOP_HOLDER_BRIEFLY, TERMINATE, PARTITION_HOLDER -> true;
      default -> false;
    };
  }

  /** Returns the faults that are possible with, or else without, network namespaces. */
  public static List<Fault> possible(boolean namespaces) {
    return Stream.of(values()).filter(each -> each.isPossible(namespaces)).toList();
  }

  /** Returns the name in the command line and in reports. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
