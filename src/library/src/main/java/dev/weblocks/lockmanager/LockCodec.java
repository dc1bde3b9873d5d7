package dev.weblocks.lockmanager;

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
import dev.weblocks.lockmanager.message.LockEffect.BucketDeleted;
import dev.weblocks.lockmanager.message.LockEffect.BucketOpened;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Refused;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SessionLost;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.LockState;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The encoding of commands and effects as bytes, for lock managers in another JVM. The first byte
 * is the version. The encoding is lossless: names keep lone surrogates.
 */
public final class LockCodec {

  private static final List<LockMode> MODES = List.of(LockMode.values());
  private static final List<WaitMode> WAIT_MODES = List.of(WaitMode.values());
  private static final List<SpecStep> STEPS = List.of(SpecStep.values());

  private LockCodec() {}

  /** Returns the bytes of a command. */
  public static byte[] encode(LockCommand command) {
    return Wire.write(command, LockCodec::write);
  }

  /** Writes a command without a version, as a part of a larger message. */
  public static void write(DataOutputStream out, LockCommand command) throws IOException {
    switch (command) {
      case RegisterClient register -> {
        out.writeByte(0);
        write(out, register.client());
        write(out, register.requester());
      }
      case RequestLock request -> {
        opening(out, request.manager(), 1, 9);
        write(out, request.id());
        write(out, request.manager());
        write(out, request.options());
      }
      case ReleaseLock release -> {
        out.writeByte(2);
        write(out, release.id());
      }
      case AbortRequest abort -> {
        out.writeByte(3);
        write(out, abort.id());
      }
      case EndClient end -> {
        out.writeByte(4);
        write(out, end.client());
      }
      case TakeSnapshot query -> {
        opening(out, query.manager(), 5, 10);
        write(out, query.id());
        write(out, query.manager());
      }
      case OpenBucket open -> {
        out.writeByte(6);
        write(out, open.id());
        write(out, open.bucket());
        out.writeLong(open.incarnation());
      }
      case CheckBucket check -> {
        out.writeByte(7);
        write(out, check.id());
        out.writeLong(check.opening());
      }
      case DeleteBucket delete -> {
        out.writeByte(8);
        write(out, delete.id());
        write(out, delete.bucket());
        out.writeLong(delete.opening());
      }
    }
  }

  /** Writes the kind of a command, and the opening of the bucket if there is one. */
  private static void opening(DataOutputStream out, ManagerId manager, int kind, int kindOfOpened)
      throws IOException {
    out.writeByte(manager.opening() == 0 ? kind : kindOfOpened);
    if (manager.opening() != 0) {
      out.writeLong(manager.opening());
    }
  }

  private static long opening(DataInputStream in) throws IOException {
    long opening = in.readLong();
    if (opening == 0) {
      throw new IllegalArgumentException("a bucket was opened by the command 0");
    }
    return opening;
  }

  /**
   * Decodes a command.
   *
   * @throws IllegalArgumentException if the bytes are malformed or of another version
   */
  public static LockCommand decodeCommand(byte[] bytes) {
    return Wire.read(bytes, "a lock command", LockCodec::command);
  }

  /** Reads what {@link #write(DataOutputStream, LockCommand)} has written. */
  public static LockCommand command(DataInputStream in) throws IOException {
    int kind = in.readByte();
    return switch (kind) {
      case 0 -> new RegisterClient(client(in), requester(in));
      case 1 -> new RequestLock(requestId(in), manager(in), options(in));
      case 2 -> new ReleaseLock(requestId(in));
      case 3 -> new AbortRequest(requestId(in));
      case 4 -> new EndClient(client(in));
      case 5 -> new TakeSnapshot(requestId(in), manager(in));
      case 6 -> new OpenBucket(requestId(in), manager(in), in.readLong());
      case 7 -> new CheckBucket(requestId(in), in.readLong());
      case 8 -> new DeleteBucket(requestId(in), manager(in), in.readLong());
      case 9 -> {
        long opening = opening(in);
        yield new RequestLock(requestId(in), manager(in, opening), options(in));
      }
      case 10 -> {
        long opening = opening(in);
        yield new TakeSnapshot(requestId(in), manager(in, opening));
      }
      default -> throw new IllegalArgumentException("unknown kind of lock command: " + kind);
    };
  }

  /** Returns the bytes of an effect. */
  public static byte[] encode(LockEffect effect) {
    return Wire.write(effect, LockCodec::write);
  }

  /** Writes an effect without a version, as a part of a larger message. */
  public static void write(DataOutputStream out, LockEffect effect) throws IOException {
    out.writeByte(
        switch (effect) {
          case Granted granted -> 0;
          case Unavailable unavailable -> 1;
          case Stolen stolen -> 2;
          case Released released -> 3;
          case SnapshotTaken taken -> 4;
          case SessionLost lost -> 5;
          case Refused refused -> 6;
          case BucketOpened opened -> 7;
          case BucketDeleted deleted -> 8;
        });
    write(out, effect.id());
    out.writeByte(effect.step().ordinal());
    switch (effect) {
      case Granted granted -> out.writeLong(granted.token());
      case SnapshotTaken taken -> {
        Wire.list(out, taken.snapshot().held(), LockCodec::write);
        Wire.list(out, taken.snapshot().pending(), LockCodec::write);
      }
      case Refused refused -> Wire.string(out, refused.message());
      case BucketOpened opened -> out.writeLong(opened.incarnation());
      default -> {}
    }
  }

