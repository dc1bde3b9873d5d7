package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Reply.Rejected;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.exceptions.ReadIndexException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.util.JavaUtils;
import org.jspecify.annotations.Nullable;

/**
 * Answers the messages of {@link RatisLog} in place of the service of Ratis. That one gives each
 * message to another thread and waits for it, and each reply to a third thread: when each message
 * waits for the one before, these changes of threads take a tenth of the time. Thread-safe.
 */
final class ClientRequests implements ServerInterceptor {

  /** Submits a message; the future completes with the reply. */
  @FunctionalInterface
  interface Submission {
    CompletableFuture<RaftClientReply> submit(RaftClientRequest request) throws IOException;
  }

  private static final String MESSAGES =
      RaftClientProtocolServiceGrpc.getUnorderedMethod().getFullMethodName();

  private final CompletableFuture<RaftServer> server;
  private final ForwardedMessages messages;
  private final Roles roles;

  /**
   * Creates the service of a member.
   *
   * @param log passes on what clients of the leader send to this member
   */
  ClientRequests(CompletableFuture<RaftServer> server, RatisLog log, Roles roles) {
    this.server = server;
    this.messages = new ForwardedMessages(log);
    this.roles = roles;
  }

  private CompletableFuture<RaftClientReply> submit(PeerRole sender, RaftClientRequest request)
      throws IOException {
    RaftServer started = server.getNow(null);
    if (started == null) {
      throw new ServerNotReadyException("The member starts.");
    }
    RaftServer.Division division = started.getDivision(request.getRaftGroupId());
    String refusal = Roles.refusal(sender, request);
    return refusal == null
        ? messages.submit(division, request)
        : CompletableFuture.completedFuture(
            ForwardedMessages.reply(request, new Rejected(refusal)));
  }

  @Override
  public <Q, P> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
    if (!call.getMethodDescriptor().getFullMethodName().equals(MESSAGES)) {
      return next.startCall(call, headers);
    }
    PeerRole sender = roles.of(call);
    ServerCallHandler<RaftClientRequestProto, RaftClientReplyProto> handler =
        ServerCalls.asyncBidiStreamingCall(
            replies -> new Stream(request -> submit(sender, request), replies));
    @SuppressWarnings("unchecked") // the types of this method
    ServerCallHandler<Q, P> own = (ServerCallHandler<Q, P>) (ServerCallHandler<?, ?>) handler;
    return own.startCall(call, headers);
  }

  /** The messages on one connection. A message that fails ends it: the client opens another one. */
  static final class Stream implements StreamObserver<RaftClientRequestProto> {

    private final Submission submission;
    private final StreamObserver<RaftClientReplyProto> replies;

    // guarded by this
    private int unanswered;
    private boolean hasAll;
    private boolean isOver;

    Stream(Submission submission, StreamObserver<RaftClientReplyProto> replies) {
      this.submission = submission;
      this.replies = replies;
    }

    @Override
    public void onNext(RaftClientRequestProto message) {
      synchronized (this) {
        unanswered++;
      }
      try {
        RaftClientRequest request = ClientProtoUtils.toRaftClientRequest(message);
        var unused =
            submission
                .submit(request)
                .whenComplete((reply, failure) -> answered(request, reply, failure));
      } catch (IOException | RuntimeException failed) {
        fail(failed);
      }
    }

    private void answered(
        RaftClientRequest request, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
      try {
        if (reply != null) {
          send(ClientProtoUtils.toRaftClientReplyProto(reply));
          return;
        }
        Throwable cause = JavaUtils.unwrapCompletionException(Objects.requireNonNull(failure));
        if (cause instanceof StatusRuntimeException unreachable) {
          send(ClientProtoUtils.toRaftClientReplyProto(withoutLeader(request, unreachable)));
        } else {
          fail(cause);
        }
      } catch (RuntimeException | Error exhausted) {
        fail(exhausted);
      }
    }

    private synchronized void send(RaftClientReplyProto reply) {
      unanswered--;
      if (!isOver) {
        replies.onNext(reply);
        completeIfAnswered();
      }
    }

    private void completeIfAnswered() {
      if (hasAll && unanswered == 0) {
        isOver = true;
        replies.onCompleted();
      }
    }

    /** Answers a read of a follower, which has not reached the leader. */
    private static RaftClientReply withoutLeader(
        RaftClientRequest request, StatusRuntimeException unreachable) {
      return RaftClientReply.newBuilder()
          .setRequest(request)
          .setException(
              new ReadIndexException("The leader cannot be reached: " + unreachable.getMessage()))
          .build();
    }

    private synchronized void fail(Throwable failure) {
      if (!isOver) {
        StatusRuntimeException error = error(failure);
        isOver = true;
        replies.onError(error);
      }
    }

    private static StatusRuntimeException error(Throwable failure) {
      try {
        return GrpcUtil.wrapException(failure); // with the serialized failure
      } catch (RuntimeException notSerializable) {
        return Status.INTERNAL.withDescription(failure.toString()).asRuntimeException();
      }
    }

    /** {@inheritDoc} Called when the client has gone. */
    @Override
    public synchronized void onError(Throwable gone) {
      isOver = true;
    }

    @Override
    public synchronized void onCompleted() {
      hasAll = true;
      if (!isOver) {
        completeIfAnswered();
      }
    }
  }
}
