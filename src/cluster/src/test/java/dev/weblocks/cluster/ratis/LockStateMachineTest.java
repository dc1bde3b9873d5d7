package dev.weblocks.cluster.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.lockmanager.UnsupportedVersionException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** A member that gets messages of a later version of the codec. */
class LockStateMachineTest {

  private static final int LATER = EntryCodec.VERSION + 1;
  private static final String TOO_NEW =
      "version "
          + LATER
          + " of the codec was sent to the member 'n1', which reads version 1 to "
          + EntryCodec.VERSION
          + "; upgrade all members before their clients";

  private final List<String> refusals = new ArrayList<>();
  private final LockStateMachine machine =
      new LockStateMachine(ClientId.randomId(), "n1", Runnable::run, broken -> {}, refusals::add);

  private static byte[] later(byte[] message) {
    message[0] = (byte) LATER;
    return message;
  }

  @Test
  void an_entry_of_a_later_version_in_the_log_refuses_the_member() {
    ByteString data =
        ByteString.copyFrom(new byte[Long.BYTES])
            .concat(ByteString.copyFrom(later(EntryCodec.encode(new RemoveNamespace("shop")))));
    TransactionContext logged =
        TransactionContext.newBuilder()
            .setStateMachine(machine)
            .setServerRole(RaftPeerRole.FOLLOWER)
            .setLogEntry(
                LogEntryProto.newBuilder()
                    .setIndex(17)
                    .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder().setLogData(data))
                    .build())
            .build();
    assertThrows(UnsupportedVersionException.class, () -> machine.applyTransaction(logged));
    assertEquals(
        List.of(
            "entry 17 of the log: an entry of the lock cluster has version "
                + LATER
                + ", but this build reads version 1 to "
                + EntryCodec.VERSION
                + "; use the build that wrote it"),
        refusals);
  }

  @Test
  void an_entry_of_a_later_version_of_a_client_is_rejected() throws Exception {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(ClientId.randomId())
            .setServerId(RaftPeerId.valueOf("n1"))
            .setGroupId(RaftGroupId.randomId())
            .setMessage(
                Message.valueOf(Peers.bytes(later(EntryCodec.encode(new RemoveNamespace("shop"))))))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    assertEquals(TOO_NEW, machine.startTransaction(request).getException().getMessage());
    assertEquals(List.of(), refusals);
  }

  @Test
  void a_query_of_a_later_version_is_rejected() {
    Message answer =
        machine
            .query(Message.valueOf(Peers.bytes(later(EntryCodec.encode(new ReadStatus())))))
            .join();
    assertEquals(new Rejected(TOO_NEW), EntryCodec.decodeReply(answer.getContent().toByteArray()));
  }
}
