package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.cluster.machine.ClusterMachine;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.RaiseVersion;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.LeaderSessions;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.lockmanager.UnsupportedVersionException;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.ratis.io.CorruptedFileException;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * The machine of a member, as Ratis calls it. In the log, each entry comes after the time of day at
 * which the leader has written it, in eight bytes.
 */
final class LockStateMachine extends BaseStateMachine {

  private static final System.Logger LOG = System.getLogger("dev.weblocks.cluster");

  private static final String REMOVED =
      "the member '%s' is not a member of the cluster; if it was removed, delete its folder";

  /** The sessions that one entry ends. */
  private static final int EXPIRIES = 1_000;

  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

  /** The secret id with which this member appends entries. */
  private final ClientId own;

  private final String id;
  private final Executor executor;
  private final LongConsumer onApplied;
  private final Consumer<Throwable> onBroken;
  private final Consumer<String> onRefused;

  private final LongAdder refused = new LongAdder();

  // guarded by this
  private ClusterMachine machine;
  private long bytesSinceSnapshot;
  private LeaderSessions leaderSessions;

  private volatile String leader = "";

  /** Null for none; a field, as Ratis looks at it several times for each entry. */
  private volatile @Nullable SnapshotInfo latestSnapshot;

  /**
   * Creates a machine.
   *
   * @param executor completes answers to clients that wait, in order
   * @param onApplied is called with the index of each entry that was applied
   * @param onBroken is called if the log or the machine failed, so that this member has to start
   *     again
   * @param onRefused is called with the reason if this member cannot take part, also after another
   *     start
   */
  LockStateMachine(
      ClientId own,
      String id,
      Executor executor,
      LongConsumer onApplied,
      Consumer<Throwable> onBroken,
      Consumer<String> onRefused) {
    this.own = own;
    this.id = id;
    this.executor = executor;
    this.onApplied = onApplied;
    this.onBroken = onBroken;
    this.onRefused = onRefused;
    this.machine = new ClusterMachine();
    this.leaderSessions = new LeaderSessions(machine, executor);
  }

