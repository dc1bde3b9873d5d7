package dev.weblocks.cluster.ratis;

import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.ratis.MemberTrust.NoMember;
import dev.weblocks.cluster.ratis.PeerRole.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto.TypeCase;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what the role of a certificate does not allow: votes, entries, snapshots and
 * administration are for members, and clients get the lock service alone. Thread-safe.
 *
 * @param hasTls whether certificates are checked: without TLS, each connection is one of a member
 * @param acceptsWithoutRole whether certificates without a role are taken for those of members
 */
record Roles(boolean hasTls, boolean acceptsWithoutRole) implements ServerInterceptor {

  /** The method for the messages of {@link RatisLog}, which checks each of them. */
  private static final String MESSAGES =
      RaftClientProtocolServiceGrpc.getUnorderedMethod().getFullMethodName();

  /** The other methods of the service for clients, which would not check messages. */
  private static final Set<String> UNUSED =
      Set.of(RaftClientProtocolServiceGrpc.getOrderedMethod().getFullMethodName());

  private static final Set<TypeCase> TYPES = Set.of(TypeCase.WRITE, TypeCase.READ);

  /** Returns the role of the sender of a call. */
  PeerRole of(ServerCall<?, ?> call) {
    if (!hasTls) {
      return PeerRole.TRUSTED;
    }
    PeerRole role = PeerRole.of(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
    return role.kind() == Kind.NONE && acceptsWithoutRole
        ? new PeerRole(Kind.MEMBER, role.subject())
        : role;
  }

  @Override
  public <Q, P> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
    String method = call.getMethodDescriptor().getFullMethodName();
    PeerRole role = of(call);
    String refusal =
        switch (role.kind()) {
          case NONE -> role.withoutRole();
          case CLIENT -> method.equals(MESSAGES) ? null : role.notOfMember("'" + method + "'");
          case MEMBER -> UNUSED.contains(method) ? "'" + method + "' is not served" : null;
        };
    if (refusal == null) {
      return next.startCall(call, headers);
    }
    call.close(Status.PERMISSION_DENIED.withDescription(refusal), new Metadata());
    return new ServerCall.Listener<>() {};
  }

  /**
   * Returns why a message is refused; null if it is not.
   *
   * @throws IOException if it contains a malformed message for another member
   */
  static @Nullable String refusal(PeerRole sender, RaftClientRequest request) throws IOException {
    RaftClientRequest inner = request;
    if (request.is(TypeCase.FORWARD)) { // the other member would see the certificate of this one
      inner =
          ClientProtoUtils.toRaftClientRequest(
              RaftClientRequestProto.parseFrom(request.getMessage().getContent()));
    }
    if (!TYPES.contains(inner.getType().getTypeCase())) {
      return "messages of type " + inner.getType().getTypeCase() + " are not served";
    }
    if (sender.kind() == Kind.MEMBER || !inner.is(TypeCase.WRITE)) {
      return null;
    }
    Entry entry;
    try {
      entry = EntryCodec.decodeEntry(inner.getMessage().getContent().toByteArray());
    } catch (IllegalArgumentException malformed) {
      return null; // the leader says why
    }
    for (Entry each : entry instanceof Several several ? several.entries() : List.of(entry)) {
      switch (each) {
        case JoinMember join -> {
          return sender.notOfMember("the start of a member");
        }
        case RemoveNamespace removal -> {
          return sender.notOfMember("the removal of a namespace");
        }
        default -> {}
      }
    }
    return null;
  }

  /**
   * Returns the message of a member that has refused a call, or of this process that has refused
   * the certificate of that member; null if none has.
   */
  static @Nullable String refusal(@Nullable Throwable failure) {
    Throwable each = failure;
    while (each != null) {
      if (each instanceof NoMember impostor) {
        return impostor.getMessage();
      }
      Status status = Status.fromThrowable(each);
      if (status.getCode() == Status.Code.PERMISSION_DENIED && status.getDescription() != null) {
        return status.getDescription();
      }
      each = each.getCause();
    }
    return null;
  }

  /**
   * Checks the certificate of a member itself, which the others would refuse.
   *
   * @throws IOException if it is not one of a member; the message says what to do
   */
  void requireMember(PeerRole own) throws IOException {
    if (own.kind() == Kind.CLIENT) {
      throw new IOException(own.notOfMember("a member"));
    }
    if (own.kind() == Kind.NONE && !acceptsWithoutRole) {
      throw new IOException(own.withoutRole());
    }
  }
}
