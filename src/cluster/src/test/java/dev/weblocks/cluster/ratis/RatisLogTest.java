package dev.weblocks.cluster.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import dev.weblocks.cluster.machine.Reply.Rejected;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.AlreadyClosedException;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the client turns from one member to another, over connections that the test controls. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class RatisLogTest {

  /** A message that any member answers at once. */
  private static final byte[] PROBE = EntryCodec.encode(new SharedPoll(List.of()));

  private record Call(RaftClientRequest request, CompletableFuture<RaftClientReply> answer) {
    String member() {
      return request.getServerId().toString();
    }

    void succeed() {
      answer.complete(
          RaftClientReply.newBuilder()
              .setRequest(request)
              .setSuccess()
              .setMessage(Message.valueOf(Peers.bytes(EntryCodec.encode(new Done()))))
              .build());
    }
  }

  /** Connections whose ends take until {@link #ends}. */
  private static final class Connections implements RaftClientRpc {
    final List<Call> calls = new ArrayList<>();
    final LinkedBlockingQueue<String> replaced = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<String> probed = new LinkedBlockingQueue<>();
    final CountDownLatch ends = new CountDownLatch(1);
    volatile boolean answersProbes;

    @Override
    public CompletableFuture<RaftClientReply> sendRequestAsyncUnordered(RaftClientRequest request) {
      if (request.getMessage().getContent().equals(Peers.bytes(PROBE))) {
        return probe(request);
      }
      Call call = new Call(request, new CompletableFuture<>());
      calls.add(call);
      return call.answer();
    }

    private CompletableFuture<RaftClientReply> probe(RaftClientRequest request) {
      probed.add(request.getServerId().toString());
      Call call = new Call(request, new CompletableFuture<>());
      if (answersProbes) {
        call.succeed();
      } else {
        call.answer().completeExceptionally(new TimeoutIOException("timeout"));
      }
      return call.answer();
    }

    @Override
    public RaftClientReply sendRequest(RaftClientRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean handleException(RaftPeerId member, Throwable failure, boolean reconnect) {
      replaced.add(member.toString());
      try {
        ends.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      return true;
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {}

    @Override
    public void close() {}
  }

  private final Peers peers = Peers.parse("test", "n1=127.0.0.1:1,n2=127.0.0.1:2,n3=127.0.0.1:3");
  private final Connections connections = new Connections();
  private long now;
  private final RatisLog log = new RatisLog(peers, client -> connections, () -> now);

  @AfterEach
  void close() {
    connections.ends.countDown();
    log.close();
  }

  private CompletableFuture<Reply> ask() {
    return log.read(new ReadStatus());
  }

  private Call call(int number) {
    return connections.calls.get(number - 1);
  }

  private NotLeaderException notLeader(String leader) {
    RaftPeer suggested =
        peers.group().getPeers().stream()
            .filter(peer -> peer.getId().toString().equals(leader))
            .findFirst()
            .orElse(null);
    return new NotLeaderException(null, suggested, peers.group().getPeers());
  }

  @Test
  void failure_of_a_message_does_not_wait_for_the_end_of_its_connection() {
    CompletableFuture<Reply> first = ask();
    CompletableFuture<Reply> second = ask();
    call(1).answer().completeExceptionally(new IOException("reset"));
    assertThrows(ExecutionException.class, first::get);
    call(2).answer().completeExceptionally(new IOException("reset"));
    assertThrows(ExecutionException.class, second::get);
    CompletableFuture<Reply> third = ask();
    assertEquals("n2", call(3).member());
    call(3).succeed();
    assertInstanceOf(Done.class, third.join());
  }

  @Test
  void messages_that_fail_together_replace_their_connection_once() throws Exception {
    for (int i = 0; i < 3; i++) {
      var unused = ask();
    }
    for (int i = 1; i <= 3; i++) {
      call(i).answer().completeExceptionally(new IOException("reset"));
    }
    assertEquals("n1", connections.replaced.take());
    connections.ends.countDown();
    var onNewConnection = ask(); // to n2
    call(4).answer().completeExceptionally(new IOException("reset"));
    assertTrue(onNewConnection.isCompletedExceptionally());
    assertEquals("n2", connections.replaced.take());
    assertTrue(connections.replaced.isEmpty());
  }

  private void timeOut(int number) {
    call(number).answer().completeExceptionally(new TimeoutIOException("timeout"));
  }

  @Test
  void slow_message_does_not_end_a_connection_that_answers_others() {
    CompletableFuture<Reply> slow = ask();
    CompletableFuture<Reply> quick = ask();
    call(2).succeed();
    assertInstanceOf(Done.class, quick.join());
    now += RatisLog.ALIVE_NANOS - 1;
    timeOut(1);
    assertThrows(ExecutionException.class, slow::get);
    var next = ask();
    assertEquals("n1", call(3).member());
    call(3).answer().completeExceptionally(new IOException("reset"));
    assertTrue(next.isCompletedExceptionally());
    var last = ask();
    assertEquals("n2", call(4).member());
    call(4).succeed();
    assertInstanceOf(Done.class, last.join());
  }

  @Test
  void timeout_on_a_connection_without_recent_answers_ends_it() throws Exception {
    var first = ask();
    call(1).succeed();
    assertInstanceOf(Done.class, first.join());
    var second = ask();
    now += RatisLog.ALIVE_NANOS;
    timeOut(2);
    assertTrue(second.isCompletedExceptionally());
    assertEquals("n1", connections.replaced.take());
    var third = ask();
    assertEquals("n2", call(3).member());
    call(3).succeed();
    assertInstanceOf(Done.class, third.join());
  }

  @Test
  void message_follows_the_leader_that_a_member_names() {
    CompletableFuture<Reply> answer = ask();
    call(1).answer().completeExceptionally(notLeader("n3"));
    assertEquals("n3", call(2).member());
    call(2).succeed();
    assertInstanceOf(Done.class, answer.join());
    assertEquals("n3", log.leader());
  }

  @Test
  void members_that_name_each_other_end_in_a_failure() {
    CompletableFuture<Reply> answer = ask();
    for (int i = 1; !answer.isDone(); i++) {
      call(i)
          .answer()
          .completeExceptionally(notLeader(call(i).member().equals("n1") ? "n2" : "n1"));
    }
    assertInstanceOf(
        NotLeaderException.class, assertThrows(ExecutionException.class, answer::get).getCause());
    assertEquals(4, connections.calls.size());
  }

  @Test
  void member_without_a_leader_passes_the_next_message_to_the_next_member() {
    CompletableFuture<Reply> answer = ask();
    call(1).answer().completeExceptionally(notLeader("none"));
    assertTrue(answer.isCompletedExceptionally());
    var unused = ask();
    assertEquals("n2", call(2).member());
  }

  private void isOfAnotherCluster(int number) {
    call(number).answer().completeExceptionally(new GroupMismatchException("not found"));
  }

  @Test
  void client_gives_up_when_most_members_are_of_another_cluster() {
    CompletableFuture<Reply> first = ask();
    isOfAnotherCluster(1);
    assertTrue(first.isCompletedExceptionally());
    CompletableFuture<Reply> second = ask();
    assertEquals("n2", call(2).member());
    isOfAnotherCluster(2);
    assertEquals(
        new Rejected("the member 'n2' belongs to another cluster than 'test'"), second.join());
  }

  @Test
  void client_turns_away_from_one_member_of_another_cluster() {
    CompletableFuture<Reply> first = ask();
    isOfAnotherCluster(1);
    assertTrue(first.isCompletedExceptionally());
    CompletableFuture<Reply> second = ask();
    call(2).succeed();
    assertInstanceOf(Done.class, second.join());
  }

  @Test
  void refusals_of_one_member_do_not_add_up() {
    for (int number : List.of(1, 4)) {
      CompletableFuture<Reply> refused = ask();
      isOfAnotherCluster(number);
      assertTrue(refused.isCompletedExceptionally());
      for (int silent = number + 1; silent < number + 3; silent++) {
        var unused = ask();
        call(silent).answer().completeExceptionally(new IOException("reset"));
      }
    }
  }

  private void deny(int number) {
    call(number)
        .answer()
        .completeExceptionally(
            new IOException(
                new StatusRuntimeException(Status.PERMISSION_DENIED.withDescription("no role"))));
  }

  @Test
  void client_gives_up_when_most_members_refuse_its_certificate() {
    var first = ask();
    deny(1);
    assertTrue(first.isCompletedExceptionally());
    CompletableFuture<Reply> second = ask();
    assertEquals("n2", call(2).member());
    deny(2);
    assertEquals(new Rejected("no role"), second.join());
  }

  @Test
  void refusals_are_forgotten_when_the_cluster_answers() {
    var first = ask();
    deny(1);
    assertTrue(first.isCompletedExceptionally());
    CompletableFuture<Reply> second = ask();
    assertEquals("n2", call(2).member());
    call(2).succeed();
    assertInstanceOf(Done.class, second.join());
    CompletableFuture<Reply> third = ask();
    deny(3);
    assertTrue(third.isCompletedExceptionally());
  }

  @Test
  void answer_of_a_member_takes_its_refusal_back() {
    var first = ask();
    deny(1);
    for (String each : List.of("n2", "n3", "n1")) {
      var next = ask();
      assertEquals(each, connections.calls.getLast().member());
      if (each.equals("n1")) {
        connections.calls.getLast().succeed();
      } else {
        connections.calls.getLast().answer().completeExceptionally(new IOException("reset"));
      }
    }
    var toFirst = ask();
    call(5).answer().completeExceptionally(new IOException("reset"));
    var toSecond = ask();
    assertEquals("n2", call(6).member());
    deny(6);
    assertTrue(toSecond.isCompletedExceptionally());
  }

  @Test
  void client_that_knows_its_cluster_turns_away_from_a_foreign_member() {
    CompletableFuture<Reply> first = ask();
    call(1).answer().completeExceptionally(notLeader("none"));
    assertTrue(first.isCompletedExceptionally());
    CompletableFuture<Reply> second = ask();
    assertEquals("n2", call(2).member());
    isOfAnotherCluster(2);
    assertTrue(second.isCompletedExceptionally());
    CompletableFuture<Reply> third = ask();
    assertEquals("n3", call(3).member());
    call(3).succeed();
    assertInstanceOf(Done.class, third.join());
  }

  /**
   * Lets a message to n1 time out, and n2 name n1 as the leader of the next one; returns the third
   * message.
   */
  private CompletableFuture<Reply> beginDetour() {
    var toLeader = ask();
    timeOut(1);
    assertTrue(toLeader.isCompletedExceptionally());
    var toOther = ask();
    call(2).answer().completeExceptionally(notLeader("n1"));
    assertTrue(toOther.isCompletedExceptionally());
    return ask();
  }

  private void assertForwarded(int number, String leader, String by) throws IOException {
    RaftClientRequest request = call(number).request();
    assertEquals(by, call(number).member());
    assertTrue(request.is(RaftClientRequestProto.TypeCase.FORWARD));
    RaftClientRequest toLeader =
        ClientProtoUtils.toRaftClientRequest(
            RaftClientRequestProto.parseFrom(request.getMessage().getContent()));
    assertEquals(leader, toLeader.getServerId().toString());
  }

  private void answer(int number, Reply reply) {
    call(number)
        .answer()
        .complete(
            RaftClientReply.newBuilder()
                .setRequest(call(number).request())
                .setSuccess()
                .setMessage(Message.valueOf(Peers.bytes(EntryCodec.encode(reply))))
                .build());
  }

  @Test
  void messages_to_a_leader_that_only_others_reach_are_forwarded() throws Exception {
    CompletableFuture<Reply> first = beginDetour();
    assertForwarded(3, "n1", "n2");
    call(3).succeed();
    assertInstanceOf(Done.class, first.join());
    assertEquals("n1", log.leader());
    var unused = ask();
    assertForwarded(4, "n1", "n2");
  }

  @Test
  void detour_ends_when_the_leader_answers_a_probe() throws Exception {
    var first = beginDetour();
    assertForwarded(3, "n1", "n2");
    now += 999_999_999;
    var second = ask();
    assertForwarded(4, "n1", "n2");
    connections.ends.countDown();
    now++;
    var third = ask();
    assertEquals("n1", connections.probed.take());
    assertForwarded(5, "n1", "n2");
    connections.answersProbes = true;
    int number = 5;
    do {
      now += 1_000_000_000;
      var next = ask();
      number++;
    } while (call(number).member().equals("n2"));
    assertEquals("n1", call(number).member());
    assertFalse(call(number).request().is(RaftClientRequestProto.TypeCase.FORWARD));
  }

  @Test
  void detour_ends_when_another_member_leads() throws Exception {
    var first = beginDetour();
    answer(3, new NotLeading("n3=127.0.0.1:3"));
    assertEquals("n3", call(4).member());
    assertFalse(call(4).request().is(RaftClientRequestProto.TypeCase.FORWARD));
    call(4).succeed();
    assertInstanceOf(Done.class, first.join());
    var next = ask();
    assertEquals("n3", call(5).member());
  }

  @Test
  void detour_ends_when_the_member_that_forwards_leads() throws Exception {
    var first = beginDetour();
    answer(3, new NotLeading("n2=127.0.0.1:2"));
    assertEquals("n2", call(4).member());
    assertFalse(call(4).request().is(RaftClientRequestProto.TypeCase.FORWARD));
    call(4).succeed();
    assertInstanceOf(Done.class, first.join());
    assertEquals("n2", log.leader());
  }

  @Test
  void member_that_cannot_forward_passes_the_next_message_on() throws Exception {
    CompletableFuture<Reply> first = beginDetour();
    answer(3, new NotLeading(""));
    assertTrue(first.isCompletedExceptionally());
    var next = ask();
    assertEquals("n3", call(4).member());
    call(4).answer().completeExceptionally(notLeader("n1"));
    var last = ask();
    assertForwarded(5, "n1", "n3");
  }

  @Test
  void member_of_a_build_that_does_not_forward_is_left() throws Exception {
    var first = beginDetour();
    call(3).answer().completeExceptionally(notLeader("n1"));
    assertEquals("n1", call(4).member());
    assertFalse(call(4).request().is(RaftClientRequestProto.TypeCase.FORWARD));
  }

  private void close(int number) {
    call(number).answer().completeExceptionally(new AlreadyClosedException("closed"));
  }

  @Test
  void messages_on_a_connection_that_another_one_closes_do_not_end_a_detour() throws Exception {
    var toLeader = ask();
    var alsoToLeader = ask();
    timeOut(1);
    close(2);
    var toOther = ask();
    var alsoToOther = ask();
    call(3).answer().completeExceptionally(notLeader("n1"));
    close(4);
    var early = ask(); // before the connection is replaced
    close(5);
    var next = ask();
    assertForwarded(6, "n1", "n2");
  }

  @Test
  void refusal_of_a_member_is_an_answer() throws Exception {
    var first = ask();
    call(1).answer().completeExceptionally(notLeader("none"));
    var second = ask();
    call(2).answer().completeExceptionally(notLeader("n1"));
    assertEquals("n1", call(3).member());
    assertFalse(call(3).request().is(RaftClientRequestProto.TypeCase.FORWARD));
  }
}