  /** Says that the JVM has less heap than the clients may fill. */
  static void warnOfSmallHeap(String id) {
    long heap = Runtime.getRuntime().maxMemory();
    if (heap < Caps.HEAP / 16 * 15) { // some collectors do not count all that -Xmx gives
      LOG.log(
          System.Logger.Level.WARNING,
          "the member ''{0}'' has a heap of {1} MiB, and clients may store what needs {2} MiB: give the JVM -Xmx{2}m",
          id,
          String.valueOf(heap >> 20),
          String.valueOf(Caps.HEAP >> 20));
    }
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
      throws IOException {
    super.initialize(server, group, raftStorage);
    storage.init(raftStorage);
    getLifeCycle().transition(LifeCycle.State.STARTING);
    load();
    getLifeCycle().transition(LifeCycle.State.RUNNING); // only a running machine can pause
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return storage;
  }

  /** {@inheritDoc} The storage would list its folder each time until there is one. */
  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    return latestSnapshot;
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() throws IOException {
    load();
    if (getLifeCycleState() == LifeCycle.State.PAUSED) {
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
  }

  /** Replaces the machine by the one of the latest snapshot, if there is one. */
  private void load() throws IOException {
    SingleFileSnapshotInfo latest = storage.loadLatestSnapshot();
    latestSnapshot = latest;
    if (latest == null) {
      return;
    }
    File file = latest.getFile().getPath().toFile();
    if (!MD5FileUtil.computeMd5ForFile(file).equals(MD5FileUtil.readStoredMd5ForFile(file))) {
      throw new CorruptedFileException(file, "the snapshot has another hash than its file .md5");
    }
    ClusterMachine restored;
    try {
      restored = ClusterMachine.restore(Files.readAllBytes(file.toPath()));
    } catch (IllegalArgumentException unreadable) {
      onRefused.accept(file + ": " + unreadable.getMessage());
      throw new IOException(unreadable);
    }
    synchronized (this) {
      leaderSessions.becomeFollower();
      machine = restored;
      leaderSessions = new LeaderSessions(machine, executor);
      setLastAppliedTermIndex(SimpleStateMachineStorage.getTermIndexFromSnapshotFile(file));
    }
  }

  @Override
  public long takeSnapshot() throws IOException {
    byte[] bytes;
    TermIndex at;
    synchronized (this) {
      at = getLastAppliedTermIndex();
      bytes = machine.snapshot();
    }
    if (at.getIndex() < 0) {
      return at.getIndex(); // nothing was applied
    }
    File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
    MD5Hash md5 = store(bytes, file);
    latestSnapshot =
        storage.updateLatestSnapshot(
            new SingleFileSnapshotInfo(
                new FileInfo(file.toPath(), md5), at.getTerm(), at.getIndex()));
    synchronized (this) {
      bytesSinceSnapshot = 0;
    }
    return at.getIndex();
  }

  /** Writes a snapshot with its hash; leaves neither if the disk is full. */
  private static MD5Hash store(byte[] bytes, File file) throws IOException {
    Path whole = Path.of(file.getPath() + ".tmp");
    try {
      try (FileOutputStream out = new FileOutputStream(whole.toFile())) {
        out.write(bytes);
        out.getFD().sync();
      }
      MD5Hash md5 = MD5FileUtil.computeMd5ForFile(whole.toFile());
      MD5FileUtil.saveMD5File(file, md5);
      Files.move(whole, file.toPath(), StandardCopyOption.ATOMIC_MOVE);
      return md5;
    } catch (IOException failed) {
      Files.deleteIfExists(whole);
      Files.deleteIfExists(MD5FileUtil.getDigestFileForFile(file).toPath());
      throw failed;
    }
  }

  /**
   * Returns the size of the entries that were applied since the last snapshot, or since a start.
   */
  synchronized long bytesSinceSnapshot() {
    return bytesSinceSnapshot;
  }

  /** {@inheritDoc} Refuses what this build cannot apply, and what only a leader may write. */
  @Override
  public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
    ByteString content = request.getMessage().getContent();
    TransactionContext.Builder transaction =
        TransactionContext.newBuilder()
            .setStateMachine(this)
            .setClientRequest(request)
            .setServerRole(RaftPeerRole.LEADER);
    String refusal = refusal(content, request.getClientId());
    if (refusal != null) {
      TransactionContext refused = transaction.setLogData(ByteString.EMPTY).build();
      refused.setException(new IOException(refusal));
      return refused;
    }
    ByteBuffer time = ByteBuffer.allocate(Long.BYTES);
    time.putLong(0, System.currentTimeMillis() * 1_000_000);
    return transaction.setLogData(ByteString.copyFrom(time).concat(content)).build();
  }

  private @Nullable String refusal(ByteString content, ClientId client) {
    if (content.size() > Caps.MESSAGE) {
      return tooLarge(content.size());
    }
    try {
      Entry entry = EntryCodec.decodeEntry(content.toByteArray());
      List<Entry> parts = entry instanceof Several several ? several.entries() : List.of(entry);
      if (parts.stream().anyMatch(LockStateMachine::isOfLeader) && !client.equals(own)) {
        return "only the leader ends sessions that are silent, and begins the rules of a version";
      }
      synchronized (this) { // the entry of a join contains the version
        String refusal =
            entry instanceof JoinMember ? null : machine.refusal(EntryCodec.version(entry));
        if (refusal == null) {
          refusal = machine.refusal(entry);
          refused.add(refusal == null ? 0 : 1);
        }
        return refusal;
      }
    } catch (IllegalArgumentException malformed) {
      return explained(malformed);
    }
  }

  private static String tooLarge(int size) {
    return "the message has %s bytes, and %s are the limit".formatted(size, Caps.MESSAGE);
  }

  private static boolean isOfLeader(Entry entry) {
    return entry instanceof ExpireSession || entry instanceof RaiseVersion;
  }

  /** Returns the message for a client that has sent something that cannot be decoded. */
  private String explained(IllegalArgumentException malformed) {
    return malformed instanceof UnsupportedVersionException other
        ? "version %s of the codec was sent to the member '%s', which reads version 1 to %s; upgrade all members before their clients"
            .formatted(other.version(), id, EntryCodec.VERSION)
        : String.valueOf(malformed.getMessage());
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto logged = transaction.getLogEntry();
    try {
      ByteString data = logged.getStateMachineLogEntry().getLogData();
      ByteBuffer bytes = data.asReadOnlyByteBuffer();
      long time = bytes.getLong();
      byte[] rest = new byte[bytes.remaining()];
      bytes.get(rest);
      Entry entry = decode(rest, logged.getIndex());
      Reply reply;
      synchronized (this) {
        reply = leaderSessions.apply(entry, logged.getIndex(), time, System.nanoTime());
        refused.add(machine.takeRefused());
        updateLastAppliedTermIndex(logged.getTerm(), logged.getIndex());
        bytesSinceSnapshot += data.size();
      }
      onApplied.accept(logged.getIndex());
      return CompletableFuture.completedFuture(
          transaction.getServerRole() == RaftPeerRole.LEADER ? message(reply) : Message.EMPTY);
    } catch (RuntimeException | Error broken) {
      onBroken.accept(broken); // does nothing for a refused member
      throw broken; // Ratis closes the server: a member that cannot apply an entry must not go on
    }
  }

  private Entry decode(byte[] bytes, long index) {
    try {
      return EntryCodec.decodeEntry(bytes);
    } catch (IllegalArgumentException unreadable) {
      onRefused.accept("entry " + index + " of the log: " + unreadable.getMessage());
      throw unreadable;
    }
  }

  @Override
  public CompletableFuture<Message> query(Message request) {
    int size = request.getContent().size();
    if (size > Caps.MESSAGE) {
      return CompletableFuture.completedFuture(message(new Reply.Rejected(tooLarge(size))));
    }
    try {
      var query = EntryCodec.decodeQuery(request.getContent().toByteArray());
      CompletableFuture<Reply> reply;
      synchronized (this) {
        reply = leaderSessions.read(query, System.nanoTime());
      }
      return reply.thenApply(this::completed);
    } catch (IllegalArgumentException malformed) {
      return CompletableFuture.completedFuture(message(new Reply.Rejected(explained(malformed))));
    }
  }

  private Message completed(Reply reply) {
    return message(
        switch (reply) {
          case Reply.NotLeading none -> new Reply.NotLeading(leaderWithAddress());
          case Reply.Status status ->
              new Reply.Status(status.sessions(), contacts(status.members()), status.removed());
          default -> reply;
        });
  }

  /** Returns the leader for clients, which may not know a member that has replaced another. */
  private synchronized String leaderWithAddress() {
    String address = machine.addressOf(leader);
    return address == null ? leader : leader + "=" + address;
  }

  /**
   * Adds what the leader knows of the other members from their answers. Called without the monitor,
   * as it takes locks of Ratis.
   */
  private List<MemberStatus> contacts(List<MemberStatus> members) {
    RaftServer.Division division;
    try {
      division = getServer().join().getDivision(getGroupId());
    } catch (IOException closing) {
      return members;
    }
    Map<String, Long> silent = new HashMap<>();
    silent.put(id, 0L);
    for (ServerRpcProto each :
        division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()) {
      silent.put(each.getId().getId().toStringUtf8(), each.getLastRpcElapsedTimeMs());
    }
    Map<String, Long> committed = new HashMap<>();
    division
        .getCommitInfos()
        .forEach(
            each -> committed.put(each.getServer().getId().toStringUtf8(), each.getCommitIndex()));
    long newest = committed.getOrDefault(id, 0L);
    return members.stream()
        .map(each ->
            new MemberStatus(
                each.id(),
                each.address(),
                each.version(),
                silent.getOrDefault(each.id(), -1L),
                committed.containsKey(each.id()) ? newest - committed.get(each.id()) : -1))
        .toList();
  }

  private static Message message(Reply reply) {
    return Message.valueOf(Peers.bytes(EntryCodec.encode(reply)));
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
    leader = newLeader.toString();
    if (!newLeader.equals(member.getPeerId())) {
      synchronized (this) {
        leaderSessions.becomeFollower();
      }
    }
  }

  @Override
  public void notifyLeaderReady() {
    synchronized (this) {
      leaderSessions.becomeLeader(System.nanoTime());
    }
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    synchronized (this) {
      leaderSessions.becomeFollower();
    }
  }

  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto configuration) {
    if (configuration.getOldPeersCount() > 0) {
      return; // a change that may fail
    }
    Map<String, String> addresses = new HashMap<>();
    configuration
        .getPeersList()
        .forEach(each -> addresses.put(each.getId().toStringUtf8(), each.getAddress()));
    synchronized (this) {
      machine.configure(addresses);
      if (!machine.isRemoved(id)) {
        return;
      }
    }
    onRefused.accept(REMOVED.formatted(id));
  }

