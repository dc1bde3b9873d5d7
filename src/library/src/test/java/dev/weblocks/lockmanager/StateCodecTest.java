package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand;
import dev.weblocks.lockmanager.message.LockCommand.AbortRequest;
import dev.weblocks.lockmanager.message.LockCommand.EndClient;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.ReleaseLock;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockCommand.TakeSnapshot;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockOutcome;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.lockmanager.message.RequestId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import dev.weblocks.model.WaitMode;
import dev.weblocks.testing.TestSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random commands to several state machines: one that runs through, one that gets its commands as
 * bytes, and one that is replaced by its restored snapshot again and again.
 */
class StateCodecTest {

  private static final List<ManagerId> MANAGERS =
      List.of(new ManagerId("one", "default"), new ManagerId("two", "\uDC00"));
  private static final List<String> NAMES = List.of("", "a", "b", "\uD800", "\uD800\uDC00", "\0");

  /** Random commands, most of which have an effect. */
  private static final class Commands {
    private final SplittableRandom random;
    private final List<ClientId> clients = new ArrayList<>();
    private final List<RequestId> recent = new ArrayList<>();
    private long last;

    Commands(long seed) {
      random = new SplittableRandom(seed);
    }

    LockCommand next() {
      if (clients.size() < 4) {
        ClientId made = new ClientId("client \uD800 " + ++last);
        clients.add(made);
        return new RegisterClient(made, new LockRequester("agent", "url " + last, "\uDFFF"));
      }
      ClientId client = clients.get(random.nextInt(clients.size()));
      RequestId old =
          recent.isEmpty()
              ? new RequestId(client, 1)
              : recent.get(recent.size() - 1 - random.nextInt(Math.min(12, recent.size())));
      return switch (random.nextInt(40)) {
        case 0 -> {
          clients.remove(client);
          yield new EndClient(client);
        }
        case 1, 2 -> new TakeSnapshot(new RequestId(client, ++last), manager());
        case 3, 4, 5, 6, 7, 8 -> new AbortRequest(old);
        case 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 -> new ReleaseLock(old);
        default -> {
          RequestId id = new RequestId(client, ++last);
          recent.add(id);
          yield new RequestLock(id, manager(), options());
        }
      };
    }

    private ManagerId manager() {
      return MANAGERS.get(random.nextInt(MANAGERS.size()));
    }

    private LockOptions options() {
      LockMode mode = random.nextInt(3) == 0 ? LockMode.EXCLUSIVE : LockMode.SHARED;
      WaitMode wait =
          switch (random.nextInt(12)) {
            case 0 -> WaitMode.STEAL;
            case 1, 2 -> WaitMode.IF_AVAILABLE;
            default -> WaitMode.WAIT;
          };
      return new LockOptions(
          NAMES.get(random.nextInt(NAMES.size())),
          mode,
          wait,
          random.nextBoolean(),
          random.nextBoolean() ? "app.js:1:2" : null);
    }
  }

  /** One state machine, and the output of its last command. */
  private static final class Machine {
    LockManagers managers;
    List<LockOutcome> outcomes = List.of();

    Machine(Set<Variant> variants) {
      managers = new LockManagers(variants);
    }

    void apply(LockCommand command, long time) {
      outcomes = managers.apply(command, time);
    }
  }

  private static Stream<Set<Variant>> variants() {
    return Stream.concat(
        Stream.of(Set.of(), Variant.sets().get("node"), Variant.sets().get("deno")),
        Arrays.stream(Variant.values())
            .filter(variant -> variant != Variant.EARLY_DRAFT)
            .map(Set::of));
  }