  /**
   * Decodes an effect.
   *
   * @throws IllegalArgumentException if the bytes are malformed or of another version
   */
  public static LockEffect decodeEffect(byte[] bytes) {
    return Wire.read(bytes, "a lock effect", LockCodec::effect);
  }

  /** Reads what {@link #write(DataOutputStream, LockEffect)} has written. */
  public static LockEffect effect(DataInputStream in) throws IOException {
    int kind = in.readByte();
    RequestId id = requestId(in);
    SpecStep step = Wire.oneOf(in, STEPS);
    LockEffect effect = effect(in, kind, id, step);
    if (effect.step() != step) {
      throw new IllegalArgumentException(effect + " cannot have the step " + step);
    }
    return effect;
  }

  private static LockEffect effect(DataInputStream in, int kind, RequestId id, SpecStep step)
      throws IOException {
    return switch (kind) {
      case 0 -> new Granted(id, step, in.readLong());
      case 1 -> new Unavailable(id, step);
      case 2 -> new Stolen(id, step);
      case 3 -> new Released(id, step);
      case 4 ->
          new SnapshotTaken(
              id,
              new LockManagerSnapshot(
                  Wire.list(in, LockCodec::info), Wire.list(in, LockCodec::info)),
              step);
      case 5 -> new SessionLost(id);
      case 6 -> new Refused(id, Wire.string(in));
      case 7 -> new BucketOpened(id, in.readLong());
      case 8 -> new BucketDeleted(id);
      default -> throw new IllegalArgumentException("unknown kind of lock effect: " + kind);
    };
  }

  /** Writes a line of a diagnosis without a version, as a part of a larger message. */
  public static void write(DataOutputStream out, LockState state) throws IOException {
    write(out, state.id());
    write(out, state.manager());
    write(out, state.options());
    out.writeInt(state.place());
    write(out, state.requester());
    out.writeLong(state.sinceNanos());
  }

  /** Reads what {@link #write(DataOutputStream, LockState)} has written. */
  public static LockState state(DataInputStream in) throws IOException {
    return new LockState(
        requestId(in), manager(in), options(in), in.readInt(), requester(in), in.readLong());
  }

  /** Writes the id of a client without a version, as a part of a larger message. */
  public static void write(DataOutputStream out, ClientId client) throws IOException {
    Wire.string(out, client.value());
  }

  /** Reads what {@link #write(DataOutputStream, ClientId)} has written. */
  public static ClientId client(DataInputStream in) throws IOException {
    return new ClientId(Wire.string(in));
  }

  static void write(DataOutputStream out, LockRequester requester) throws IOException {
    Wire.string(out, requester.agent());
    Wire.string(out, requester.url());
    Wire.string(out, requester.origin());
  }

  static LockRequester requester(DataInputStream in) throws IOException {
    return new LockRequester(Wire.string(in), Wire.string(in), Wire.string(in));
  }

  /** Writes the id of a request without a version, as a part of a larger message. */
  public static void write(DataOutputStream out, RequestId id) throws IOException {
    write(out, id.client());
    out.writeLong(id.sequence());
  }

  /** Reads what {@link #write(DataOutputStream, RequestId)} has written. */
  public static RequestId requestId(DataInputStream in) throws IOException {
    return new RequestId(client(in), in.readLong());
  }

  /** Writes the key of a lock manager without a version and its opening, as a part of a message. */
  public static void write(DataOutputStream out, ManagerId manager) throws IOException {
    Wire.string(out, manager.value());
    Wire.string(out, manager.bucket());
  }

  /** Reads what {@link #write(DataOutputStream, ManagerId)} has written. */
  public static ManagerId manager(DataInputStream in) throws IOException {
    return manager(in, 0);
  }

  private static ManagerId manager(DataInputStream in, long opening) throws IOException {
    return new ManagerId(Wire.string(in), Wire.string(in), opening);
  }

  static void write(DataOutputStream out, LockOptions options) throws IOException {
    Wire.string(out, options.name());
    out.writeByte(options.mode().ordinal());
    out.writeByte(options.waitMode().ordinal());
    out.writeBoolean(options.reentrant());
    String position = options.position();
    out.writeBoolean(position != null);
    if (position != null) {
      Wire.string(out, position);
    }
  }

  static LockOptions options(DataInputStream in) throws IOException {
    return new LockOptions(
        Wire.string(in),
        Wire.oneOf(in, MODES),
        Wire.oneOf(in, WAIT_MODES),
        bool(in),
        bool(in) ? Wire.string(in) : null);
  }

  private static boolean bool(DataInputStream in) throws IOException {
    return Wire.oneOf(in, List.of(false, true));
  }

  private static void write(DataOutputStream out, LockInfo info) throws IOException {
    Wire.string(out, info.name());
    out.writeByte(info.mode().ordinal());
    Wire.string(out, info.clientId());
  }

  private static LockInfo info(DataInputStream in) throws IOException {
    return new LockInfo(Wire.string(in), Wire.oneOf(in, MODES), Wire.string(in));
  }
}
