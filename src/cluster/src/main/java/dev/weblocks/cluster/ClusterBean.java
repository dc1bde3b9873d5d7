package dev.weblocks.cluster;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The MXBean of a lock cluster; called on threads of the MBean server. */
record ClusterBean(LockCluster cluster) implements LockClusterMXBean {

  private static final long NONE = -1;

  private @Nullable MemberStatus member() {
    return cluster.metrics().member();
  }

  @Override
  public String getLeader() {
    String leader = cluster.metrics().leader();
    return leader == null ? "" : leader;
  }

  @Override
  public long getMillisSinceAnswer() {
    var since = cluster.metrics().sinceAnswer();
    return since == null ? NONE : since.toMillis();
  }

  @Override
  public int getCommandsInFlight() {
    return cluster.metrics().commandsInFlight();
  }

  @Override
  public Map<String, Long> getLeaseLeftMillis() {
    Map<String, Long> byName = new TreeMap<>();
    for (LocalSession session : cluster.metrics().sessions()) {
      byName.put(session.userAgent(), session.leaseLeft().toMillis());
    }
    return byName;
  }

  @Override
  public boolean isMemberRunning() {
    MemberStatus member = member();
    return member != null && member.isRunning();
  }

  @Override
  public boolean isLeading() {
    MemberStatus member = member();
    return member != null && member.leads();
  }

  @Override
  public long getTerm() {
    MemberStatus member = member();
    return member == null ? NONE : member.term();
  }

  @Override
  public long getAppliedIndex() {
    MemberStatus member = member();
    return member == null ? NONE : member.appliedIndex();
  }

  @Override
  public long getLag() {
    MemberStatus member = member();
    return member == null ? NONE : member.lag();
  }

  @Override
  public long getRefusedCommands() {
    MemberStatus member = member();
    return member == null ? NONE : member.refusedCommands();
  }

  @Override
  public String getRefusal() {
    MemberStatus member = member();
    String refusal = member == null ? null : member.refusal();
    return refusal == null ? "" : refusal;
  }
}
