package dev.weblocks.cluster.machine;

import dev.weblocks.cluster.machine.Entry.Batch;
import dev.weblocks.cluster.machine.Entry.CloseSession;
import dev.weblocks.cluster.machine.Entry.ExpireSession;
import dev.weblocks.cluster.machine.Entry.JoinMember;
import dev.weblocks.cluster.machine.Entry.OpenSession;
import dev.weblocks.cluster.machine.Entry.RaiseVersion;
import dev.weblocks.cluster.machine.Entry.RemoveNamespace;
import dev.weblocks.cluster.machine.Entry.Several;
import dev.weblocks.cluster.machine.Query.Diagnose;
import dev.weblocks.cluster.machine.Query.Poll;
import dev.weblocks.cluster.machine.Query.ReadStatus;
import dev.weblocks.cluster.machine.Query.SharedPoll;
import dev.weblocks.cluster.machine.Reply.Diagnosis;
import dev.weblocks.cluster.machine.Reply.Done;
import dev.weblocks.cluster.machine.Reply.Events;
import dev.weblocks.cluster.machine.Reply.MemberStatus;
import dev.weblocks.cluster.machine.Reply.NotLeading;
import dev.weblocks.cluster.machine.Reply.Opened;
import dev.weblocks.cluster.machine.Reply.Rejected;
import dev.weblocks.cluster.machine.Reply.SessionOver;
import dev.weblocks.cluster.machine.Reply.SessionStatus;
import dev.weblocks.cluster.machine.Reply.Status;
import dev.weblocks.lockmanager.LockCodec;
import dev.weblocks.lockmanager.UnsupportedVersionException;
import dev.weblocks.lockmanager.Wire;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.BucketCommand;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.model.Variant;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The encoding of entries, queries and replies as bytes. The first byte is the version.
 *
 * <p>Logs and snapshots outlive a build, and members are upgraded one after the other. So each
 * message is written in the first version that can express it, and read in all versions. A new
 * field gets a new {@link #VERSION}, a condition in its reader, and in {@link #version}.
 */
public final class EntryCodec {

  /**
   * The newest version. Version 2 adds the addresses and versions of members, the ids of removed
   * ones, shared buckets, and the index of each event. Version 3 adds messages for several
   * sessions. Version 4 adds {@link RaiseVersion} and {@link Reply.Full}.
   */
  public static final int VERSION = 4;

  /** The version in which a machine writes snapshots before a {@link RaiseVersion}. */
  static final int SNAPSHOT_VERSION = 2;

  private static final int SEVERAL_ENTRIES = 6;
  private static final int SEVERAL_REPLIES = 8;

  private EntryCodec() {}

  /** Returns the bytes of an entry. */
  public static byte[] encode(Entry entry) {
    return Wire.write(version(entry), entry, EntryCodec::write);
  }

  /** Returns the first version that can express an entry. */
  public static int version(Entry entry) {
    return switch (entry) {
      case RaiseVersion raise -> raise.version(); // a build that does not know its rules stops
      case Several several -> 3;
      case JoinMember join -> 2;
      case Batch batch -> batch.commands().stream().anyMatch(EntryCodec::usesBucket) ? 2 : 1;
      default -> 1;
    };
  }

  private static boolean usesBucket(LockCommand command) {
    return switch (command) {
      case BucketCommand bucket -> true;
      case RequestLock request -> request.manager().opening() != 0;
      case TakeSnapshot query -> query.manager().opening() != 0;
      default -> false;
    };
  }

  private static int version(Reply reply) {
    return switch (reply) {
      case Reply.Full full -> 4;
      case Reply.Several several -> 3;
      case Status status -> 2;
      case Events events -> 2;
      default -> 1;
    };
  }

  /**
   * Decodes an entry.
   *
   * @throws UnsupportedVersionException if the bytes are of a later version
   * @throws IllegalArgumentException if the bytes are malformed
   */
  public static Entry decodeEntry(byte[] bytes) {
    return Wire.read(bytes, "an entry of the lock cluster", VERSION, EntryCodec::entry);
  }

  /** Returns the bytes of a query. */
  public static byte[] encode(Query query) {
    return Wire.write(query instanceof SharedPoll ? 3 : 1, query, EntryCodec::write);
  }

  /**
   * Decodes a query.
   *
   * @throws UnsupportedVersionException if the bytes are of a later version
   * @throws IllegalArgumentException if the bytes are malformed
   */
  public static Query decodeQuery(byte[] bytes) {
    return Wire.read(
        bytes, "a query to the lock cluster", VERSION, (in, version) -> EntryCodec.query(in));
  }

  /** Returns the bytes of a reply. */
  public static byte[] encode(Reply reply) {
    return Wire.write(version(reply), reply, EntryCodec::write);
  }

  /**
   * Decodes a reply.
   *
   * @throws UnsupportedVersionException if the bytes are of a later version
   * @throws IllegalArgumentException if the bytes are malformed
   */
  public static Reply decodeReply(byte[] bytes) {
    return Wire.read(bytes, "a reply of the lock cluster", VERSION, EntryCodec::reply);
  }

  private static void write(DataOutputStream out, Entry entry) throws IOException {
    switch (entry) {
      case OpenSession open -> {
        out.writeByte(0);
        uuid(out, open.secret());
        Wire.string(out, open.namespace());
        Wire.string(out, open.name());
        out.writeLong(open.leaseMillis());
        variants(out, open.variants());
      }
      case Batch batch -> {
        out.writeByte(1);
        out.writeLong(batch.session());
        uuid(out, batch.secret());
        out.writeLong(batch.acknowledged());
        out.writeLong(batch.first());
        Wire.list(out, batch.commands(), LockCodec::write);
      }
      case CloseSession close -> {
        out.writeByte(2);
        out.writeLong(close.session());
        uuid(out, close.secret());
      }
      case ExpireSession expire -> {
        out.writeByte(3);
        out.writeLong(expire.session());
        out.writeLong(expire.batches());
      }
      case RemoveNamespace remove -> {
        out.writeByte(4);
        Wire.string(out, remove.namespace());
      }
      case JoinMember join -> {
        out.writeByte(5);
        Wire.string(out, join.id());
        uuid(out, join.storage());
        out.writeInt(join.version());
      }
      case RaiseVersion raise -> {
        out.writeByte(7);
        out.writeInt(raise.version());
      }
      case Several several -> {
        out.writeByte(SEVERAL_ENTRIES);
        Wire.list(out, several.entries(), EntryCodec::write);
      }
    }
  }

  /** Reads a member. A build of version 1 does not write its version. */
  static JoinMember join(DataInputStream in, int version) throws IOException {
    return new JoinMember(Wire.string(in), uuid(in), version < 2 ? 1 : in.readInt());
  }

  private static Entry entry(DataInputStream in, int version) throws IOException {
    int kind = in.readByte();
    return kind == SEVERAL_ENTRIES
        ? new Several(Wire.list(in, from -> entry(from.readByte(), from, version)))
        : entry(kind, in, version);
  }

  private static Entry entry(int kind, DataInputStream in, int version) throws IOException {
    return switch (kind) {
      case 0 ->
          new OpenSession(uuid(in), Wire.string(in), Wire.string(in), in.readLong(), variants(in));
      case 1 ->
          new Batch(
              in.readLong(),
              uuid(in),
              in.readLong(),
              in.readLong(),
              Wire.list(in, LockCodec::command));
      case 2 -> new CloseSession(in.readLong(), uuid(in));
      case 3 -> new ExpireSession(in.readLong(), in.readLong());
      case 4 -> new RemoveNamespace(Wire.string(in));
      case 5 -> join(in, version);
      case 7 -> new RaiseVersion(in.readInt());
      default -> throw new IllegalArgumentException("unknown kind of entry: " + kind);
    };
  }

  private static void write(DataOutputStream out, Query query) throws IOException {
    switch (query) {
      case Poll poll -> {
        out.writeByte(0);
        writePoll(out, poll);
      }
      case Diagnose diagnose -> {
        out.writeByte(1);
        Wire.string(out, diagnose.namespace());
      }
      case ReadStatus ask -> out.writeByte(2);
      case SharedPoll shared -> {
        out.writeByte(3);
        Wire.list(out, shared.polls(), EntryCodec::writePoll);
      }
    }
  }

  private static void writePoll(DataOutputStream out, Poll poll) throws IOException {
    out.writeLong(poll.session());
    uuid(out, poll.secret());
    out.writeLong(poll.acknowledged());
  }

  private static Poll poll(DataInputStream in) throws IOException {
    return new Poll(in.readLong(), uuid(in), in.readLong());
  }

  private static Query query(DataInputStream in) throws IOException {
    int kind = in.readByte();
    return switch (kind) {
      case 0 -> poll(in);
      case 1 -> new Diagnose(Wire.string(in));
      case 2 -> new ReadStatus();
      case 3 -> new SharedPoll(Wire.list(in, EntryCodec::poll));
      default -> throw new IllegalArgumentException("unknown kind of query: " + kind);
    };
  }

  private static void write(DataOutputStream out, Reply reply) throws IOException {
    switch (reply) {
      case Opened opened -> {
        out.writeByte(0);
        out.writeLong(opened.session());
      }
      case Events answer -> {
        out.writeByte(1);
        out.writeLong(answer.lastCommand());
        Wire.list(out, answer.events(), EntryCodec::write);
      }
      case SessionOver over -> out.writeByte(2);
      case Done done -> out.writeByte(3);
      case Rejected rejected -> {
        out.writeByte(4);
        Wire.string(out, rejected.message());
      }
      case Diagnosis diagnosis -> {
        out.writeByte(5);
        Wire.list(out, diagnosis.states(), LockCodec::write);
        out.writeLong(diagnosis.nanoTime());
      }
      case NotLeading other -> {
        out.writeByte(7);
        Wire.string(out, other.leader());
      }
      case Status status -> {
        out.writeByte(6);
        Wire.list(out, status.sessions(), EntryCodec::write);
        Wire.list(out, status.members(), EntryCodec::write);
        Wire.list(out, status.removed(), Wire::string);
      }
      case Reply.Full full -> {
        out.writeByte(9);
        Wire.string(out, full.message());
      }
      case Reply.Several several -> {
        out.writeByte(SEVERAL_REPLIES);
        Wire.list(out, several.replies(), EntryCodec::write);
      }
    }
  }

  private static Reply reply(DataInputStream in, int version) throws IOException {
    int kind = in.readByte();
    return kind == SEVERAL_REPLIES
        ? new Reply.Several(Wire.list(in, from -> reply(from.readByte(), from, version)))
        : reply(kind, in, version);
  }

  private static Reply reply(int kind, DataInputStream in, int version) throws IOException {
    return switch (kind) {
      case 0 -> new Opened(in.readLong());
      case 1 -> new Events(in.readLong(), Wire.list(in, from -> event(from, version)));
      case 2 -> new SessionOver();
      case 3 -> new Done();
      case 4 -> new Rejected(Wire.string(in));
      case 5 -> new Diagnosis(Wire.list(in, LockCodec::state), in.readLong());
      case 6 ->
          new Status(
              Wire.list(in, EntryCodec::session),
              Wire.list(in, from -> member(from, version)),
              version < 2 ? List.of() : Wire.list(in, Wire::string));
      case 7 -> new NotLeading(Wire.string(in));
      case 9 -> new Reply.Full(Wire.string(in));
      default -> throw new IllegalArgumentException("unknown kind of reply: " + kind);
    };
  }

  static void write(DataOutputStream out, Event event) throws IOException {
    out.writeLong(event.number());
    out.writeLong(event.index());
    LockCodec.write(out, event.effect());
  }

  /** Reads an event. A build of version 1 does not write its index. */
  static Event event(DataInputStream in, int version) throws IOException {
    long number = in.readLong();
    long index = version < 2 ? Event.NO_INDEX : in.readLong();
    return new Event(number, index, LockCodec.effect(in));
  }

  private static void write(DataOutputStream out, SessionStatus status) throws IOException {
    out.writeLong(status.session());
    Wire.string(out, status.namespace());
    Wire.string(out, status.name());
    out.writeLong(status.leaseMillis());
    out.writeLong(status.silentMillis());
    out.writeInt(status.clients());
    out.writeInt(status.held());
    out.writeInt(status.waiting());
  }

  private static SessionStatus session(DataInputStream in) throws IOException {
    return new SessionStatus(
        in.readLong(),
        Wire.string(in),
        Wire.string(in),
        in.readLong(),
        in.readLong(),
        in.readInt(),
        in.readInt(),
        in.readInt());
  }

  private static void write(DataOutputStream out, MemberStatus status) throws IOException {
    Wire.string(out, status.id());
    Wire.string(out, status.address());
    out.writeInt(status.version());
    out.writeLong(status.silentMillis());
    out.writeLong(status.missing());
  }

  private static MemberStatus member(DataInputStream in, int version) throws IOException {
    return version < 2
        ? new MemberStatus(join(in, version).id(), "", 1, -1, -1)
        : new MemberStatus(
            Wire.string(in), Wire.string(in), in.readInt(), in.readLong(), in.readLong());
  }

  static void uuid(DataOutputStream out, UUID value) throws IOException {
    out.writeLong(value.getMostSignificantBits());
    out.writeLong(value.getLeastSignificantBits());
  }

  static UUID uuid(DataInputStream in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  static void variants(DataOutputStream out, Set<Variant> variants) throws IOException {
    Wire.list(out, Variant.ids(variants), Wire::string);
  }

  static Set<Variant> variants(DataInputStream in) throws IOException {
    List<String> ids = Wire.list(in, Wire::string);
    Set<Variant> variants = EnumSet.noneOf(Variant.class);
    for (String id : ids) {
      variants.addAll(
          Variant.named(id)
              .filter(named -> named.size() == 1)
              .orElseThrow(() -> new IllegalArgumentException("unknown variant '" + id + "'")));
    }
    return Variant.requireCompatible(variants);
  }
}
