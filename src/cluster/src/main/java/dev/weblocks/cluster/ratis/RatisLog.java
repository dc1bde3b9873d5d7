package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import dev.weblocks.cluster.session.ReplicatedLog;
import dev.weblocks.lockmanager.UnsupportedVersionException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.client.ClientFactory;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.util.JavaUtils;
import org.jspecify.annotations.Nullable;

/**
 * The log of a cluster of Ratis for its clients. Sends each message once, to the member that led
 * last, and follows a hint to another one. After a failure, the next message goes to the next
 * member; the sender repeats what was not answered. Thread-safe.
 */
public final class RatisLog implements ReplicatedLog, AutoCloseable {

  private static final int REDIRECTS = 3;

  private final Peers peers;

  /** The ids of the given members, and of those that replies have named. */
  private final CopyOnWriteArrayList<RaftPeerId> ids;

  private final RaftGroupId group;
  private final ClientId client = ClientId.randomId();
  private final RaftClientRpc rpc;
  private final AtomicLong calls = new AtomicLong();

  /** The index of the member that gets the next message. */
  private final AtomicInteger target = new AtomicInteger();

  private volatile boolean closed;

  /**
   * Creates a log; connects when it is used.
   *
   * @param tls null for connections without encryption
   */
  public RatisLog(Peers peers, @Nullable Tls tls) {
    this.peers = peers;
    this.ids = new CopyOnWriteArrayList<>(peers.ids());
    this.group = peers.groupId();
    RaftProperties properties = RatisOptions.ofClient();
    Parameters parameters = tls == null ? new Parameters() : tls.parameters();
    this.rpc =
        ClientFactory.cast(SupportedRpcType.GRPC.newFactory(parameters))
            .newRaftClientRpc(client, properties);
    rpc.addRaftPeers(peers.group().getPeers());
  }

  @Override
  public CompletableFuture<Reply> append(Entry entry) {
    return send(EntryCodec.encode(entry), RaftClientRequest.writeRequestType(), REDIRECTS);
  }

  @Override
  public CompletableFuture<Reply> read(Query query) {
    return send(EntryCodec.encode(query), RaftClientRequest.readRequestType(), REDIRECTS);
  }

  /** Returns the member that has answered last, usually the leader. */
  public String leader() {
    return ids.get(target.get() % ids.size()).toString();
  }

  private CompletableFuture<Reply> send(
      byte[] bytes, RaftClientRequest.Type type, int redirectsLeft) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the cluster was closed"));
    }
    int addressed = target.get();
    RaftPeerId server = ids.get(addressed % ids.size());
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(server)
            .setGroupId(group)
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(Peers.bytes(bytes)))
            .setType(type)
            .build();
    return rpc.sendRequestAsyncUnordered(request)
        .handle((reply, failure) -> answered(bytes, type, redirectsLeft, addressed, reply, failure))
        .thenCompose(each -> each);
  }

  private CompletableFuture<Reply> answered(
      byte[] bytes,
      RaftClientRequest.Type type,
      int redirectsLeft,
      int addressed,
      @Nullable RaftClientReply reply,
      @Nullable Throwable failure) {
    String hint = null;
    Throwable cause = failure == null ? null : JavaUtils.unwrapCompletionException(failure);
    if (reply != null) {
      if (reply.isSuccess()) {
        Reply decoded = decode(reply);
        if (!(decoded instanceof NotLeading other)) {
          return CompletableFuture.completedFuture(decoded);
        }
        hint = learn(other.leader());
      } else if (reply.getException() instanceof StateMachineException refused) {
        return CompletableFuture.completedFuture(new Reply.Rejected(messageOf(refused)));
      } else {
        cause = reply.getException();
      }
    }
    if (cause instanceof NotLeaderException other) { // usually thrown, not replied
      RaftPeer suggested = other.getSuggestedLeader();
      hint = suggested == null ? "" : learn(suggested);
    }
    if (cause instanceof GroupMismatchException) {
      return CompletableFuture.completedFuture(
          new Reply.Rejected(
              "the member '"
                  + ids.get(addressed % ids.size())
                  + "' belongs to another cluster than '"
                  + peers.clusterId()
                  + "'"));
    }
    int known = hint == null || hint.isEmpty() ? -1 : ids.indexOf(RaftPeerId.valueOf(hint));
    if (known >= 0 && known != addressed % ids.size() && redirectsLeft > 0) {
      target.compareAndSet(addressed, known);
      return send(bytes, type, redirectsLeft - 1);
    }
    target.compareAndSet(addressed, (addressed + 1) % ids.size());
    if (cause instanceof IOException broken && hint == null && !closed) {
      rpc.handleException(ids.get(addressed % ids.size()), broken, /* reconnect= */ true);
    }
    return CompletableFuture.failedFuture(
        cause == null ? new IOException("no member leads") : cause);
  }

  /** Decodes a reply; a client that cannot read it has to be upgraded, not to ask again. */
  private static Reply decode(RaftClientReply reply) {
    try {
      return EntryCodec.decodeReply(reply.getMessage().getContent().toByteArray());
    } catch (UnsupportedVersionException other) {
      return new Reply.Rejected(
          "the member '%s' replies in version %s of the codec, but this client reads version 1 to %s; upgrade this client"
              .formatted(reply.getServerId(), other.version(), EntryCodec.VERSION));
    }
  }

  /** Adds a member that has replaced another one, and returns the id. */
  private String learn(RaftPeer member) {
    if (!ids.contains(member.getId())) {
      rpc.addRaftPeers(List.of(member));
      ids.addIfAbsent(member.getId());
    }
    return member.getId().toString();
  }

  /** Adds a member of the form {@code id=host:port}, and returns the id. */
  private String learn(String member) {
    int equals = member.indexOf('=');
    if (equals < 0) {
      return member;
    }
    return learn(
        RaftPeer.newBuilder()
            .setId(member.substring(0, equals))
            .setAddress(member.substring(equals + 1))
            .build());
  }

  private static String messageOf(StateMachineException refused) {
    Throwable cause = refused.getCause() == null ? refused : refused.getCause();
    return String.valueOf(cause.getMessage());
  }

  @Override
  public void close() {
    closed = true;
    try {
      rpc.close();
    } catch (IOException | RuntimeException late) {
      System.getLogger("dev.weblocks.cluster")
          .log(System.Logger.Level.DEBUG, "closing the connections failed", late);
    }
  }
}
