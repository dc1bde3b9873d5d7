package dev.weblocks.locks;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.CallerDriver;
import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.SystemClock;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.lockmanager.LockService;
import dev.weblocks.lockmanager.message.ClientId;
import dev.weblocks.lockmanager.message.LockCommand.RegisterClient;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockOptions;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.ManagerId;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LockTaskQueueActorTest {

  private final UserAgent userAgent =
      new UserAgent(
          Configuration.newBuilder(
                  new CallerDriver(new SystemClock(), null),
                  new RandomSource(new SplittableRandom(1)),
                  (modules, limits) -> {
                    throw new IllegalStateException("no script");
                  },
                  (agent, where, failure) -> {})
              .build());

  @Test
  void error_in_step_of_another_client_does_not_reach_the_requester() {
    LockService service = LockServices.of(userAgent);
    ClientId broken =
        register(
            service,
            "broken",
            effect -> {
              throw new NoClassDefFoundError("of the broken client");
            });
    List<LockEffect> effects = new ArrayList<>();
    ClientId thief = register(service, "thief", effects::add);
    assertDoesNotThrow(() -> request(service, broken, WaitMode.WAIT));
    assertDoesNotThrow(() -> request(service, thief, WaitMode.STEAL));
    assertEquals(1, effects.size());
  }

  @Test
  void nested_delivery_of_an_effect_keeps_the_mark_of_the_thread() {
    HostLocks locks = HostLocks.of(userAgent);
    locks.inStep(() -> {
      locks.inStep(() -> {});
      assertTrue(locks.isNeededHere());
    });
  }

  private static ClientId register(LockService service, String name, Consumer<LockEffect> sink) {
    ClientId client = new ClientId(name);
    service.register(new RegisterClient(client, new LockRequester(name, "", "")), sink);
    return client;
  }

  private static void request(LockService service, ClientId client, WaitMode mode) {
    service.enqueue(
        new RequestLock(
            service.nextId(client),
            new ManagerId("bucket", "default"),
            LockOptions.of("a", LockMode.EXCLUSIVE, mode)));
  }
}
