package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import dev.weblocks.cluster.observe.ClusterEvents;
import dev.weblocks.cluster.observe.ClusterEvents.Begun;
import dev.weblocks.cluster.session.ReplicatedLog;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.ratis.client.ClientFactory;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
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
  private final List<RaftPeerId> ids;
  private final RaftGroupId group;
  private final ClientId client = ClientId.randomId();
  private final RaftClientRpc rpc;
  private final AtomicLong calls = new AtomicLong();

  /** The index of the member that gets the next message. */
  private final AtomicInteger target = new AtomicInteger();

  /** How often the connection to a member was replaced. */
  private final Map<RaftPeerId, Integer> connections = new ConcurrentHashMap<>();

  private record Answer(RaftPeerId member, long nanoTime) {}

  private volatile @Nullable Answer lastAnswer;

  private volatile boolean closed;

  /**
   * Creates a log; connects when it is used.
   *
   * @param tls null for connections without encryption
   */
  public RatisLog(Peers peers, @Nullable Tls tls) {
    this(
        peers,
        client ->
            ClientFactory.cast(
                    SupportedRpcType.GRPC.newFactory(
                        tls == null ? new Parameters() : tls.parameters()))
                .newRaftClientRpc(client, RatisOptions.ofClient()));
  }

  RatisLog(Peers peers, Function<ClientId, RaftClientRpc> connections) {
    this.peers = peers;
    this.ids = peers.ids();
    this.group = peers.groupId();
    this.rpc = connections.apply(client);
    rpc.addRaftPeers(peers.group().getPeers());
  }

  @Override
  public CompletableFuture<Reply> append(Entry entry) {
    Begun event =
        entry instanceof Batch batch
            ? ClusterEvents.appends(batch.session(), batch.commands().size())
            : null;
    CompletableFuture<Reply> answer =
        send(new Sent(EntryCodec.encode(entry), RaftClientRequest.writeRequestType()));
    return event == null
        ? answer
        : answer.whenComplete(
            (reply, failure) -> event.end(failure == null ? "answered" : "failed"));
  }

  @Override
  public CompletableFuture<Reply> read(Query query) {
    return send(new Sent(EntryCodec.encode(query), RaftClientRequest.readRequestType()));
  }

  /** Returns the member that has answered last, usually the leader; null before an answer. */
  public @Nullable String leader() {
    Answer answer = lastAnswer;
    return answer == null ? null : answer.member().toString();
  }

  /** Returns {@link System#nanoTime} at the last answer of a leader; null before it. */
  public @Nullable Long lastAnswerNanos() {
    Answer answer = lastAnswer;
    return answer == null ? null : answer.nanoTime();
  }

  /**
   * A message on its way.
   *
   * @param addressed the {@link #target} to which it was sent
   * @param connection the number of the connection on which it was sent
   */
  private record Sent(
      byte[] bytes, RaftClientRequest.Type type, int redirectsLeft, int addressed, int connection) {

    Sent(byte[] bytes, RaftClientRequest.Type type) {
      this(bytes, type, REDIRECTS, 0, 0);
    }
  }

  private CompletableFuture<Reply> send(Sent message) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the cluster was closed"));
    }
    int addressed = target.get();
    RaftPeerId server = memberAt(addressed);
    Sent sent =
        new Sent(
            message.bytes(),
            message.type(),
            message.redirectsLeft(),
            addressed,
            connections.getOrDefault(server, 0));
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(server)
            .setGroupId(group)
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(Peers.bytes(sent.bytes())))
            .setType(sent.type())
            .build();
    return rpc.sendRequestAsyncUnordered(request)
        .handle((reply, failure) -> answered(sent, reply, failure))
        .thenCompose(each -> each);
  }

  private RaftPeerId memberAt(int addressed) {
    return ids.get(addressed % ids.size());
  }

  private CompletableFuture<Reply> answered(
      Sent sent, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
    RaftPeerId server = memberAt(sent.addressed());
    if (reply != null && reply.isSuccess()) {
      Reply decoded = EntryCodec.decodeReply(reply.getMessage().getContent().toByteArray());
      if (decoded instanceof NotLeading other) {
        return redirected(sent, other.leader(), new IOException("no member leads"));
      }
      lastAnswer = new Answer(server, System.nanoTime());
      return CompletableFuture.completedFuture(decoded);
    }
    Throwable cause =
        reply != null
            ? reply.getException()
            : JavaUtils.unwrapCompletionException(Objects.requireNonNull(failure));
    if (cause instanceof StateMachineException refused) {
      return CompletableFuture.completedFuture(new Reply.Rejected(messageOf(refused)));
    }
    if (cause instanceof GroupMismatchException) {
      return CompletableFuture.completedFuture(
          new Reply.Rejected(
              "the member at %s belongs to another cluster than '%s'"
                  .formatted(peers.addressOf(server.toString()), peers.clusterId())));
    }
    if (cause instanceof IOException broken) {
      reconnect(server, sent.connection(), broken); // no stream survives a failure of a message
    }
    RaftPeer suggested =
        cause instanceof NotLeaderException other ? other.getSuggestedLeader() : null;
    return redirected(sent, suggested == null ? "" : suggested.getId().toString(), cause);
  }

  /** Sends a message to the leader that the addressed member names, or fails. */
  private CompletableFuture<Reply> redirected(Sent sent, String leader, Throwable cause) {
    int known = leader.isEmpty() ? -1 : ids.indexOf(RaftPeerId.valueOf(leader));
    if (known < 0 || known == sent.addressed() % ids.size() || sent.redirectsLeft() == 0) {
      target.compareAndSet(sent.addressed(), (sent.addressed() + 1) % ids.size());
      return CompletableFuture.failedFuture(cause);
    }
    target.compareAndSet(sent.addressed(), known);
    return send(new Sent(sent.bytes(), sent.type(), sent.redirectsLeft() - 1, sent.addressed(), 0));
  }

  /**
   * Replaces a connection, once. On a thread of its own: the end of the old connection waits for
   * its messages, one of which reports its failure on this thread.
   */
  private void reconnect(RaftPeerId member, int connection, IOException broken) {
    connections.putIfAbsent(member, 0);
    if (!closed && connections.replace(member, connection, connection + 1)) {
      Thread.ofVirtual()
          .name("weblocks-cluster-reconnect")
          .start(() -> rpc.handleException(member, broken, /* reconnect= */ true));
    }
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
