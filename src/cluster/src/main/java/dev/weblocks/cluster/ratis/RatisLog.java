package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Full;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import dev.weblocks.cluster.observe.ClusterEvents;
import dev.weblocks.cluster.observe.ClusterEvents.Begun;
import dev.weblocks.cluster.session.ReplicatedLog;
import dev.weblocks.lockmanager.UnsupportedVersionException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ratis.client.ClientFactory;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupInfoRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.util.JavaUtils;
import org.jspecify.annotations.Nullable;

/**
 * The log of a cluster of Ratis for its clients. Sends each message once, to the member that led
 * last, and follows a hint to another one. After a failure, the next message goes to the next
 * member, unless this one answers other messages; the sender repeats what was not answered. While
 * the leader answers others but not this client, another member forwards the messages. Thread-safe.
 */
public final class RatisLog implements ReplicatedLog, AutoCloseable {

  private static final System.Logger LOG = System.getLogger("dev.weblocks.cluster");

  private static final int REDIRECTS = 3;

  /** A read that the leader answers without asking the others. */
  private static final RaftClientRequest.Type PEEK = RaftClientRequest.readRequestType(true);

  /** A connection is in order if its member has answered a message within this time. */
  static final long ALIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Peers peers;

  /** The ids of the given members, and of those that replies have named. */
  private final CopyOnWriteArrayList<RaftPeerId> ids;

  private final RaftGroupId group;
  private final ClientId client = ClientId.randomId();
  private final RaftClientRpc rpc;
  private final LongSupplier nanoTime;
  private final AtomicLong calls = new AtomicLong();

  /** The index of the member that gets the next message. */
  private final AtomicInteger target = new AtomicInteger();

  /** How often the connection to a member was replaced. */
  private final Map<RaftPeerId, Integer> connections = new ConcurrentHashMap<>();

  private final Detour detour = new Detour();
  private final Refusals refusals;

  private record Answer(RaftPeerId member, RaftPeerId leader, long nanoTime) {}

  private volatile @Nullable Answer lastAnswer;

  private volatile @Nullable Full lastFull;

