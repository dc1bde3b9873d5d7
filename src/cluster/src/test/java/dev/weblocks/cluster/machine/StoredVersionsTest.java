package dev.weblocks.cluster.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.lockmanager.UnsupportedVersionException;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.CheckBucket;
import dev.weblocks.lockmanager.message.LockCommand.DeleteBucket;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.OpenBucket;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Entries and snapshots that builds of earlier versions of the codec have written. {@code
 * entries-1.bin} has the encoded {@link #entries}, each after its length in four bytes. {@code
 * snapshot-1.bin} is the snapshot of a machine that has applied them at the times 2000, 3000 and so
 * on. Both were written by the last build of version 1, those with {@link #entriesOfVersion2} by
 * the last one of version 2, and are not to be written again.
 */
class StoredVersionsTest {

  private static final ManagerId CARTS = new ManagerId("https://shop.test/default", "default");
  private static final ManagerId DESKS = new ManagerId("https://desk.test/drafts", "drafts");
  private static final ClientId WINDOW = new ClientId("window-1");
  private static final ClientId WORKER = new ClientId("worker-1");

  private static UUID secret(long session) {
    return new UUID(7, session);
  }

  private static OpenSession open(long session, String namespace, Set<Variant> variants) {
    return new OpenSession(secret(session), namespace, "user-" + session, 10_000, variants);
  }

  private static RegisterClient register(ClientId client) {
    return new RegisterClient(
        client, new LockRequester("agent of " + client.value(), "app.js:3:7", "https://shop.test"));
  }

  private static RequestLock request(
      ClientId client, long id, ManagerId manager, String name, LockMode mode, WaitMode wait) {
    return new RequestLock(new RequestId(client, id), manager, LockOptions.of(name, mode, wait));
  }

  private static RequestLock request(ClientId client, long id, String name) {
    return request(client, id, CARTS, name, LockMode.EXCLUSIVE, WaitMode.WAIT);
  }

  private static Batch batch(long session, long acknowledged, long first, LockCommand... commands) {
    return new Batch(session, secret(session), acknowledged, first, List.of(commands));
  }

  /** Returns entries of all kinds of version 1, with each kind of command. */
  private static List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      all.add(new JoinMember("n" + i, new UUID(5, i), 1));
    }
    all.add(open(1, "shop", Set.of()));
    all.add(open(2, "shop", Set.of()));
    all.add(open(3, "desk", Set.of(Variant.REENTRANT)));
    all.add(open(4, "gone", Set.of()));
    all.add(open(5, "shop", Set.of()));
    all.add(open(6, "shop", Set.of()));
    all.add(
        batch(
            1,
            0,
            1,
            register(WINDOW),
            request(WINDOW, 1, "cart"),
            request(WINDOW, 2, CARTS, "list", LockMode.SHARED, WaitMode.WAIT),
            request(WINDOW, 3, "taken")));
    all.add(
        batch(
            2,
            0,
            1,
            register(WINDOW),
            register(WORKER),
            request(WINDOW, 1, "cart"),
            request(WORKER, 2, CARTS, "list", LockMode.SHARED, WaitMode.WAIT),
            request(WORKER, 3, "list"),
            request(WINDOW, 4, CARTS, "cart", LockMode.EXCLUSIVE, WaitMode.IF_AVAILABLE),
            request(WINDOW, 5, CARTS, "taken", LockMode.EXCLUSIVE, WaitMode.STEAL),
            new TakeSnapshot(new RequestId(WINDOW, 6), CARTS)));
    all.add(
        batch(
            3,
            0,
            1,
            register(WORKER),
            request(WORKER, 1, DESKS, "\uD800 lone", LockMode.EXCLUSIVE, WaitMode.WAIT)));
    all.add(batch(5, 0, 1, register(WINDOW), request(WINDOW, 1, "cart")));
    all.add(batch(6, 0, 1, register(WINDOW), request(WINDOW, 1, "cart")));
    all.add(
        batch(
            2,
            1,
            9,
            request(WORKER, 7, "other"),
            new ReleaseLock(new RequestId(WORKER, 7)),
            request(WORKER, 8, "cart"),
            new AbortRequest(new RequestId(WORKER, 8)),
            register(new ClientId("frame-1")),
            new EndClient(new ClientId("frame-1"))));
    all.add(new CloseSession(5, secret(5)));
    all.add(new ExpireSession(6, 1));
    all.add(new RemoveNamespace("gone"));
    return all;
  }

  private static final ManagerId X = new ManagerId("https://shop.test/x", "x");
  private static final ManagerId Y = new ManagerId("https://shop.test/y", "y");

  /** Returns entries of the kinds and commands that version 2 has added. */
  static List<Entry> entriesOfVersion2() {
    ManagerId opened = new ManagerId("local", "x", 1);
    List<Entry> all = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      all.add(new JoinMember("n" + i, new UUID(5, i), 2));
    }
    all.add(open(1, "shop", Set.of()));
    all.add(open(2, "shop", Set.of()));
    all.add(
        batch(
            1,
            0,
            1,
            register(WINDOW),
            new OpenBucket(new RequestId(WINDOW, 1), X, 0),
            request(WINDOW, 2, opened, "a", LockMode.EXCLUSIVE, WaitMode.WAIT),
            new TakeSnapshot(new RequestId(WINDOW, 3), opened),
            new CheckBucket(new RequestId(WINDOW, 4), 1)));
    all.add(
        batch(
            2,
            0,
            1,
            register(WORKER),
            new OpenBucket(new RequestId(WORKER, 1), X, 0),
            request(WORKER, 2, opened, "a", LockMode.EXCLUSIVE, WaitMode.WAIT),
            new OpenBucket(new RequestId(WORKER, 3), Y, 0),
            new DeleteBucket(new RequestId(WORKER, 4), Y, 3)));
    return all;
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = StoredVersionsTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static ClusterMachine machine() {
    return machine(entries());
  }

  static ClusterMachine machine(List<Entry> entries) {
    ClusterMachine machine = new ClusterMachine();
    long time = 1_000;
    for (Entry entry : entries) {
      machine.apply(entry, Event.NO_INDEX, time += 1_000);
    }
    return machine;
  }

  @Test
  void entries_of_earlier_versions_are_read() throws IOException {
    assertEquals(entries(), read("entries-1.bin"));
    assertEquals(entriesOfVersion2(), read("entries-2.bin"));
  }

  private static List<Entry> read(String resource) throws IOException {
    List<Entry> read = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(resource(resource)))) {
      while (in.available() > 0) {
        read.add(EntryCodec.decodeEntry(in.readNBytes(in.readInt())));
      }
    }
    return read;
  }

  @Test
  void a_snapshot_of_version_2_restores_the_state_of_its_entries() throws IOException {
    ClusterMachine restored = ClusterMachine.restore(resource("snapshot-2.bin"));
    assertArrayEquals(machine(entriesOfVersion2()).snapshot(), restored.snapshot());
    assertEquals(2, restored.diagnose("shop").states().size());
    assertNull(restored.refusal(2));
    assertNotNull(restored.refusal(3), "no member of version 2 can read it");
  }

  @Test
  void messages_for_several_sessions_have_version_3() {
    Entry several = new Several(entriesOfVersion2());
    assertEquals(3, EntryCodec.encode(several)[0]);
    assertEquals(several, EntryCodec.decodeEntry(EntryCodec.encode(several)));
    Query shared = new SharedPoll(List.of(new Poll(1, secret(1), 2), new Poll(2, secret(2), 0)));
    assertEquals(3, EntryCodec.encode(shared)[0]);
    assertEquals(shared, EntryCodec.decodeQuery(EntryCodec.encode(shared)));
    Reply replies = new Reply.Several(List.of(new Events(1, List.of()), new Reply.SessionOver()));
    assertEquals(3, EntryCodec.encode(replies)[0]);
    assertEquals(replies, EntryCodec.decodeReply(EntryCodec.encode(replies)));
  }

  @Test
  void message_that_contains_another_one_for_several_sessions_is_malformed() {
    byte[] nested = EntryCodec.encode(new Several(List.of(new Several(List.of()))));
    assertThrows(IllegalArgumentException.class, () -> EntryCodec.decodeEntry(nested));
  }

  @Test
  void a_snapshot_of_version_1_restores_the_state_of_its_entries() throws IOException {
    ClusterMachine restored = ClusterMachine.restore(resource("snapshot-1.bin"));
    assertArrayEquals(machine().snapshot(), restored.snapshot());
    assertEquals(3, restored.sessionCount());
    assertEquals(6, restored.diagnose("shop").states().size());
    assertEquals(1, restored.diagnose("desk").states().size());
  }

  @Test
  void a_machine_goes_on_from_a_snapshot_of_version_1() throws IOException {
    ClusterMachine restored = ClusterMachine.restore(resource("snapshot-1.bin"));
    assertInstanceOf(
        Events.class,
        restored.apply(batch(1, 4, 5, new ReleaseLock(new RequestId(WINDOW, 1))), 1, 90_000));
    List<LockEffect> effects = effects(restored.events(2, secret(2), 6));
    Granted next = assertInstanceOf(Granted.class, effects.getFirst());
    assertEquals(new RequestId(WINDOW, 1), next.id());
    assertEquals(8, next.token(), "the token after the greatest one");
    assertInstanceOf(
        Released.class, effects(restored.events(1, secret(1), 4)).getFirst(), "of the holder");
    restored.apply(restored.expiryOf(1), 1, 91_000);
    restored.apply(batch(2, 7, 15, new ReleaseLock(new RequestId(WORKER, 2))), 1, 92_000);
    assertTrue(
        effects(restored.events(2, secret(2), 7)).stream().anyMatch(Granted.class::isInstance),
        "the last shared lock was released, and the exclusive request is next");
    assertEquals(new Opened(7), restored.apply(open(7, "shop", Set.of()), 1, 93_000));
  }

  private static List<LockEffect> effects(Reply reply) {
    return assertInstanceOf(Events.class, reply).events().stream().map(Event::effect).toList();
  }

  @Test
  void snapshots_and_entries_of_a_later_version_give_one_clear_line() {
    int later = EntryCodec.VERSION + 1;
    byte[] snapshot = machine().snapshot();
    assertEquals(EntryCodec.SNAPSHOT_VERSION, snapshot[0]);
    snapshot[0] = (byte) later;
    String refusal =
        "%s has version %s, but this build reads version 1 to %s; use the build that wrote it";
    assertRefused(
        refusal.formatted("a snapshot of the lock cluster", later, EntryCodec.VERSION),
        () -> ClusterMachine.restore(snapshot));
    byte[] entry = EntryCodec.encode(new RemoveNamespace("shop"));
    entry[0] = (byte) later;
    assertRefused(
        refusal.formatted("an entry of the lock cluster", later, EntryCodec.VERSION),
        () -> EntryCodec.decodeEntry(entry));
  }

  private static void assertRefused(String message, Executable call) {
    assertEquals(message, assertThrows(UnsupportedVersionException.class, call).getMessage());
  }

  @Test
  void messages_are_written_in_the_first_version_that_can_express_them() {
    assertEquals(1, EntryCodec.encode(open(1, "shop", Set.of()))[0]);
    assertEquals(1, EntryCodec.encode(new Query.ReadStatus())[0]);
    assertEquals(1, EntryCodec.encode(new Reply.Opened(1))[0]);
    assertEquals(2, EntryCodec.encode(new JoinMember("n1", new UUID(5, 1), 2))[0]);
  }
}
