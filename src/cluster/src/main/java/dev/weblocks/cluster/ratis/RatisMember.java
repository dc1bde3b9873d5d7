package dev.weblocks.cluster.ratis;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.observe.ClusterEvents;
import dev.weblocks.cluster.ratis.FirstStart.Part;
import java.io.IOException;
import java.net.BindException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.io.CorruptedFileException;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.exceptions.ChecksumException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.ExitUtils.ExitException;
import org.jspecify.annotations.Nullable;

/**
 * A member of a cluster: a server of Ratis with storage. If its log cannot be written, for example
 * because the disk is full, it starts again until it can. Thread-safe.
 */
public final class RatisMember implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("dev.weblocks.cluster");

  static {
    // else Ratis ends the JVM of the embedder if it cannot listen on its port
    ExitUtils.disableSystemExit();
  }

  private static final int LOOK_MILLIS = 50;
  private static final int RESTART_SECONDS = 2;
  private static final int SNAPSHOT_SECONDS = 60;

  private static final String OR_REPLACE =
      ", or replace this member by one with a new id and an empty folder";

  private final Peers peers;
  private final String id;
  private final Path folder;
  private final String host;
  private final @Nullable Tls tls;
  private final Roles roles;
  private final MemberFolder identity;
  private final RatisLog log;
  private final ClientId own = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final ExecutorService answers = Executors.newSingleThreadExecutor(daemon("answers"));
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(daemon("leases"));
  private final AtomicBoolean restarting = new AtomicBoolean();
  private final AtomicBoolean snapshotting = new AtomicBoolean();

  /** How this member takes part; used on the thread of the start and then of the timer only. */
  private Part part = Part.VOTER;

  /** Finds out how it takes part; null if that was known at the start. Guarded by this. */
  private @Nullable Thread deciding;

  // guarded by this
  private @Nullable RaftServer server;
  private @Nullable LockStateMachine machine;
  private boolean switching;
  private boolean closed;

  private volatile @Nullable String refusal;

  // used on the thread of the start and then of the timer only
  private long lastTerm;
  private @Nullable RaftPeerId lastLeader;
  private long leaderTerm;
  private final Reconnection reconnection = new Reconnection();

  private volatile ClusterEvents.@Nullable Begun outage;

  private RatisMember(
      Peers peers, String id, Path folder, @Nullable String host, @Nullable Tls tls, Roles roles)
      throws IOException {
    this.peers = peers;
    this.id = id;
    this.folder = folder;
    this.host = host == null ? peers.hostOf(id) : host;
    this.tls = tls;
    this.roles = roles;
    this.identity = MemberFolder.open(folder, peers.clusterId(), id);
    this.log = new RatisLog(peers, tls);
    log.setKnown();
  }

  private static ThreadFactory daemon(String name) {
    return Thread.ofPlatform().daemon().name("weblocks-cluster-" + name).factory();
  }

  /**
   * Starts a member; returns when its server runs, which may be before the cluster has a leader.
   *
   * @param folder for its data; created if it does not exist
   * @param host the address to listen on; null for the one that the other members know
   * @param tls null for connections without encryption
   * @param acceptsWithoutRole whether certificates without a role are taken for those of members
   * @throws IOException if the folder belongs to another member or cluster or cannot be written,
   *     the port is in use, the id has joined with other data, or the certificate is not one of a
   *     member; the message says what to do
   */
  public static RatisMember start(
      Peers peers,
      String id,
      Path folder,
      @Nullable String host,
      @Nullable Tls tls,
      boolean acceptsWithoutRole)
      throws IOException {
    peers.addressOf(id);
    Roles roles = new Roles(tls != null, acceptsWithoutRole);
    if (tls != null) {
      roles.requireMember(tls.role());
      if (acceptsWithoutRole) {
        LOG.log(
            WARNING,
            "the member ''{0}'' accepts certificates without a role as those of members: renew them"
                + " with a role, and start it without --accept-members-without-role",
            id);
      }
    }
    RatisMember member = new RatisMember(peers, id, folder, host, tls, roles);
    try {
      FirstStart first = new FirstStart(peers, id, member.log);
      if (!Files.exists(member.raftFolder().resolve("raft-meta.conf"))) {
        boolean hasVotes = !member.identity.isNew() && TermFile.hasVotes(member.raftFolder());
        member.part = first.decide(folder, !hasVotes);
      }
      if (member.identity.isNew()) {
        member.identity.save();
      }
      LockStateMachine.warnOfSmallHeap(id);
      member.startServer();
      member.timer.scheduleWithFixedDelay(
          member::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      member.join();
      if (member.part == Part.UNDECIDED) {
        member.decideLater(first);
      }
    } catch (IOException | RuntimeException failed) {
      member.close();
      String refusal = member.refusal;
      if (refusal != null) {
        throw new IOException(refusal, failed);
      }
      throw failed;
    }
    return member;
  }

  private Path raftFolder() {
    return folder
        .resolve(MemberFolder.RAFT)
        .resolve(peers.groupId().getUuid().toString())
        .resolve("current");
  }

  private void decideLater(FirstStart first) {
    synchronized (this) {
      deciding =
          Thread.ofVirtual()
              .name("weblocks-cluster-first-start")
              .start(() -> {
                try {
                  Part found = first.await(folder);
                  timer.execute(() -> decided(found));
                } catch (InterruptedException | RejectedExecutionException isClosed) {
                  // nothing is left to decide
                } catch (IOException | RuntimeException refused) {
                  isRefused(Objects.requireNonNullElse(refused.getMessage(), refused.toString()));
                }
              });
    }
  }

  /** Called on the thread of the timer, like {@link #restart}. */
  private void decided(Part found) {
    part = found;
    if (restarting.compareAndSet(false, true)) {
      setSwitching(true);
      restart();
      setSwitching(false);
    } // else another start follows
  }

  private synchronized void setSwitching(boolean now) {
    switching = now;
  }

  private synchronized boolean isSwitching() {
    return switching;
  }

  private void startServer() throws IOException {
    if (TermFile.repair(raftFolder(), id, Math.max(System.currentTimeMillis(), lastTerm + 1))) {
      LOG.log(
          WARNING, "the member ''{0}'' has lost its term on a full disk, and gets a new one", id);
    }
    String gap = LogGap.find(raftFolder(), identity.confirmed());
    if (gap != null) {
      isRefused("the data in " + folder + " is not complete: " + gap + "; restore it" + OR_REPLACE);
      throw new IOException(gap);
    }
    LockStateMachine made =
        new LockStateMachine(
            own,
            id,
            answers,
            new ConfirmedLog(identity, raftFolder())::applied,
            this::isBroken,
            this::isRefused);
    Parameters parameters =
        tls == null ? new Parameters() : tls.parameters(roles.acceptsWithoutRole());
    ClientRequests requests = new ClientRequests(made.getServer(), log, roles);
    RaftProperties options =
        RatisOptions.ofMember(folder.resolve(MemberFolder.RAFT), host, peers.portOf(id));
    if (part == Part.UNDECIDED) {
      RaftServerConfigKeys.Log.setUseMemory(options, true); // else its end takes a second
    }
    GrpcConfigKeys.Server.setServicesCustomizer(
        parameters,
        (services, types) ->
            part == Part.UNDECIDED
                ? services
                    .intercept(requests)
                    .intercept(new UndecidedMember())
                    .intercept(roles) // the last one is the first to see a call
                : services.intercept(requests).intercept(roles));
    RaftServer started =
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(id))
            .setGroup(part == Part.VOTER ? peers.group() : RaftGroup.valueOf(peers.groupId()))
            .setProperties(options)
            .setParameters(parameters)
            .setStateMachine(made)
            .setOption(RaftStorage.StartupOption.RECOVER)
            .build();
    try {
      started.start();
    } catch (IOException | RuntimeException failed) {
      started.close();
      throw explained(failed);
    }
    synchronized (this) {
      if (closed) {
        started.close();
        return;
      }
      server = started;
      machine = made;
    }
  }

  private IOException explained(Exception failed) {
    Throwable root = failed;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (failed instanceof ExitException || root instanceof BindException) { // the gRPC server
      return new IOException(
          "cannot listen on " + host + ":" + peers.portOf(id) + ": " + root.getMessage(), failed);
    }
    String reason = Objects.requireNonNullElse(root.getMessage(), root.toString());
    boolean badTerm = root instanceof NumberFormatException || reason.contains("NOT_FORMATTED");
    if (badTerm) {
      reason = "the file raft-meta, which has its term, is missing or damaged";
    } else if (root instanceof OverlappingFileLockException) {
      reason = "another member of this process uses it";
    }
    String message = "cannot use " + folder + ": " + reason;
    if (badTerm || root instanceof ChecksumException || root instanceof CorruptedFileException) {
      message += "; restore it" + OR_REPLACE;
      isRefused(message);
    }
    return new IOException(message, failed);
  }

  /**
   * Logs which data this member has; repeated until it is answered. Only with entries: a member
   * that has joined and is empty would be refused after a restart.
   */
  private void join() {
    MemberState state = state();
    if (!state.isAdded() || state.appliedIndex() < 0) {
      joinLater();
      return;
    }
    Entry entry = new JoinMember(id, identity.storage(), EntryCodec.VERSION);
    var unused =
        log.append(entry)
            .whenComplete((reply, failure) -> {
              if (reply instanceof Rejected rejected) {
                isRefused(rejected.message());
              } else if (!(reply instanceof Done)) {
                joinLater();
              }
            });
  }

  private void joinLater() {
    try {
      timer.schedule(this::join, LOOK_MILLIS * 4, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException isClosed) {
      // nothing is left to join
    }
  }

  /** Stops this member, as it would fail again after another start. Called on any thread. */
  private void isRefused(String reason) {
    synchronized (this) {
      if (closed || refusal != null) {
        return;
      }
      refusal = reason;
      timer.execute(this::close);
    }
    LOG.log(ERROR, "the member ''{0}'' stops: {1}", id, reason);
  }

  private void look() {
    RaftServer current;
    LockStateMachine expiring;
    synchronized (this) {
      current = server;
      expiring = machine;
    }
    if (current == null || expiring == null) {
      return;
    }
    try {
      RaftServer.Division division = current.getDivision(peers.groupId());
      observe(division.getInfo());
      if (reconnection.isDue(division.getInfo().getLeaderId() != null, System.nanoTime())) {
        reconnect(current, division.getRaftConf());
      }
      for (Entry entry : expiring.look()) {
        expire(current, expiring, entry);
      }
      if (expiring.bytesSinceSnapshot() > RatisOptions.SNAPSHOT_BYTES
          && snapshotting.compareAndSet(false, true)) {
        takeSnapshot(current);
      }
    } catch (IOException closing) {
      // the next look is at another server
    } catch (RuntimeException | Error failed) {
      LOG.log(WARNING, "looking at the leases failed", failed);
    }
  }

  private void observe(DivisionInfo info) {
    long term = info.getCurrentTerm();
    RaftPeerId leader = info.getLeaderId();
    lastTerm = Math.max(lastTerm, term);
    if (leader == null
        || term != info.getCurrentTerm() // the leader may be of another term
        || (term == leaderTerm && leader.equals(lastLeader))) {
      return;
    }
    lastLeader = leader;
    leaderTerm = term;
    ClusterEvents.leaderChanged(id, leader.toString(), term);
  }

  /** Each on a thread of its own, as the end of a connection waits for its messages. */
  private void reconnect(RaftServer current, RaftConfiguration configuration) {
    IOException reason = new IOException("no member leads");
    for (RaftPeer each : configuration.getAllPeers()) {
      if (!each.getId().equals(current.getId())) {
        Thread.ofVirtual()
            .name("weblocks-cluster-reconnect")
            .start(() ->
                current
                    .getServerRpc()
                    .handleException(each.getId(), reason, /* reconnect= */ true));
      }
    }
  }

  /** Bounds the log: Ratis itself counts entries, which may be large. */
  private void takeSnapshot(RaftServer current) {
    var unused =
        current
            .snapshotManagementAsync(
                SnapshotManagementRequest.newCreate(
                    own,
                    RaftPeerId.valueOf(id),
                    peers.groupId(),
                    calls.incrementAndGet(),
                    TimeUnit.SECONDS.toMillis(SNAPSHOT_SECONDS),
                    /* creationGap= */ 1)) // else Ratis waits for 1,024 entries
            .whenComplete((reply, failure) -> {
              try { // not at once again, as the disk may be full
                timer.schedule(() -> snapshotting.set(false), RESTART_SECONDS, TimeUnit.SECONDS);
              } catch (RejectedExecutionException isClosed) {
                // there will be no other snapshot
              }
            });
  }

  private void expire(RaftServer current, LockStateMachine expiring, Entry entry) {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(own)
            .setServerId(RaftPeerId.valueOf(id))
            .setGroupId(peers.groupId())
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(Peers.bytes(EntryCodec.encode(entry))))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    try {
      var unused =
          current
              .submitClientRequestAsync(request)
              .whenComplete((reply, failure) -> {
                if (reply == null || !reply.isSuccess()) {
                  expiring.failed(entry);
                }
              });
    } catch (IOException failed) {
      expiring.failed(entry);
    }
  }

  /** Starts the server again, as its log or its machine has failed. Called on a thread of Ratis. */
  private void isBroken(Throwable cause) {
    synchronized (this) {
      if (closed || refusal != null || !restarting.compareAndSet(false, true)) {
        return;
      }
    }
    outage = ClusterEvents.memberFailed(id, cause);
    LOG.log(ERROR, "the member '" + id + "' failed, and starts again", cause);
    timer.schedule(this::restart, RESTART_SECONDS, TimeUnit.SECONDS);
  }

  private void restart() {
    RaftServer old;
    synchronized (this) {
      if (closed) {
        return;
      }
      old = server;
      server = null;
      machine = null;
    }
    try {
      if (old != null) {
        old.close();
      }
    } catch (IOException | RuntimeException failed) {
      LOG.log(WARNING, "closing the failed server", failed);
    }
    try {
      startServer();
      ClusterEvents.Begun ended = outage;
      if (ended != null) {
        ended.end("runs again");
        outage = null;
      }
      restarting.set(false);
      if (!isSwitching()) {
        LOG.log(INFO, "the member ''{0}'' runs again", id);
      }
    } catch (IOException | RuntimeException failed) {
      if (refusal == null) {
        LOG.log(WARNING, "the member ''{0}'' cannot start yet: {1}", id, failed.getMessage());
        timer.schedule(this::restart, RESTART_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  /** Returns the id of this member. */
  public String id() {
    return id;
  }

  /** Returns the state of this member. */
  public synchronized MemberState state() {
    RaftServer current = server;
    if (current != null && !closed) {
      try {
        RaftServer.Division division = current.getDivision(peers.groupId());
        var info = division.getInfo();
        RaftPeerId leader = info.getLeaderId();
        long applied = info.getLastAppliedIndex();
        return new MemberState(
            id,
            true,
            isAdded(division.getRaftConf()),
            leader == null ? null : leader.toString(),
            info.isLeader(),
            info.getCurrentTerm(),
            applied,
            Math.max(0, division.getRaftLog().getLastCommittedIndex() - applied),
            machine == null ? 0 : machine.refused(),
            refusal);
      } catch (IOException closing) {
        // as if it were closed
      }
    }
    return new MemberState(id, switching && !closed, false, null, false, 0, -1, 0, 0, refusal);
  }

  private boolean isAdded(RaftConfiguration configuration) {
    return configuration.getPreviousPeers().isEmpty()
        && configuration.getPeer(RaftPeerId.valueOf(id)) != null;
  }

  /**
   * The state of a member.
   *
   * @param isAdded whether the configuration contains it
   * @param leader the id of the member that it follows; null if it knows none
   * @param appliedIndex the index of the last entry that it has applied; -1 for none
   * @param lag the number of committed entries that it has not applied
   * @param refusedCommands the commands that it has refused because of a limit, since its server
   *     started
   * @param refusal why the cluster has refused it, so that it has stopped; null if it did not
   */
  public record MemberState(
      String id,
      boolean isRunning,
      boolean isAdded,
      @Nullable String leader,
      boolean leads,
      long term,
      long appliedIndex,
      long lag,
      long refusedCommands,
      @Nullable String refusal) {}

  /** Stops the server and waits for it. The data stays. Idempotent. */
  @Override
  public void close() {
    RaftServer current;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      current = server;
      server = null;
      machine = null;
      if (deciding != null) {
        deciding.interrupt();
      }
    }
    timer.shutdown();
    try {
      if (current != null) {
        current.close();
      }
    } catch (IOException | RuntimeException failed) {
      LOG.log(WARNING, "closing the member '" + id + "'", failed);
    }
    log.close();
    answers.shutdown();
  }
}