  /** Whether a member of the cluster has answered, though it may not lead. */
  private volatile boolean known;

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
                        tls == null
                            ? new Parameters()
                            : tls.parameters(/* acceptsWithoutRole= */ true)))
                .newRaftClientRpc(client, RatisOptions.ofClient()),
        System::nanoTime);
  }

  RatisLog(Peers peers, Function<ClientId, RaftClientRpc> connections, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.peers = peers;
    this.ids = new CopyOnWriteArrayList<>(peers.ids());
    this.group = peers.groupId();
    this.refusals = new Refusals(ids);
    this.rpc = connections.apply(client);
    rpc.addRaftPeers(peers.group().getPeers());
  }

  @Override
  public CompletableFuture<Reply> append(Entry entry) {
    List<Begun> events = new ArrayList<>(0);
    begin(entry, events);
    return send(EntryCodec.encode(entry), RaftClientRequest.writeRequestType(), REDIRECTS)
        .whenComplete((reply, failure) -> {
          for (Begun event : events) {
            event.end(failure == null ? "answered" : "failed");
          }
        });
  }

  private static void begin(Entry entry, List<Begun> events) {
    if (entry instanceof Several several) {
      several.entries().forEach(each -> begin(each, events));
    } else if (entry instanceof Batch batch) {
      Begun event = ClusterEvents.appends(batch.session(), batch.commands().size());
      if (event != null) {
        events.add(event);
      }
    }
  }

  @Override
  public CompletableFuture<Reply> read(Query query) {
    return send(EntryCodec.encode(query), RaftClientRequest.readRequestType(), REDIRECTS);
  }

  @Override
  public CompletableFuture<Reply> peek(Poll poll) {
    return send(EntryCodec.encode(poll), PEEK, REDIRECTS);
  }

  /**
   * Returns the log and the configuration of a member, which need not lead; null if it cannot be
   * reached. Waits for the answer.
   *
   * @throws IOException if it fails to answer, such as {@link GroupMismatchException}
   */
  @Nullable GroupInfoReply ask(String member) throws IOException {
    GroupInfoRequest request =
        new GroupInfoRequest(client, RaftPeerId.valueOf(member), group, calls.incrementAndGet());
    try {
      return rpc.sendRequest(request) instanceof GroupInfoReply info ? info : null;
    } catch (StatusRuntimeException failed) {
      if (failed.getStatus().getCode() == Status.Code.UNAVAILABLE) {
        // else the connection waits longer after each failure
        rpc.handleException(RaftPeerId.valueOf(member), failed, /* reconnect= */ true);
        return null;
      }
      throw GrpcUtil.unwrapException(failed);
    }
  }

  /** Notes that the cluster exists: an answer of another one does not end the search for it. */
  void setKnown() {
    known = true;
  }

  /** Returns the leader that has answered last; null before an answer. */
  public @Nullable String leader() {
    Answer answer = lastAnswer;
    return answer == null ? null : answer.leader().toString();
  }

  /** Returns {@link System#nanoTime} at the last answer of a leader; null before it. */
  public @Nullable Long lastAnswerNanos() {
    Answer answer = lastAnswer;
    return answer == null ? null : answer.nanoTime();
  }

  /**
   * A message on its way.
   *
   * @param addressed the {@link #target} to which it was sent; -1 for a given member
   * @param way the detour to the leader; null for none
   * @param connection the number of the connection on which it was sent
   */
  private record Sent(
      byte[] bytes,
      RaftClientRequest.Type type,
      int redirectsLeft,
      int addressed,
      RaftPeerId server,
      Detour.@Nullable Way way,
      int connection) {}

  private CompletableFuture<Reply> send(
      byte[] bytes, RaftClientRequest.Type type, int redirectsLeft) {
    int addressed = target.get();
    Detour.Way way = detour.of(addressed);
    if (way != null) {
      probeIfDue(way);
    }
    return send(bytes, type, redirectsLeft, addressed, ids.get(addressed % ids.size()), way);
  }

  /** Sends a message to a member, and not to another one. */
  CompletableFuture<Reply> sendTo(RaftPeer member, byte[] bytes, RaftClientRequest.Type type) {
    learn(member);
    return send(bytes, type, 0, /* addressed= */ -1, member.getId(), /* way= */ null);
  }

  private CompletableFuture<Reply> send(
      byte[] bytes,
      RaftClientRequest.Type type,
      int redirectsLeft,
      int addressed,
      RaftPeerId server,
      Detour.@Nullable Way way) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("the cluster was closed"));
    }
    int connection = connections.getOrDefault(server, 0);
    Sent sent = new Sent(bytes, type, redirectsLeft, addressed, server, way, connection);
    RaftClientRequest request = request(way == null ? server : way.leader(), bytes, type);
    return rpc.sendRequestAsyncUnordered(
            way == null
                ? request
                : ForwardedMessages.wrapped(request, server, calls.incrementAndGet()))
        .handle((reply, failure) -> answered(sent, reply, failure))
        .thenCompose(each -> each);
  }

  private RaftClientRequest request(RaftPeerId server, byte[] bytes, RaftClientRequest.Type type) {
    return RaftClientRequest.newBuilder()
        .setClientId(client)
        .setServerId(server)
        .setGroupId(group)
        .setCallId(calls.incrementAndGet())
        .setMessage(Message.valueOf(Peers.bytes(bytes)))
        .setType(type)
        .build();
  }

  private void probeIfDue(Detour.Way way) {
    if (detour.beginProbe(nanoTime.getAsLong())) {
      try {
        Thread.ofVirtual().name("weblocks-cluster-probe").start(() -> probe(way));
      } catch (Error exhausted) {
        detour.endProbe();
        throw exhausted;
      }
    }
  }

  /** Ends a detour if the leader answers. Called on a thread of its own, as it waits. */
  private void probe(Detour.Way way) {
    try {
      RaftClientRequest request =
          request(way.leader(), EntryCodec.encode(new SharedPoll(List.of())), PEEK);
      var unused = rpc.sendRequestAsyncUnordered(request).join(); // of any member, for clients, too
      detour.note(way.leader(), /* hasAnswered= */ true);
      detour.end(way);
      target.compareAndSet(way.target(), ids.indexOf(way.leader()));
    } catch (RuntimeException silent) { // bytes may vanish on the old connection
      if (!closed) {
        Throwable cause = JavaUtils.unwrapCompletionException(silent);
        rpc.handleException(way.leader(), cause, /* reconnect= */ true);
      }
    } finally {
      detour.endProbe();
    }
  }

  private CompletableFuture<Reply> answered(
      Sent sent, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
    if (reply != null && reply.isSuccess()) {
      known = true;
      detour.note(sent.server(), /* hasAnswered= */ true);
      Reply decoded = decode(reply);
      if (decoded instanceof NotLeading other) {
        return redirected(sent, learn(other.leader()), new IOException("no member leads"));
      }
      if (sent.type() != PEEK) { // a member that is cut off from the others answers those
        RaftPeerId leader = sent.way() == null ? sent.server() : sent.way().leader();
        lastAnswer = new Answer(sent.server(), leader, nanoTime.getAsLong());
        refusals.clear();
      }
      if (decoded instanceof Full full && !full.equals(lastFull)) {
        lastFull = full;
        LOG.log(Level.WARNING, "the cluster opens no session now: {0}", full.message());
      }
      return CompletableFuture.completedFuture(decoded);
    }
    Throwable cause =
        reply != null
            ? reply.getException()
            : JavaUtils.unwrapCompletionException(Objects.requireNonNull(failure));
    if (cause instanceof RaftException && !(cause instanceof GroupMismatchException)) {
      known = true;
    }
    if (cause instanceof StateMachineException refused) {
      return CompletableFuture.completedFuture(new Reply.Rejected(messageOf(refused)));
    }
    String refusal = Roles.refusal(cause);
    if (cause instanceof GroupMismatchException && !known) {
      // otherwise another cluster may use the port of a member that was removed
      refusal = peers.foreignMember(sent.server().toString());
    }
    if (refusal != null && refusals.add(sent.server(), refusal)) {
      return CompletableFuture.completedFuture(new Reply.Rejected(refusal));
    }
    if (cause instanceof TimeoutIOException && isAlive(sent.server())) {
      return CompletableFuture.failedFuture(cause); // other messages do not suffer from a slow one
    }
    boolean isBystander = cause instanceof AlreadyClosedException; // another message has failed
    if (cause instanceof IOException broken) {
      if (!isBystander) {
        detour.note(sent.server(), cause instanceof RaftException);
      }
      reconnect(sent, broken); // no stream survives a failure of a message
    }
    if (isBystander && detour.of(sent.addressed()) != null) {
      return CompletableFuture.failedFuture(cause); // the next connection forwards
    }
    RaftPeer suggested =
        cause instanceof NotLeaderException other ? other.getSuggestedLeader() : null;
    return redirected(sent, suggested == null ? "" : learn(suggested), cause);
  }

  private boolean isAlive(RaftPeerId member) {
    Answer last = lastAnswer;
    return last != null
        && last.member().equals(member)
        && nanoTime.getAsLong() - last.nanoTime() < ALIVE_NANOS;
  }

  /** Sends a message to the leader that the addressed member names, or fails. */
  private CompletableFuture<Reply> redirected(Sent sent, String leader, Throwable cause) {
    int known = leader.isEmpty() ? -1 : ids.indexOf(RaftPeerId.valueOf(leader));
    if (sent.way() != null) {
      detour.end(sent.way());
    }
    boolean namesItself = known >= 0 && ids.get(known).equals(sent.server());
    // a member that forwards names itself if it leads meanwhile
    if (known < 0 || (namesItself && sent.way() == null) || sent.redirectsLeft() == 0) {
      target.compareAndSet(sent.addressed(), (sent.addressed() + 1) % ids.size());
      return CompletableFuture.failedFuture(cause);
    }
    boolean forwards = sent.way() == null || !sent.way().leader().equals(ids.get(known));
    if (forwards && detour.begin(ids.get(known), sent.addressed(), nanoTime.getAsLong())) {
      return CompletableFuture.failedFuture(cause); // the connection is about to be replaced
    }
    target.compareAndSet(sent.addressed(), known);
    return send(sent.bytes(), sent.type(), sent.redirectsLeft() - 1);
  }

  /**
   * Replaces a connection, once. On a thread of its own: the end of the old connection waits for
   * its messages, one of which reports its failure on this thread.
   */
  private void reconnect(Sent sent, IOException broken) {
    connections.putIfAbsent(sent.server(), 0);
    if (!closed && connections.replace(sent.server(), sent.connection(), sent.connection() + 1)) {
      Thread.ofVirtual()
          .name("weblocks-cluster-reconnect")
          .start(() -> rpc.handleException(sent.server(), broken, /* reconnect= */ true));
    }
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
      LOG.log(Level.DEBUG, "closing the connections failed", late);
    }
  }
}
