package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto.TypeCase;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;

/**
 * Passes on the messages of clients that cannot reach the leader. Such a message contains the one
 * for the leader. It is passed on once: the leader, if it is another one meanwhile, is named to the
 * client, which may reach that one. Thread-safe.
 */
final class ForwardedMessages {

  private final RatisLog log;

  /**
   * Creates the service of a member.
   *
   * @param log sends the messages to the leader
   */
  ForwardedMessages(RatisLog log) {
    this.log = log;
  }

  /** Wraps a message to the leader for another member. */
  static RaftClientRequest wrapped(RaftClientRequest toLeader, RaftPeerId other, long call) {
    return RaftClientRequest.newBuilder()
        .setClientId(toLeader.getClientId())
        .setServerId(other)
        .setGroupId(toLeader.getRaftGroupId())
        .setCallId(call)
        .setMessage(
            Message.valueOf(ClientProtoUtils.toRaftClientRequestProto(toLeader).toByteString()))
        .setType(RaftClientRequest.forwardRequestType())
        .build();
  }

  /**
   * Submits a message to the division of this member, or to the leader if it is forwarded.
   *
   * @throws IOException if the division refuses it, or the message for the leader is malformed
   */
  CompletableFuture<RaftClientReply> submit(RaftServer.Division division, RaftClientRequest request)
      throws IOException {
    if (!request.is(TypeCase.FORWARD)) {
      // the server itself would change threads; its divisions, of no public type, do not
      return ((RaftClientAsynchronousProtocol) division).submitClientRequestAsync(request);
    }
    RaftClientRequest toLeader =
        ClientProtoUtils.toRaftClientRequest(
            RaftClientRequestProto.parseFrom(request.getMessage().getContent()));
    if (!toLeader.is(TypeCase.WRITE) && !toLeader.is(TypeCase.READ)) {
      throw new IOException("a message of type " + toLeader.getType() + " cannot be forwarded");
    }
    RaftPeerId id = division.getInfo().getLeaderId();
    RaftPeer leader = id == null ? null : division.getRaftConf().getPeer(id);
    if (leader == null || !toLeader.getServerId().equals(id)) {
      String named = leader == null ? "" : id + "=" + leader.getAddress();
      return CompletableFuture.completedFuture(reply(request, new NotLeading(named)));
    }
    return log.sendTo(leader, toLeader.getMessage().getContent().toByteArray(), toLeader.getType())
        .handle((reply, failure) -> reply(request, reply == null ? new NotLeading("") : reply));
  }

  /** Wraps a reply to a client. */
  static RaftClientReply reply(RaftClientRequest request, Reply reply) {
    return RaftClientReply.newBuilder()
        .setRequest(request)
        .setSuccess()
        .setMessage(Message.valueOf(Peers.bytes(EntryCodec.encode(reply))))
        .build();
  }
}
