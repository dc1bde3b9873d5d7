package dev.weblocks.cluster.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.lockmanager.UnsupportedVersionException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots, and a member that gets messages of a later version of the codec. */
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
      new LockStateMachine(
          ClientId.randomId(), "n1", Runnable::run, index -> {}, broken -> {}, refusals::add);

  private static LockStateMachine initialized(Path folder) throws IOException {
    LockStateMachine made =
        new LockStateMachine(
            ClientId.randomId(), "n1", Runnable::run, index -> {}, broken -> {}, refusal -> {});
    RaftServer server =
        (RaftServer)
            Proxy.newProxyInstance(
                LockStateMachineTest.class.getClassLoader(),
                new Class<?>[] {RaftServer.class},
                (proxy, method, arguments) -> RaftPeerId.valueOf("n1"));
    Files.createDirectory(folder.resolve("sm"));
    made.initialize(
        server,
        RaftGroupId.randomId(),
        RaftStorage.newBuilder()
            .setDirectory(folder.toFile())
            .setOption(RaftStorage.StartupOption.FORMAT)
            .build());
    return made;
  }

  private static long snapshotIndex(LockStateMachine machine) {
    SnapshotInfo latest = machine.getLatestSnapshot();
    return latest == null ? -1 : latest.getIndex();
  }

  @Test
  void snapshot_is_found_again_without_a_look_at_the_folder(
      @TempDir Path writing, @TempDir Path reading) throws IOException {
    LockStateMachine writer = initialized(writing);
    assertEquals(-1, snapshotIndex(writer));
    writer.applyTransaction(logged(writer, EntryCodec.encode(new RemoveNamespace("shop"))));
    assertEquals(17, writer.takeSnapshot());
    assertEquals(17, snapshotIndex(writer));

    LockStateMachine reader = initialized(reading);
    for (String end : List.of("", ".md5")) {
      Files.copy(
          writing.resolve("sm/snapshot.0_17" + end), reading.resolve("sm/snapshot.0_17" + end));
    }
    assertEquals(-1, snapshotIndex(reader), "Ratis asks for each entry");
    reader.reinitialize(); // as Ratis does when a snapshot has arrived
    assertEquals(17, snapshotIndex(reader));
  }

  private static TransactionContext logged(LockStateMachine machine, byte[] entry) {
    return TransactionContext.newBuilder()
        .setStateMachine(machine)
        .setServerRole(RaftPeerRole.FOLLOWER)
        .setLogEntry(
            LogEntryProto.newBuilder()
                .setIndex(17)
                .setStateMachineLogEntry(
                    StateMachineLogEntryProto.newBuilder()
                        .setLogData(
                            ByteString.copyFrom(new byte[Long.BYTES])
                                .concat(ByteString.copyFrom(entry))))
                .build())
        .build();
  }

  private static byte[] later(byte[] message) {
    message[0] = (byte) LATER;
    return message;
  }

  @Test
  void an_entry_of_a_later_version_in_the_log_refuses_the_member() {
    TransactionContext logged =
        logged(machine, later(EntryCodec.encode(new RemoveNamespace("shop"))));
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
