package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.cluster.machine.Reply.Status;
import dev.weblocks.cluster.ratis.PeerRole.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.retry.ExceptionDependentRetry;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * The replacement of a member by another one, as one change of the configuration of Ratis. The
 * leader first sends the log to the new member, which runs without a configuration. Then the old
 * and the new members agree on the change.
 */
public final class MemberReplacement {

  private static final int ATTEMPTS = 10;

  private MemberReplacement() {}

  /**
   * Replaces a member; returns when the new one takes part.
   *
   * @param status of the cluster
   * @param removed the id of the member to remove
   * @param added the new member alone
   * @param tls null for connections without encryption
   * @throws IOException if the members are not as expected, the new one does not answer, or the
   *     certificate is one of a client; the message says what to do
   */
  public static void replace(Status status, String removed, Peers added, @Nullable Tls tls)
      throws IOException {
    if (tls != null && tls.role().kind() == Kind.CLIENT) {
      throw new IOException(tls.role().notOfMember("the replacement of a member"));
    }
    Map<String, String> before = new LinkedHashMap<>();
    for (MemberStatus each : status.members()) {
      if (each.address().isEmpty()) {
        throw new IOException(
            "the leader runs a version of Weblocks that cannot replace members; upgrade all"
                + " members first");
      }
      before.put(each.id(), each.address());
    }
    String id = added.addresses().keySet().iterator().next();
    if (status.removed().contains(id)) {
      throw new IOException(
          "the id '" + id + "' belonged to a member that was removed; use a new one");
    }
    if (!before.containsKey(removed) && before.containsKey(id)) {
      return; // an earlier attempt has succeeded
    }
    if (before.containsKey(id)) {
      throw new IOException("'" + id + "' is already a member; give the new one a new id");
    }
    Peers current = new Peers(added.clusterId(), before);
    try {
      current.addressOf(removed);
    } catch (IllegalArgumentException unknown) {
      throw new IOException(unknown.getMessage(), unknown);
    }
    if (before.size() == 1) {
      throw new IOException(
          "'"
              + removed
              + "' is the only member: a new one could not get its data; start a new cluster");
    }
    Map<String, String> after = new LinkedHashMap<>(before);
    after.remove(removed);
    after.putAll(added.addresses());
    change(current, new Peers(added.clusterId(), after), id + "=" + added.addressOf(id), tls);
  }

  private static void change(Peers current, Peers next, String added, @Nullable Tls tls)
      throws IOException {
    SetConfigurationRequest.Arguments change =
        SetConfigurationRequest.Arguments.newBuilder()
            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
            .setServersInCurrentConf(members(current))
            .setServersInNewConf(members(next))
            .build();
    try (RaftClient client =
        RaftClient.newBuilder()
            .setRaftGroup(current.group())
            .setProperties(RatisOptions.ofAdministrator())
            .setParameters(
                tls == null ? new Parameters() : tls.parameters(/* acceptsWithoutRole= */ true))
            .setRetryPolicy(
                ExceptionDependentRetry.newBuilder()
                    .setDefaultPolicy(
                        RetryPolicies.retryUpToMaximumCountWithFixedSleep(
                            ATTEMPTS, TimeDuration.valueOf(500, TimeUnit.MILLISECONDS)))
                    .setExceptionToPolicy(
                        ReconfigurationTimeoutException.class, RetryPolicies.noRetry())
                    .build())
            .build()) {
      RaftClientReply reply = client.admin().setConfiguration(change);
      if (!reply.isSuccess()) {
        throw reply.getException();
      }
    } catch (IOException failed) {
      Throwable root = failed;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      throw new IOException(
          root instanceof ReconfigurationTimeoutException
              ? "the new member "
                  + added
                  + " does not answer; start it with the other members in its list, and repeat this"
              : "the member was not replaced: " + root.getMessage(),
          failed);
    }
  }

  private static List<RaftPeer> members(Peers peers) {
    return new ArrayList<>(peers.group().getPeers());
  }
}
