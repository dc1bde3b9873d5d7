package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Caps;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** How Ratis is set up. */
final class RatisOptions {

  /** Longer than the wait of a poll; after this time a client turns to another member. */
  private static final int REQUEST_MILLIS = 1_500;

  /** In this time, a new member gets a snapshot and the log. */
  private static final int CHANGE_MILLIS = 60_000;

  /** The time without progress after which a new member is not added. */
  private static final int STAGING_MILLIS = 10_000;

  /** The number of entries after which a member writes a snapshot. */
  private static final long SNAPSHOT_EVERY = 50_000;

  /** The bytes of entries after which a member writes a snapshot, too. */
  static final long SNAPSHOT_BYTES = 32L << 20;

  /** The logger of gRPC, which reports its start at level INFO. */
  private static final Logger GRPC = Logger.getLogger("org.apache.ratis.thirdparty");

  /** A logger that reports, with a stack trace, when a client goes while it is answered. */
  private static final Logger GONE_CLIENTS =
      Logger.getLogger("org.apache.ratis.thirdparty.io.grpc.netty.NettyServerHandler");

  private RatisOptions() {}

  static RaftProperties ofClient() {
    setLevel(GRPC, Level.WARNING);
    setLevel(GONE_CLIENTS, Level.SEVERE);
    RaftProperties properties = new RaftProperties();
    RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, millis(REQUEST_MILLIS));
    GrpcConfigKeys.setMessageSizeMax(properties, bytes(64L << 20)); // an answer has many events
    return properties;
  }

  /** Sets the level of a stored logger, which keeps it, unless the application has set one. */
  private static void setLevel(Logger logger, Level level) {
    if (logger.getLevel() == null) {
      logger.setLevel(level);
    }
  }

  /** Returns the options of a client that changes the configuration. */
  static RaftProperties ofAdministrator() {
    RaftProperties properties = ofClient();
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, millis(CHANGE_MILLIS));
    return properties;
  }

  static RaftProperties ofMember(Path folder, String host, int port) {
    RaftProperties properties = ofClient();
    RaftConfigKeys.Rpc.setType(properties, new MemberRpc());
    RaftServerConfigKeys.setStorageDir(properties, List.<File>of(folder.toFile()));
    GrpcConfigKeys.Server.setHost(properties, host);
    GrpcConfigKeys.Server.setPort(properties, port);
    RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(300));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(600));
    // else a new member that makes no progress for 1.8 seconds is given up, as on a busy machine
    RaftServerConfigKeys.setStagingTimeout(properties, millis(STAGING_MILLIS));
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, bytes(8 << 20));
    RaftServerConfigKeys.Log.setPreallocatedSize(properties, bytes(1 << 20));
    RaftServerConfigKeys.Log.setWriteBufferSize(properties, bytes(4 << 20));
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, bytes(32 << 20));
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    // else each entry is followed by one with the commit index, replicated and flushed as well
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // else two more threads take part in each append, which waits until the one before is flushed
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, bytes(2L * Caps.MESSAGE));
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(properties, millis(0));
    // else a member that was down is reached up to ten seconds after it has started again
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "1ms,10, 200ms,1000000000");
    // sessions recognize repeated commands themselves, and a reply may be large
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, millis(1_000));
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, SNAPSHOT_EVERY);
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
    return properties;
  }

  private static TimeDuration millis(int count) {
    return TimeDuration.valueOf(count, TimeUnit.MILLISECONDS);
  }

  private static SizeInBytes bytes(long count) {
    return SizeInBytes.valueOf(count);
  }
}