  /** {@inheritDoc} Called when others refuse the votes of this member. */
  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
    if (!allServer) {
      onRefused.accept(REMOVED.formatted(id));
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failed) {
    onBroken.accept(cause);
  }

  /**
   * Returns entries that end the silent sessions, or begin the newest rules, while this member
   * leads.
   */
  synchronized List<Entry> look() {
    List<Entry> entries = new ArrayList<>();
    RaiseVersion raise = leaderSessions.collectRaise();
    if (raise != null) {
      entries.add(raise);
    }
    List<ExpireSession> silent = leaderSessions.collectSilent(System.nanoTime());
    if (machine.refusal(EntryCodec.version(new Several(List.of()))) != null) {
      entries.addAll(silent);
      return entries;
    }
    for (int from = 0; from < silent.size(); from += EXPIRIES) {
      List<ExpireSession> some = silent.subList(from, Math.min(silent.size(), from + EXPIRIES));
      entries.add(some.size() == 1 ? some.getFirst() : new Several(List.copyOf(some)));
    }
    return entries;
  }

  /** Handles that an entry of {@link #look} could not be appended. */
  synchronized void failed(Entry entry) {
    switch (entry) {
      case Several several -> several.entries().forEach(this::failed);
      case RaiseVersion raise -> leaderSessions.raiseFailed();
      case ExpireSession expiry -> leaderSessions.expiryFailed(expiry);
      default -> throw new IllegalArgumentException("not of a leader: " + entry);
    }
  }

  /** Returns how many commands were refused because of a limit, before or after logging. */
  long refused() {
    return refused.sum();
  }

  synchronized int sessionCount() {
    return machine.sessionCount();
  }
}
