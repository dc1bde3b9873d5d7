package dev.weblocks.harness.cluster;

import dev.weblocks.harness.cluster.Trial.Outcome;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The faults of the network between clients and members, and between members. */
final class NetworkFaults {

  private static final Duration DELAY = Duration.ofMillis(100);
  private static final long CUT_NANOS = Duration.ofMillis(250).toNanos();

  private final Trial trial;

  NetworkFaults(Trial trial) {
    this.trial = trial;
  }

  /** Disturbs the network for some time, and then observes how the clients recover. */
  Outcome run(Fault fault) throws IOException, EngineFailure, InterruptedException {
    String leader = trial.leader();
    long nanos = trial.disturbanceNanos();
    String member =
        switch (trial.network()) {
          case ProxyNetwork proxies -> disturb(proxies, fault, leader, nanos);
          case NamespaceNetwork namespaces -> split(namespaces, fault, leader, nanos);
        };
    long end = System.nanoTime();
    String later = Trial.seconds(trial.awaitGrantAfter(end));
    return new Outcome(
        member, -1, "for %s; a grant %s later".formatted(Trial.seconds(nanos), later));
  }

  /** Disturbs the connections of clients; returns the member that it hit. */
  private String disturb(ProxyNetwork proxies, Fault fault, String leader, long nanos)
      throws InterruptedException {
    List<TcpProxy> all = proxies.members().stream().map(proxies::of).toList();
    switch (fault) {
      case DELAY -> {
        all.forEach(each -> each.delay(DELAY));
        try {
          Trial.rest(nanos);
        } finally {
          all.forEach(each -> each.delay(Duration.ZERO));
        }
      }
      case LOSS -> {
        for (long left = nanos; left > 0; left -= CUT_NANOS) {
          all.get(trial.random().nextInt(all.size())).cut();
          Trial.rest(CUT_NANOS);
        }
      }
      case BLACK_HOLE -> {
        proxies.of(leader).beginBlackHole();
        try {
          Trial.rest(nanos);
        } finally {
          proxies.of(leader).endBlackHole();
        }
        return leader;
      }
      default -> throw new IllegalArgumentException(fault + " needs network namespaces");
    }
    return "all";
  }

  /** Drops packets between places; returns the member that it hit, and perhaps the direction. */
  private String split(NamespaceNetwork network, Fault fault, String leader, long nanos)
      throws IOException, InterruptedException {
    String hit = fault == Fault.PARTITION_FOLLOWER ? trial.otherThan(leader) : leader;
    try {
      switch (fault) {
        case PARTITION_LEADER, PARTITION_FOLLOWER -> network.isolate(hit, network.places());
        case PARTITION_MINORITY -> network.isolate(hit, network.members());
        case PARTITION_ONE_WAY -> {
          boolean leaves = trial.random().nextBoolean();
          for (String other : network.members()) {
            if (!other.equals(leader)) {
              network.cut(leaves ? leader : other, leaves ? other : leader);
            }
          }
          hit += leaves ? " out" : " in";
        }
        case PARTITION_CLIENT_FROM_LEADER -> network.isolate(hit, List.of(NamespaceNetwork.HERE));
        default -> throw new IllegalArgumentException(fault + " needs proxies");
      }
      Trial.rest(nanos);
    } finally {
      network.heal();
    }
    return hit;
  }
}
