package dev.weblocks.lockmanager;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockEffect.Granted;
import dev.weblocks.lockmanager.message.LockEffect.Released;
import dev.weblocks.lockmanager.message.LockEffect.SnapshotTaken;
import dev.weblocks.lockmanager.message.LockEffect.Stolen;
import dev.weblocks.lockmanager.message.LockEffect.Unavailable;
import dev.weblocks.lockmanager.message.LockInfo;
import dev.weblocks.lockmanager.message.LockManagerSnapshot;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;

/**
 * The encoding of commands and effects as bytes, for lock managers in another JVM. The first byte
 * is the version. The encoding is lossless: names keep lone surrogates.
 */
public final class LockCodec {

  private static final LockMode[] MODES = LockMode.values();
  private static final WaitMode[] WAIT_MODES = WaitMode.values();
  private static final SpecStep[] STEPS = SpecStep.values();

  private LockCodec() {}

  /** Returns the bytes of a command. */
  public static byte[] encode(LockCommand command) {
    WireOutput out = new WireOutput();
    switch (command) {
      case RegisterClient register -> {
        out.number8(0);
        write(out, register.client());
        write(out, register.requester());
      }
      case RequestLock request -> {
        out.number8(1);
        write(out, request.id());
        write(out, request.manager());
        write(out, request.options());
      }
      case ReleaseLock release -> {
        out.number8(2);
        write(out, release.id());
      }
      case AbortRequest abort -> {
        out.number8(3);
        write(out, abort.id());
      }
      case EndClient end -> {
        out.number8(4);
        write(out, end.client());
      }
      case TakeSnapshot query -> {
        out.number8(5);
        write(out, query.id());
        write(out, query.manager());
      }
    }
    return out.toBytes();
  }

  /**
   * Decodes a command.
   *
   * @throws IllegalArgumentException if the bytes are malformed or of another version
   */
  public static LockCommand decodeCommand(byte[] bytes) {
    return WireInput.read(
        bytes,
        "a lock command",
        in -> {
          int kind = in.number8();
          return switch (kind) {
            case 0 -> new RegisterClient(client(in), requester(in));
            case 1 -> new RequestLock(requestId(in), manager(in), options(in));
            case 2 -> new ReleaseLock(requestId(in));
            case 3 -> new AbortRequest(requestId(in));
            case 4 -> new EndClient(client(in));
            case 5 -> new TakeSnapshot(requestId(in), manager(in));
            default -> throw new IllegalArgumentException("unknown kind of lock command: " + kind);
          };
        });
  }

  /** Returns the bytes of an effect. */
  public static byte[] encode(LockEffect effect) {
    WireOutput out = new WireOutput();
    out.number8(
        switch (effect) {
          case Granted granted -> 0;
          case Unavailable unavailable -> 1;
          case Stolen stolen -> 2;
          case Released released -> 3;
          case SnapshotTaken taken -> 4;
        });
    write(out, effect.id());
    out.number8(effect.step().ordinal());
    if (effect instanceof SnapshotTaken taken) {
      out.list(taken.snapshot().held(), info -> write(out, info));
      out.list(taken.snapshot().pending(), info -> write(out, info));
    }
    return out.toBytes();
  }

  /**
   * Decodes an effect.
   *
   * @throws IllegalArgumentException if the bytes are malformed or of another version
   */
  public static LockEffect decodeEffect(byte[] bytes) {
    return WireInput.read(
        bytes,
        "a lock effect",
        in -> {
          int kind = in.number8();
          RequestId id = requestId(in);
          SpecStep step = in.constant(STEPS);
          return switch (kind) {
            case 0 -> new Granted(id, step);
            case 1 -> new Unavailable(id, step);
            case 2 -> new Stolen(id, step);
            case 3 -> new Released(id, step);
            case 4 ->
                new SnapshotTaken(
                    id,
                    new LockManagerSnapshot(in.list(() -> info(in)), in.list(() -> info(in))),
                    step);
            default -> throw new IllegalArgumentException("unknown kind of lock effect: " + kind);
          };
        });
  }

  static void write(WireOutput out, ClientId client) {
    out.string(client.value());
  }

  static ClientId client(WireInput in) {
    return new ClientId(in.string());
  }

  static void write(WireOutput out, LockRequester requester) {
    out.string(requester.agent());
    out.string(requester.url());
    out.string(requester.origin());
  }

  static LockRequester requester(WireInput in) {
    return new LockRequester(in.string(), in.string(), in.string());
  }

  private static void write(WireOutput out, RequestId id) {
    write(out, id.client());
    out.number64(id.sequence());
  }

  private static RequestId requestId(WireInput in) {
    return new RequestId(client(in), in.number64());
  }

  static void write(WireOutput out, ManagerId manager) {
    out.string(manager.value());
    out.string(manager.bucket());
  }

  static ManagerId manager(WireInput in) {
    return new ManagerId(in.string(), in.string());
  }

  static void write(WireOutput out, LockOptions options) {
    out.string(options.name());
    out.number8(options.mode().ordinal());
    out.number8(options.waitMode().ordinal());
    out.bool(options.reentrant());
    out.stringOrNull(options.position());
  }

  static LockOptions options(WireInput in) {
    return new LockOptions(
        in.string(), in.constant(MODES), in.constant(WAIT_MODES), in.bool(), in.stringOrNull());
  }

  private static void write(WireOutput out, LockInfo info) {
    out.string(info.name());
    out.number8(info.mode().ordinal());
    out.string(info.clientId());
  }

  private static LockInfo info(WireInput in) {
    return new LockInfo(in.string(), in.constant(MODES), in.string());
  }
}
