package dev.weblocks.cluster.ratis;

import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Rejects votes and entries while it is unknown how a member takes part. Without it, Ratis takes
 * the configuration from a leader, and then votes, though it still lacks entries.
 */
final class UndecidedMember implements ServerInterceptor {

  @Override
  public <Q, P> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
    String service = call.getMethodDescriptor().getServiceName();
    if (!RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(service)) {
      return next.startCall(call, headers);
    }
    call.close(
        Status.UNAVAILABLE.withDescription("The member waits for the others."), new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
