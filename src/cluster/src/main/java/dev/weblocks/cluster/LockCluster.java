package dev.weblocks.cluster;

import dev.weblocks.cluster.machine.Caps;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.ratis.MemberReplacement;
import dev.weblocks.cluster.ratis.Peers;
import dev.weblocks.cluster.ratis.RatisLog;
import dev.weblocks.cluster.ratis.RatisMember;
import dev.weblocks.cluster.ratis.Tls;
import dev.weblocks.cluster.session.ClusterLocks;
import dev.weblocks.cluster.session.SessionSettings;
import dev.weblocks.cluster.session.SharedLog;
import dev.weblocks.embed.LockBackend;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.locks.RemoteLocks;
import dev.weblocks.model.LockEntry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock cluster, as one JVM takes part in it: as a client, or as a member with storage that is a
 * client, too. User agents that are built with it share their locks with those of all JVMs of the
 * cluster that use the same namespace:
 *
 * <pre>{@code
 * try (LockCluster cluster = LockCluster.builder()
 *         .peers("n1=10.0.0.1:7800,n2=10.0.0.2:7800,n3=10.0.0.3:7800")
 *         .member("n1", Path.of("/var/lib/locks"))       // left out: a client only
 *         .tls(key, certificate, authorities)
 *         .start();
 *     UserAgent userAgent = UserAgent.newBuilder().lockBackend(cluster).build();
 *     LockClient locks = userAgent.openLockClient("https://shop.test")) {
 *   locks.withLock("cart", lock -> save(lock.fencingToken())).join();
 * }
 * }</pre>
 *
 * <p><b>What is promised.</b> As long as most members run and reach each other: requests are
 * granted in the order in which the cluster got them, each once, and the locks of a user agent that
 * ends, or is silent for longer than its lease, are released. A user agent that cannot reach the
 * cluster loses its locks before others get them: no turn of an event loop begins with a lock that
 * was lost.
 *
 * <p><b>What is not.</b> A turn that is under way when the lease ends goes on, for example after a
 * pause of the whole machine. Give {@link dev.weblocks.embed.HeldLock#fencingToken} to the resource
 * that the lock protects, which refuses tokens smaller than the greatest one it has seen.
 *
 * <p>Close the user agents before the cluster. Thread-safe.
 */
public final class LockCluster implements LockBackend, RemoteLocks, AutoCloseable {

  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Builder options;
  private final RatisLog log;
  private final SharedLog shared;
  private final @Nullable RatisMember member;
  private final SystemTime time = new SystemTime();
  private final ExecutorService replies =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("weblocks-cluster-replies-", 1).factory());
  private final ClusterQueries queries;
  private final AtomicInteger userAgents = new AtomicInteger();
  private final Queue<ClusterLocks> services = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  private LockCluster(Builder options, Peers peers) throws IOException {
    this.options = options;
    this.member =
        options.memberId == null
            ? null
            : RatisMember.start(
                peers,
                options.memberId,
                Objects.requireNonNull(options.folder),
                options.listenOn,
                options.tls,
                options.acceptsWithoutRole);
    this.log = new RatisLog(peers, options.tls);
    this.shared = new SharedLog(log, time, GATHER_NANOS, replies);
    this.queries =
        new ClusterQueries(log, time, Objects.requireNonNull(options.peers), () -> closed);
  }

  /** Returns a builder; {@link Builder#peers} must be called. */
  public static Builder builder() {
    return new Builder();
  }

  /** For {@link dev.weblocks.embed.UserAgent.Builder#lockBackend}; not for other callers. */
  @Override
  public LockService serve(Connection connection) {
    return serve(connection, options.namespace);
  }

  /**
   * Returns a backend for another namespace of the same cluster, over the same connections. It is
   * closed with this cluster.
   */
  public LockBackend inNamespace(String namespace) {
    return new Namespaced(this, Caps.requireLabel("namespace", namespace));
  }

  /** For {@link dev.weblocks.embed.UserAgent.Builder#lockBackend}; not for other callers. */
  @Override
  public boolean endsHolders() {
    return options.lossPolicy == LossPolicy.TERMINATE;
  }

  private record Namespaced(LockCluster cluster, String namespace)
      implements LockBackend, RemoteLocks {
    @Override
    public LockService serve(Connection connection) {
      return cluster.serve(connection, namespace);
    }

    @Override
    public boolean endsHolders() {
      return cluster.endsHolders();
    }
  }

  private LockService serve(Connection connection, String namespace) {
    if (closed) {
      throw new IllegalStateException("the lock cluster was closed; start another one");
    }
    int number = userAgents.incrementAndGet();
    String name = number == 1 ? options.name : options.name + "-" + number;
    ClusterLocks service =
        new ClusterLocks(
            connection,
            shared,
            time,
            new SessionSettings(
                namespace,
                name,
                options.lease.toNanos(),
                UUID::randomUUID,
                new SessionReports(options.listener, name, namespace)));
    services.removeIf(ClusterLocks::isClosed);
    services.add(service);
    return service;
  }

  /** Returns the namespace of the locks. */
  public String namespace() {
    return options.namespace;
  }

  /**
   * Returns the held locks and waiting requests of all JVMs in the namespace, as {@link
   * dev.weblocks.embed.UserAgent#locks} does for one user agent. The name of an agent begins with
   * that of its user agent. {@link dev.weblocks.embed.WaitForGraph} takes the result.
   */
  public CompletableFuture<List<LockEntry>> locks() {
    return queries.locks(options.namespace);
  }

  /** Returns the members and sessions. Fails if no leader can be reached within ten seconds. */
  public CompletableFuture<ClusterStatus> status() {
    return queries.status();
  }

  /**
   * Ends all sessions of a namespace. User agents that still use it lose their locks, and open new
   * sessions in it. With TLS, this needs a certificate with the role of a member: with another one,
   * the result fails with an {@link IOException} that says so.
   */
  public CompletableFuture<Void> removeNamespace(String namespace) {
    return queries.remove(new RemoveNamespace(Caps.requireLabel("namespace", namespace)));
  }

  /**
   * Replaces a member whose data is lost by a new one, while the other members run. The new one has
   * been started with an empty folder, an id that no member had before, and peers that contain it
   * and the remaining members. It waits until this method adds it.
   *
   * <p>A removed member stops by itself if it still runs, and cannot start again. With TLS, this
   * needs a certificate with the role of a member.
   *
   * @param removed the id of the member to remove
   * @param added the new member, such as {@code n4=10.0.0.4:7800}
   * @return completes when the new member takes part; fails with an {@link IOException} whose
   *     message says what to do if the new member does not answer, or no leader does
   * @throws IllegalArgumentException if {@code added} is not of this form
   * @throws IllegalStateException if it is another machine, and neither {@link Builder#tls} nor
   *     {@link Builder#insecure} was called
   */
  public CompletableFuture<Void> replaceMember(String removed, String added) {
    Peers one = Peers.parse(options.clusterId, added);
    if (one.addresses().size() != 1) {
      throw new IllegalArgumentException("'" + added + "' is not one member; add one at a time");
    }
    options.requireTls(one);
    return queries
        .readStatus()
        .thenAcceptAsync(
            status -> {
              try {
                MemberReplacement.replace(status, removed, one, options.tls);
              } catch (IOException failed) {
                throw new CompletionException(failed);
              }
            },
            task -> Thread.ofPlatform().daemon().name("weblocks-cluster-change").start(task));
  }

  /**
   * Returns the state of the cluster as this JVM sees it. Callable on any thread; waits for no
   * message.
   */
  public ClusterMetrics metrics() {
    List<ClusterLocks> open = services.stream().filter(service -> !service.isClosed()).toList();
    RatisMember.MemberState state = member == null ? null : member.state();
    Long answered = log.lastAnswerNanos();
    return new ClusterMetrics(
        state == null || !state.isRunning() ? log.leader() : state.leader(),
        answered == null ? null : Duration.ofNanos(System.nanoTime() - answered),
        open.stream().mapToInt(ClusterLocks::commandsInFlight).sum(),
        open.stream()
            .map(service ->
                new LocalSession(
                    service.name(),
                    service.session(),
                    Duration.ofNanos(Math.max(0, service.leaseLeftNanos()))))
            .toList(),
        state == null
            ? null
            : new MemberStatus(
                state.id(),
                state.isRunning(),
                state.isAdded(),
                state.leads(),
                state.term(),
                state.appliedIndex(),
                state.lag(),
                state.refusedCommands(),
                state.refusal()));
  }

  /**
   * Creates an MXBean for this cluster. The caller registers it, and unregisters it when the
   * cluster is closed:
   *
   * <pre>{@code
   * ManagementFactory.getPlatformMBeanServer()
   *     .registerMBean(cluster.mxBean(), new ObjectName("com.example:type=LockCluster,name=shop"));
   * }</pre>
   */
  public LockClusterMXBean mxBean() {
    return new ClusterBean(this);
  }

  /**
   * Leaves the cluster: ends the sessions, waiting for two seconds at most, and stops the member of
   * this JVM. Its data stays. Idempotent.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    services.forEach(ClusterLocks::close);
    long deadline = System.nanoTime() + CLOSE_NANOS;
    while (!services.stream().allMatch(ClusterLocks::isClosed)
        && System.nanoTime() - deadline < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(5);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    time.close();
    log.close();
    replies.shutdown();
    if (member != null) {
      member.close();
    }
  }

  /** A builder for a lock cluster. Not thread-safe. */
  public static final class Builder {
    private String clusterId = "weblocks";
    private @Nullable String peers;
    private @Nullable String memberId;
    private @Nullable Path folder;
    private @Nullable String listenOn;
    private String namespace = "default";
    private String name = ProcessHandle.current().pid() + "@" + hostName();
    private Duration lease = Duration.ofSeconds(10);
    private @Nullable Tls tls;
    private boolean acceptsWithoutRole;
    private boolean insecure;
    private ClusterListener listener = new ClusterListener() {};
    private LossPolicy lossPolicy = LossPolicy.ABORT;

    private Builder() {}

    private static String hostName() {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        return "localhost";
      }
    }

    /**
     * Sets the name of the cluster; default is {@code weblocks}. All members and clients agree.
     *
     * @throws IllegalArgumentException if it is empty, longer than 256 code units, or has control
     *     characters
     */
    public Builder clusterId(String clusterId) {
      this.clusterId = Caps.requireLabel("name of the cluster", clusterId);
      return this;
    }

    /**
     * Sets the members: an odd number, usually three.
     *
     * @param peers such as {@code n1=10.0.0.1:7800,n2=10.0.0.2:7800,n3=10.0.0.3:7800}
     * @throws IllegalArgumentException if it is not of this form
     */
    public Builder peers(String peers) {
      Peers.parse(clusterId, peers); // throws now, where the caller can see which value it was
      this.peers = peers;
      return this;
    }

    /**
     * Makes this JVM a member; default is a client only.
     *
     * @param id one of {@link #peers}
     * @param folder for the data of this member and no other; created if it does not exist
     */
    public Builder member(String id, Path folder) {
      this.memberId = Objects.requireNonNull(id, "id");
      this.folder = Objects.requireNonNull(folder, "folder");
      return this;
    }

    /**
     * Sets the address on which the member listens; default is its host in {@link #peers}. If other
     * machines can connect to it, {@link #start} needs {@link #tls} or {@link #insecure}.
     *
     * @throws IllegalArgumentException if it is neither the name nor the address of a host
     */
    public Builder listenOn(String host) {
      if (!Peers.isHost(host)) {
        throw new IllegalArgumentException("'" + host + "' is not the name or address of a host");
      }
      this.listenOn = host;
      return this;
    }

    /**
     * Sets the namespace; default is {@code default}. Different ones share no locks.
     *
     * @throws IllegalArgumentException if it is empty, longer than 256 code units, or has control
     *     characters
     */
    public Builder namespace(String namespace) {
      this.namespace = Caps.requireLabel("namespace", namespace);
      return this;
    }

    /**
     * Sets the name of the user agents for people; default is the process and the host.
     *
     * @throws IllegalArgumentException if it is empty, longer than 256 code units, or has control
     *     characters
     */
    public Builder name(String name) {
      this.name = Caps.requireLabel("name of the user agents", name);
      return this;
    }

    /**
     * Sets the lease: the silence after which the locks of a user agent are released. Default is
     * ten seconds. A longer one survives longer disturbances; a shorter one frees the locks of a
     * killed process earlier.
     *
     * @throws IllegalArgumentException if it is shorter than two seconds, in which three signs of
     *     life and an election have room, or longer than a day
     */
    public Builder lease(Duration lease) {
      if (lease.compareTo(Caps.SHORTEST_LEASE) < 0 || lease.compareTo(Caps.LONGEST_LEASE) > 0) {
        throw new IllegalArgumentException(
            "the lease is " + lease + "; use two seconds to a day, so that an election has room");
      }
      this.lease = lease;
      return this;
    }

    /**
     * Sets the files, in PEM format, for TLS. Members and clients accept only connections with a
     * certificate of a trusted authority. The certificate has a role, as a URI in its
     * subjectAltName: with {@code weblocks:client} it allows the use of locks; a member needs
     * {@code weblocks:member}, and so do {@link LockCluster#replaceMember} and {@link
     * LockCluster#removeNamespace}.
     *
     * @param privateKey in the format PKCS #8
     * @param certificate the certificate of the key, with its chain
     * @param authorities the certificates of the authorities that are trusted
     * @throws IllegalArgumentException if a file cannot be read
     */
    public Builder tls(Path privateKey, Path certificate, Path authorities) {
      this.tls = new Tls(privateKey, certificate, authorities);
      return this;
    }

    /**
     * Sets a secret file for members and clients on the loopback interface, in place of {@link
     * #tls}. All that have it are members and administrators; other users of the machine can do
     * nothing. {@code weblocks cluster secret} makes one.
     *
     * @param file has a private key and its certificate in PEM format
     * @throws IllegalArgumentException if it cannot be read, or other users can read it
     */
    public Builder secret(Path file) {
      this.tls = Tls.shared(file);
      return this;
    }

    /**
     * Makes the member accept certificates without a role as those of members, and log a warning at
     * each start; for the time until all certificates are renewed. Default is to refuse them.
     */
    public Builder acceptMembersWithoutRole() {
      this.acceptsWithoutRole = true;
      return this;
    }

    /**
     * Allows connections to other machines without TLS: every process that reaches a member can
     * take and remove locks, and administrate the cluster.
     */
    public Builder insecure() {
      this.insecure = true;
      return this;
    }

    /** Sets the listener for sessions; default is none. */
    public Builder listener(ClusterListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Sets the treatment of script that has a lock when its session is lost; default is {@link
     * LossPolicy#ABORT}.
     */
    public Builder lossPolicy(LossPolicy lossPolicy) {
      this.lossPolicy = Objects.requireNonNull(lossPolicy, "lossPolicy");
      return this;
    }

    /**
     * Starts the member, if there is one. A client connects when it is used. A member without data
     * waits for a leader if others have data, for 20 seconds at most. If too few of the others
     * answer, it starts without taking part, and takes part later.
     *
     * @throws IllegalStateException if an option is missing
     * @throws IllegalArgumentException if {@link #peers} has no such member
     * @throws IOException if the member cannot start; the message says what to do
     */
    public LockCluster start() throws IOException {
      if (peers == null) {
        throw new IllegalStateException("peers are missing; call peers() with the members");
      }
      Peers parsed = Peers.parse(clusterId, peers);
      requireTls(parsed);
      if (memberId != null) {
        parsed.addressOf(memberId);
      }
      return new LockCluster(copy(), parsed);
    }

    private void requireTls(Peers members) {
      if (tls != null || insecure) {
        return;
      }
      for (String address : members.addresses().values()) {
        if (!isLoopback(address.substring(0, address.lastIndexOf(':')))) {
          throw new IllegalStateException(
              address + " is another machine; call tls(), or insecure() in a closed network");
        }
      }
      if (memberId != null && listenOn != null && !isLoopback(listenOn)) {
        throw new IllegalStateException(
            "other machines can connect to "
                + listenOn
                + "; call tls(), or insecure() in a closed network");
      }
    }

    private Builder copy() {
      Builder copy = new Builder();
      copy.clusterId = clusterId;
      copy.peers = peers;
      copy.memberId = memberId;
      copy.folder = folder;
      copy.listenOn = listenOn;
      copy.namespace = namespace;
      copy.name = name;
      copy.lease = lease;
      copy.tls = tls;
      copy.acceptsWithoutRole = acceptsWithoutRole;
      copy.insecure = insecure;
      copy.listener = listener;
      copy.lossPolicy = lossPolicy;
      return copy;
    }

    private static boolean isLoopback(String host) {
      try {
        return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
      } catch (UnknownHostException unknown) {
        return false;
      }
    }
  }
}
