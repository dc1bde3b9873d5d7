package dev.weblocks.cluster.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.TestAuthority;
import dev.weblocks.cluster.TestAuthority.Identity;
import dev.weblocks.cluster.machine.Entry;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ClientCall;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.Status.Code;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Calls and messages to a member, with certificates of each role. */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class PeerRoleTest {

  private static final String UNORDERED =
      RaftClientProtocolServiceGrpc.getUnorderedMethod().getFullMethodName();
  private static final RaftPeerId N1 = RaftPeerId.valueOf("n1");

  @TempDir static Path folder;
  private static Peers peers;
  private static Identity member;
  private static Identity client;
  private static Identity other;
  private static RatisMember server;

  @BeforeAll
  static void startMember() throws Exception {
    TestAuthority authority = new TestAuthority(folder, "roles");
    member = authority.issue("n1", "member");
    client = authority.issue("c", "client");
    other = authority.issueWithNames("o", "ip:127.0.0.1,uri:weblocks:members,dns:weblocks.member");
    peers = freePeer();
    server = RatisMember.start(peers, "n1", folder.resolve("n1"), null, member.tls(), false);
  }

  @AfterAll
  static void stopMember() {
    server.close();
  }

  private static Peers freePeer() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Peers.parse("test", "n1=127.0.0.1:" + socket.getLocalPort());
    }
  }

  private static List<MethodDescriptor<?, ?>> methods() {
    List<MethodDescriptor<?, ?>> all = new ArrayList<>();
    all.addAll(RaftServerProtocolServiceGrpc.getServiceDescriptor().getMethods());
    all.addAll(RaftClientProtocolServiceGrpc.getServiceDescriptor().getMethods());
    all.addAll(AdminProtocolServiceGrpc.getServiceDescriptor().getMethods());
    return all;
  }

  /** Calls a method without a message, and returns how the member ends the call. */
  private static <Q, P> org.apache.ratis.thirdparty.io.grpc.Status call(
      ManagedChannel channel, MethodDescriptor<Q, P> method) {
    CompletableFuture<org.apache.ratis.thirdparty.io.grpc.Status> end = new CompletableFuture<>();
    ClientCall<Q, P> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(
              org.apache.ratis.thirdparty.io.grpc.Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    call.halfClose();
    return end.join();
  }

  private static ManagedChannel channel(Identity identity) {
    Parameters parameters = identity.tls().parameters(/* acceptsWithoutRole= */ false);
    return NettyChannelBuilder.forAddress("127.0.0.1", peers.portOf("n1"))
        .sslContext(GrpcUtil.buildSslContextForClient(GrpcConfigKeys.TLS.conf(parameters)))
        .build();
  }

  @Test
  void client_can_call_the_service_for_messages_alone() {
    ManagedChannel channel = channel(client);
    try {
      for (MethodDescriptor<?, ?> each : methods()) {
        String method = each.getFullMethodName();
        var end = call(channel, each);
        if (method.equals(UNORDERED)) {
          assertEquals(Code.OK, end.getCode());
        } else {
          assertEquals(Code.PERMISSION_DENIED, end.getCode(), method);
          assertEquals(
              "the certificate 'CN=c' is one of a client; for '"
                  + method
                  + "' use one of a member, with the URI weblocks:member in its subjectAltName",
              end.getDescription());
        }
      }
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void certificate_without_a_role_can_call_nothing() {
    ManagedChannel channel = channel(other);
    try {
      for (MethodDescriptor<?, ?> each : methods()) {
        var end = call(channel, each);
        assertEquals(Code.PERMISSION_DENIED, end.getCode(), each.getFullMethodName());
        assertEquals(
            "the certificate 'CN=o' has no role; renew it with the URI weblocks:client or"
                + " weblocks:member in its subjectAltName, or start the members with"
                + " --accept-members-without-role until all certificates are renewed",
            end.getDescription());
      }
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void member_can_call_all_services() {
    ManagedChannel channel = channel(member);
    try {
      for (MethodDescriptor<?, ?> each : methods()) {
        if (!each.equals(RaftClientProtocolServiceGrpc.getOrderedMethod())) {
          assertNotEquals(
              Code.PERMISSION_DENIED, call(channel, each).getCode(), each.getFullMethodName());
        }
      }
    } finally {
      channel.shutdownNow();
    }
  }

  private static RaftClient administrator(Identity identity) {
    return RaftClient.newBuilder()
        .setRaftGroup(peers.group())
        .setProperties(RatisOptions.ofClient())
        .setParameters(identity.tls().parameters(/* acceptsWithoutRole= */ false))
        .setRetryPolicy(RetryPolicies.noRetry())
        .build();
  }

  private static void assertRefused(Executable use) {
    String refusal = Roles.refusal(assertThrows(Exception.class, use));
    assertTrue(String.valueOf(refusal).contains("'CN=c' is one of a client"), refusal);
  }

  @Test
  void client_cannot_use_the_administration_of_ratis() throws Exception {
    try (RaftClient administrator = administrator(client)) {
      assertRefused(() -> administrator.getGroupManagementApi(N1).list());
      assertRefused(
          () -> administrator.getGroupManagementApi(N1).remove(peers.groupId(), true, false));
      assertRefused(
          () -> administrator.admin().setConfiguration(List.copyOf(peers.group().getPeers())));
    }
    try (RaftClient administrator = administrator(member)) {
      assertEquals(
          List.of(peers.groupId()), administrator.getGroupManagementApi(N1).list().getGroupIds());
    }
  }

  /** Sends an entry until a leader answers. */
  private static Reply append(RatisLog log, Entry entry) throws InterruptedException {
    while (true) {
      try {
        return log.append(entry).get();
      } catch (ExecutionException electing) {
        Thread.onSpinWait();
      }
    }
  }

  private static Rejected notOfMember(String what) {
    return new Rejected(
        "the certificate 'CN=c' is one of a client; for "
            + what
            + " use one of a member, with the URI weblocks:member in its subjectAltName");
  }

  private static OpenSession session(String namespace) {
    return new OpenSession(UUID.randomUUID(), namespace, "test", 5_000, Set.of());
  }

  @Test
  void client_opens_sessions_but_joins_no_member() throws Exception {
    JoinMember join = new JoinMember("n1", UUID.randomUUID(), EntryCodec.VERSION);
    RemoveNamespace removal = new RemoveNamespace("a");
    try (RatisLog log = new RatisLog(peers, client.tls())) {
      assertInstanceOf(Opened.class, append(log, session("a")));
      assertEquals(notOfMember("the start of a member"), append(log, join));
      assertEquals(notOfMember("the removal of a namespace"), append(log, removal));
      assertEquals(
          notOfMember("the start of a member"),
          append(log, new Several(List.of(session("a"), join))));
    }
    try (RatisLog log = new RatisLog(peers, member.tls())) {
      assertEquals(new Done(), append(log, removal));
    }
  }

  private static Reply send(RatisLog log, byte[] bytes, RaftClientRequest.Type type) {
    RaftPeer peer = peers.group().getPeers().iterator().next();
    return log.sendTo(peer, bytes, type).join();
  }

  private static byte[] forwarded(Entry entry) {
    return ClientProtoUtils.toRaftClientRequestProto(
            RaftClientRequest.newBuilder()
                .setClientId(ClientId.randomId())
                .setServerId(N1)
                .setGroupId(peers.groupId())
                .setCallId(1)
                .setMessage(Message.valueOf(Peers.bytes(EntryCodec.encode(entry))))
                .setType(RaftClientRequest.writeRequestType())
                .build())
        .toByteArray();
  }

  @Test
  void member_forwards_no_entry_that_its_client_may_not_write() throws Exception {
    JoinMember join = new JoinMember("n1", UUID.randomUUID(), EntryCodec.VERSION);
    RaftClientRequest.Type forward = RaftClientRequest.forwardRequestType();
    try (RatisLog log = new RatisLog(peers, client.tls())) {
      assertInstanceOf(Opened.class, append(log, session("b")));
      assertInstanceOf(Opened.class, send(log, forwarded(session("b")), forward));
      assertEquals(notOfMember("the start of a member"), send(log, forwarded(join), forward));
      assertEquals(
          notOfMember("the removal of a namespace"),
          send(log, forwarded(new RemoveNamespace("b")), forward));
    }
  }

  @Test
  void messages_of_unused_types_are_refused() {
    byte[] query = EntryCodec.encode(new ReadStatus());
    try (RatisLog log = new RatisLog(peers, member.tls())) {
      for (RaftClientRequest.Type each :
          List.of(
              RaftClientRequest.staleReadRequestType(0),
              RaftClientRequest.watchRequestType(),
              RaftClientRequest.messageStreamRequestType(1, 1, true))) {
        assertEquals(
            new Rejected("messages of type " + each.getTypeCase() + " are not served"),
            send(log, query, each));
      }
    }
  }

  @Test
  void probe_of_a_leader_is_answered_to_a_client() throws Exception {
    try (RatisLog log = new RatisLog(peers, client.tls())) {
      assertInstanceOf(Opened.class, append(log, session("c")));
      assertEquals(
          new Reply.Several(List.of()),
          send(
              log,
              EntryCodec.encode(new SharedPoll(List.of())),
              RaftClientRequest.readRequestType(true)));
    }
  }

  @Test
  void client_is_told_why_its_certificate_is_refused() throws Exception {
    try (RatisLog log = new RatisLog(peers, other.tls())) {
      Rejected rejected = assertInstanceOf(Rejected.class, append(log, session("d")));
      assertEquals(other.tls().role().withoutRole(), rejected.message());
    }
  }

  @Test
  void certificate_of_a_client_is_not_accepted_as_that_of_a_member() throws Exception {
    GrpcTlsConfig config =
        GrpcConfigKeys.TLS.conf(client.tls().parameters(/* acceptsWithoutRole= */ false));
    Server impostor =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .sslContext(GrpcUtil.buildSslContextForServer(config))
            .build()
            .start();
    Peers taken = Peers.parse("test", "n1=127.0.0.1:" + impostor.getPort());
    try (RatisLog log = new RatisLog(taken, member.tls())) {
      assertEquals(notOfMember("the address of a member"), append(log, session("a")));
    } finally {
      impostor.shutdownNow();
    }
  }

  @Test
  void member_may_accept_certificates_without_a_role() throws Exception {
    Peers own = freePeer();
    try (RatisMember lenient =
            RatisMember.start(own, "n1", folder.resolve("lenient"), null, other.tls(), true);
        RatisLog log = new RatisLog(own, other.tls())) {
      assertEquals("n1", lenient.id());
      assertInstanceOf(Opened.class, append(log, session("a")));
      assertEquals(new Done(), append(log, new RemoveNamespace("a")));
      assertInstanceOf(Status.class, log.read(new ReadStatus()).join());
    }
  }

  @Test
  void member_needs_a_certificate_of_a_member() throws Exception {
    Peers own = freePeer();
    Path data = folder.resolve("refused");
    IOException thrown =
        assertThrows(
            IOException.class, () -> RatisMember.start(own, "n1", data, null, other.tls(), false));
    assertEquals(other.tls().role().withoutRole(), thrown.getMessage());
    thrown =
        assertThrows(
            IOException.class, () -> RatisMember.start(own, "n1", data, null, client.tls(), true));
    assertEquals(client.tls().role().notOfMember("a member"), thrown.getMessage());
  }
}
