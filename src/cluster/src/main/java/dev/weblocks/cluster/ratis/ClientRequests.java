package dev.weblocks.cluster.ratis;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
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

  private final ServerCallHandler<RaftClientRequestProto, RaftClientReplyProto> handler;

  ClientRequests(Submission submission) {
    this.handler = ServerCalls.asyncBidiStreamingCall(replies -> new Stream(submission, replies));
  }

  /** Returns the requests to a server. */
  static ClientRequests to(CompletableFuture<RaftServer> server) {
    return new ClientRequests(request -> {
      RaftServer started = server.getNow(null);
      if (started == null) {
        throw new ServerNotReadyException("The member starts.");
      }
      // the server itself would change threads; its divisions, of no public type, do not
      return ((RaftClientAsynchronousProtocol) started.getDivision(request.getRaftGroupId()))
          .submitClientRequestAsync(request);
    });
  }

  @Override
  public <Q, P> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
    if (!call.getMethodDescriptor().getFullMethodName().equals(MESSAGES)) {
      return next.startCall(call, headers);
    }
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
        var unused =
            submission
                .submit(ClientProtoUtils.toRaftClientRequest(message))
                .whenComplete(this::answered);
      } catch (IOException | RuntimeException failed) {
        fail(failed);
      }
    }

    private void answered(@Nullable RaftClientReply reply, @Nullable Throwable failure) {
      try {
        if (reply == null) {
          fail(JavaUtils.unwrapCompletionException(Objects.requireNonNull(failure)));
        } else {
          send(ClientProtoUtils.toRaftClientReplyProto(reply));
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

    private synchronized void fail(Throwable failure) {
      if (!isOver) {
        isOver = true;
        replies.onError(GrpcUtil.wrapException(failure));
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
