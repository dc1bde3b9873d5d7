package dev.weblocks.cluster.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import dev.weblocks.cluster.machine.Reply.Rejected;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto.TypeCase;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The member n2 gets messages of clients that cannot reach the leader. */
class ForwardedMessagesTest {

  private static final RaftPeerId N2 = RaftPeerId.valueOf("n2");

  private final Peers peers = Peers.parse("test", "n1=127.0.0.1:1,n2=127.0.0.1:2,n3=127.0.0.1:3");
  private final List<RaftClientRequest> submitted = new ArrayList<>();
  private final List<RaftClientRequest> sent = new ArrayList<>();
  private final List<CompletableFuture<RaftClientReply>> answers = new ArrayList<>();
  private @Nullable String leader;

  private final RaftClientRpc connections =
      new RaftClientRpc() {
        @Override
        public CompletableFuture<RaftClientReply> sendRequestAsyncUnordered(
            RaftClientRequest request) {
          sent.add(request);
          answers.add(new CompletableFuture<>());
          return answers.getLast();
        }

        @Override
        public RaftClientReply sendRequest(RaftClientRequest request) {
          throw new UnsupportedOperationException();
        }

        @Override
        public void addRaftPeers(Collection<RaftPeer> others) {}

        @Override
        public void close() {}
      };

  private final RatisLog log = new RatisLog(peers, client -> connections, () -> 0);
  private final ForwardedMessages messages = new ForwardedMessages(log);

  @AfterEach
  void close() {
    log.close();
  }

  private static <T> T fake(InvocationHandler calls, Class<T> type, Class<?>... more) {
    List<Class<?>> all = new ArrayList<>(List.of(more));
    all.add(type);
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), all.toArray(Class<?>[]::new), calls));
  }

  private RaftServer.Division division() {
    return fake(
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getId" -> N2;
              case "getMemberId" -> RaftGroupMemberId.valueOf(N2, peers.groupId());
              case "getInfo" -> fake((info, get, none) -> leaderId(), DivisionInfo.class);
              case "getRaftConf" -> fake((conf, get, id) -> peer(id[0]), RaftConfiguration.class);
              case "submitClientRequestAsync" -> {
                submitted.add((RaftClientRequest) arguments[0]);
                yield new CompletableFuture<RaftClientReply>();
              }
              default -> throw new UnsupportedOperationException(method.getName());
            },
        RaftServer.Division.class,
        RaftClientAsynchronousProtocol.class);
  }

  private @Nullable RaftPeerId leaderId() {
    return leader == null ? null : RaftPeerId.valueOf(leader);
  }

  private RaftPeer peer(Object id) {
    return peers.group().getPeers().stream()
        .filter(each -> each.getId().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private RaftClientRequest message(String to, RaftClientRequest.Type type) {
    return RaftClientRequest.newBuilder()
        .setClientId(ClientId.randomId())
        .setServerId(RaftPeerId.valueOf(to))
        .setGroupId(peers.groupId())
        .setCallId(7)
        .setMessage(Message.valueOf("text"))
        .setType(type)
        .build();
  }

  /** Submits a message that a client has sent to n2, as it cannot reach another member. */
  private CompletableFuture<RaftClientReply> forward(String to, RaftClientRequest.Type type)
      throws IOException {
    return messages.submit(
        division(), ForwardedMessages.wrapped(message(to, type), N2, /* call= */ 8));
  }

  private static Reply decoded(CompletableFuture<RaftClientReply> answer) {
    RaftClientReply reply = answer.join();
    assertEquals(8, reply.getCallId());
    assertTrue(reply.isSuccess());
    return EntryCodec.decodeReply(reply.getMessage().getContent().toByteArray());
  }

  @Test
  void message_for_this_member_goes_to_its_division() throws Exception {
    RaftClientRequest request = message("n2", RaftClientRequest.writeRequestType());
    var unused = messages.submit(division(), request);
    assertEquals(List.of(request), submitted);
  }

  @Test
  void reply_of_the_leader_is_passed_back() throws Exception {
    leader = "n1";
    var answer = forward("n1", RaftClientRequest.readRequestType());
    assertEquals("n1", sent.getFirst().getServerId().toString());
    assertTrue(sent.getFirst().is(TypeCase.READ));
    assertEquals(
        "text",
        new String(
            sent.getFirst().getMessage().getContent().toByteArray(), StandardCharsets.UTF_8));
    answers
        .getFirst()
        .complete(
            RaftClientReply.newBuilder()
                .setRequest(sent.getFirst())
                .setSuccess()
                .setMessage(Message.valueOf(Peers.bytes(EntryCodec.encode(new Done()))))
                .build());
    assertEquals(new Done(), decoded(answer));
  }

  @Test
  void refusal_of_the_leader_is_passed_back() throws Exception {
    leader = "n1";
    var answer = forward("n1", RaftClientRequest.writeRequestType());
    answers
        .getFirst()
        .complete(
            RaftClientReply.newBuilder()
                .setRequest(sent.getFirst())
                .setException(
                    new StateMachineException(
                        RaftGroupMemberId.valueOf(N2, peers.groupId()),
                        new IOException("too long")))
                .build());
    assertEquals(new Rejected("too long"), decoded(answer));
  }

  @Test
  void leader_that_this_member_cannot_reach_either_is_not_named() throws Exception {
    leader = "n1";
    var answer = forward("n1", RaftClientRequest.writeRequestType());
    answers.getFirst().completeExceptionally(new IOException("unreachable"));
    assertEquals(new NotLeading(""), decoded(answer));
    assertEquals(1, sent.size());
  }

  @Test
  void another_leader_is_named_to_the_client() throws Exception {
    leader = "n3";
    var answer = forward("n1", RaftClientRequest.writeRequestType());
    assertEquals(new NotLeading("n3=127.0.0.1:3"), decoded(answer));
    leader = null;
    answer = forward("n1", RaftClientRequest.writeRequestType());
    assertEquals(new NotLeading(""), decoded(answer));
    assertEquals(List.of(), sent);
  }

  @Test
  void member_that_leads_meanwhile_names_itself() throws Exception {
    leader = "n2";
    var answer = forward("n1", RaftClientRequest.writeRequestType());
    assertEquals(new NotLeading("n2=127.0.0.1:2"), decoded(answer));
    assertEquals(List.of(), sent);
  }

  @Test
  void only_entries_and_queries_are_forwarded() {
    leader = "n1";
    assertThrows(IOException.class, () -> forward("n1", RaftClientRequest.forwardRequestType()));
    assertThrows(IOException.class, () -> forward("n1", RaftClientRequest.staleReadRequestType(1)));
    assertEquals(List.of(), sent);
  }
}
