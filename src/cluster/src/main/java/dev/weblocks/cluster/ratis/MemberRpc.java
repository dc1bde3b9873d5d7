package dev.weblocks.cluster.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * The connections of a member: those of gRPC, but a thread that sends entries to a follower wakes
 * only if there is something to send. Ratis wakes it also for each reply and for each entry that is
 * committed, several times for each entry. Ratis makes an instance by the name of the class.
 */
final class MemberRpc implements RpcType {

  @Override
  public String name() {
    return MemberRpc.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new GrpcFactory(parameters) {
      @Override
      public LogAppender newLogAppender(
          RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        return new Appender(server, leader, follower);
      }
    };
  }

  private static final class Appender extends GrpcLogAppender {
    Appender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
      super(server, leader, follower);
    }

    /** {@inheritDoc} If it misses something, the next heartbeat sends it. */
    @Override
    public void notifyLogAppender() {
      if (shouldSendAppendEntries()) {
        super.notifyLogAppender();
      }
    }
  }
}