  @ParameterizedTest
  @MethodSource("variants")
  void restored_and_replicated_lock_managers_equal_the_original(Set<Variant> variants) {
    Commands commands = new Commands(variants.hashCode());
    Machine one = new Machine(variants);
    Machine replica = new Machine(variants);
    Machine restored = new Machine(variants);
    boolean held = false;
    boolean waited = false;
    for (int i = 0; i < TestSize.of(2_000, 50_000); i++) {
      LockCommand command = commands.next();
      one.apply(command, i);
      replica.apply(LockCodec.decodeCommand(LockCodec.encode(command)), i);
      restored.apply(command, i);
      assertEquals(one.outcomes, replica.outcomes, "command " + i);
      assertEquals(one.outcomes, restored.outcomes, "command " + i);
      List<LockEffect> effects = TestCommands.effectsOf(one.outcomes);
      assertEquals(
          effects,
          effects.stream()
              .map(effect -> LockCodec.decodeEffect(LockCodec.encode(effect)))
              .toList());
      held |= one.managers.heldCount() > 1;
      waited |= one.managers.pendingCount() > 1;
      if (i % 7 == 0) {
        byte[] snapshot = one.managers.snapshot();
        assertArrayEquals(snapshot, replica.managers.snapshot(), "command " + i);
        assertArrayEquals(snapshot, restored.managers.snapshot(), "command " + i);
        restored.managers = LockManagers.restore(snapshot, variants);
        assertArrayEquals(snapshot, restored.managers.snapshot(), "command " + i);
        assertEquals(one.managers.diagnose(), restored.managers.diagnose());
        assertEquals(one.managers.counts(), restored.managers.counts());
      }
    }
    assertTrue(held && waited, "the commands make too little happen");
  }

  @Test
  void commands_about_buckets_keep_their_numbers() {
    RequestId id = new RequestId(new ClientId("a"), 5);
    ManagerId opened = new ManagerId("https://one.test/x#3", "x", 3);
    LockOptions options = LockOptions.of("l", LockMode.SHARED, WaitMode.WAIT);
    List<LockCommand> commands =
        List.of(
            new RequestLock(id, opened, options),
            new RequestLock(id, MANAGERS.getFirst(), options),
            new TakeSnapshot(id, opened),
            new TakeSnapshot(id, MANAGERS.getFirst()),
            new LockCommand.OpenBucket(id, MANAGERS.getFirst(), 9),
            new LockCommand.CheckBucket(id, 3),
            new LockCommand.DeleteBucket(id, MANAGERS.getFirst(), 3));
    List<byte[]> encoded = commands.stream().map(LockCodec::encode).toList();
    assertEquals(commands, encoded.stream().map(LockCodec::decodeCommand).toList());
    // kinds 1 and 5 are those of earlier logs
    assertEquals(
        List.of(9, 1, 10, 5, 6, 7, 8), encoded.stream().map(each -> (int) each[1]).toList());
  }

  @Test
  void unknown_version_is_refused_with_a_message_naming_both_versions() {
    byte[] command = LockCodec.encode(new EndClient(new ClientId("a")));
    command[0] = 7;
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> LockCodec.decodeCommand(command));
    assertEquals(
        "a lock command has version 7, but this build reads version 1; use the build that wrote it",
        refused.getMessage());
    byte[] state = new LockManagers(Set.of()).snapshot();
    state[0] = 0;
    assertThrows(IllegalArgumentException.class, () -> LockManagers.restore(state, Set.of()));
  }

  @Test
  void snapshot_written_under_other_variants_is_refused_with_both_sets_named() {
    byte[] state = new LockManagers(Set.of(Variant.REENTRANT)).snapshot();
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> LockManagers.restore(state, Set.of()));
    assertEquals(
        "a lock state was written under the variants [reentrant], but is read under []",
        refused.getMessage());
  }

  @Test
  void damaged_bytes_throw_only_illegal_argument_exceptions() {
    Commands commands = new Commands(1);
    Machine machine = new Machine(Set.of());
    List<byte[]> good = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      LockCommand command = commands.next();
      machine.apply(command, i);
      good.add(LockCodec.encode(command));
    }
    byte[] state = machine.managers.snapshot();
    SplittableRandom random = new SplittableRandom(2);
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      boolean isState = i % 2 == 0;
      byte[] bytes = isState ? state : good.get(random.nextInt(good.size()));
      byte[] damaged =
          random.nextBoolean() ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
      if (damaged.length > 0) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      }
      try {
        Object unused =
            isState ? LockManagers.restore(damaged, Set.of()) : LockCodec.decodeCommand(damaged);
      } catch (IllegalArgumentException expected) {
        refused++;
      }
    }
    assertTrue(refused > 500, "only " + refused + " were refused");
  }
}
