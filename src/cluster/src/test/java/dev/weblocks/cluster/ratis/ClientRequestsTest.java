package dev.weblocks.cluster.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.Test;

/** The messages of a client on one connection, to a server that the test controls. */
class ClientRequestsTest {

  private final List<String> sent = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();
  private final List<CompletableFuture<RaftClientReply>> answers = new ArrayList<>();
  private final List<RaftClientRequest> requests = new ArrayList<>();

  private final StreamObserver<RaftClientReplyProto> replies =
      new StreamObserver<>() {
        @Override
        public void onNext(RaftClientReplyProto reply) {
          sent.add(
              (reply.hasReadIndexException() ? "no leader for " : "reply ")
                  + reply.getRpcReply().getCallId());
        }

        @Override
        public void onError(Throwable failure) {
          sent.add("error");
          errors.add(failure);
        }

        @Override
        public void onCompleted() {
          sent.add("end");
        }
      };

  private final ClientRequests.Stream stream = new ClientRequests.Stream(this::submit, replies);

  private CompletableFuture<RaftClientReply> submit(RaftClientRequest request) {
    requests.add(request);
    answers.add(new CompletableFuture<>());
    return answers.getLast();
  }

  private static RaftClientRequestProto message(long call) {
    return ClientProtoUtils.toRaftClientRequestProto(
        RaftClientRequest.newBuilder()
            .setClientId(ClientId.randomId())
            .setServerId(RaftPeerId.valueOf("n1"))
            .setGroupId(RaftGroupId.randomId())
            .setCallId(call)
            .setMessage(Message.EMPTY)
            .setType(RaftClientRequest.writeRequestType())
            .build());
  }

  private void answer(int number) {
    answers
        .get(number - 1)
        .complete(
            RaftClientReply.newBuilder()
                .setRequest(requests.get(number - 1))
                .setSuccess()
                .setMessage(Message.EMPTY)
                .build());
  }

  @Test
  void replies_are_sent_as_they_come() {
    stream.onNext(message(1));
    stream.onNext(message(2));
    answer(2);
    answer(1);
    assertEquals(List.of("reply 2", "reply 1"), sent);
  }

  @Test
  void connection_ends_after_the_last_reply() {
    stream.onNext(message(1));
    stream.onNext(message(2));
    answer(1);
    stream.onCompleted();
    assertEquals(List.of("reply 1"), sent);
    answer(2);
    assertEquals(List.of("reply 1", "reply 2", "end"), sent);
  }

  @Test
  void connection_without_messages_in_flight_ends_at_once() {
    stream.onNext(message(1));
    answer(1);
    stream.onCompleted();
    assertEquals(List.of("reply 1", "end"), sent);
  }

  @Test
  void failure_of_a_message_ends_the_connection_once() {
    stream.onNext(message(1));
    stream.onNext(message(2));
    stream.onNext(message(3));
    answers.get(0).completeExceptionally(new CompletionException(new IOException("no disk")));
    answers.get(1).completeExceptionally(new IOException("no disk"));
    answer(3);
    stream.onCompleted();
    assertEquals(List.of("error"), sent);
    assertEquals(
        "no disk",
        GrpcUtil.unwrapException((StatusRuntimeException) errors.getFirst()).getMessage());
  }

  @Test
  void read_that_does_not_reach_the_leader_fails_alone() {
    stream.onNext(message(1));
    stream.onNext(message(2));
    answers.get(0).completeExceptionally(Status.UNAVAILABLE.asRuntimeException());
    answer(2);
    stream.onCompleted();
    assertEquals(List.of("no leader for 1", "reply 2", "end"), sent);
  }

  @Test
  void failure_that_cannot_be_serialized_ends_the_connection_with_its_text() {
    stream.onNext(message(1));
    answers
        .getFirst()
        .completeExceptionally(
            new IOException("no disk", Status.UNAVAILABLE.asRuntimeException(new Metadata())));
    assertEquals(List.of("error"), sent);
    assertEquals(
        "java.io.IOException: no disk",
        ((StatusRuntimeException) errors.getFirst()).getStatus().getDescription());
  }

  @Test
  void message_that_cannot_be_submitted_ends_the_connection() {
    ClientRequests.Stream refusing =
        new ClientRequests.Stream(
            request -> {
              throw new GroupMismatchException("another cluster");
            },
            replies);
    refusing.onNext(message(1));
    assertEquals(List.of("error"), sent);
    assertInstanceOf(
        GroupMismatchException.class,
        GrpcUtil.unwrapException((StatusRuntimeException) errors.getFirst()));
  }

  @Test
  void malformed_message_ends_the_connection() {
    stream.onNext(RaftClientRequestProto.getDefaultInstance());
    assertEquals(List.of("error"), sent);
    assertEquals(List.of(), requests);
  }

  @Test
  void reply_that_cannot_be_sent_ends_the_connection() {
    ClientRequests.Stream broken =
        new ClientRequests.Stream(
            this::submit,
            new StreamObserver<>() {
              @Override
              public void onNext(RaftClientReplyProto reply) {
                throw new OutOfMemoryError("no memory for the reply");
              }

              @Override
              public void onError(Throwable failure) {
                replies.onError(failure);
              }

              @Override
              public void onCompleted() {
                replies.onCompleted();
              }
            });
    broken.onNext(message(1));
    answer(1);
    broken.onCompleted();
    assertEquals(List.of("error"), sent);
  }

  @Test
  void nothing_is_sent_to_a_client_that_has_gone() {
    stream.onNext(message(1));
    stream.onNext(message(2));
    stream.onError(new IOException("cancelled"));
    answer(1);
    answers.get(1).completeExceptionally(new IOException("late"));
    assertEquals(List.of(), sent);
  }
}
