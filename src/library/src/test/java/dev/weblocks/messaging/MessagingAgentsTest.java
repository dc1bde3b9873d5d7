package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.DeterministicDriver;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.RandomSource;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Platform;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.dom.DomModule;
import dev.weblocks.global.GlobalModule;
import dev.weblocks.global.GlobalScope;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ports and broadcast channels in the Java API, and the memory that they retain. */
class MessagingAgentsTest {

  private static final Origin ONE = new Origin.Tuple("https", "one.test", -1);
  private static final Origin TWO = new Origin.Tuple("https", "two.test", -1);

  private static final class TestScope extends GlobalScope {
    TestScope(Realm realm) {
      super(realm);
    }
  }

  private static final class WindowNote extends PlatformObject {
    WindowNote(Realm realm) {
      super(realm);
    }
  }

  private static final PlatformModule SCOPE =
      new PlatformModule() {
        @Override
        public String idlResource() {
          return "/dev/weblocks/messaging/scope.idl";
        }

        @Override
        public void define(Implementations implementations) {
          implementations.implement("TestScope", TestScope.class);
          implementations
              .implement("WindowNote", WindowNote.class)
              .constructor((realm, args) -> new WindowNote(realm))
              .serializable(note -> "", (realm, state) -> new WindowNote(realm));
        }
      };

  private final Platform platform =
      Platform.of(
          List.of(new DomModule(), new GlobalModule(), new MessagingModule(), SCOPE),
          (realm, exception) -> {});
  private final DeterministicDriver driver = new DeterministicDriver(1);
  private final List<String> defects = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final UserAgent userAgent =
      new UserAgent(
          new Configuration(
              driver,
              new RandomSource(new SplittableRandom(1)),
              (modules, limits) ->
                  Context.newBuilder("js")
                      .allowHostAccess(HostAccess.NONE)
                      .allowValueSharing(false)
                      .option("js.ecmascript-version", "staging")
                      .option("engine.WarnInterpreterOnly", "false")
                      .build(),
              (agent, where, failure) -> defects.add(where + ": " + failure)));

  /** An agent with one realm, whose script has {@code log()}. */
  private final class Place {
    final Agent agent = userAgent.createAgent("place");
    private @Nullable Realm realm;

    Place(Origin origin) {
      this(origin, "Worker");
    }

    Place(Origin origin, String globalName) {
      do_(() -> {
        Realm made =
            agent.createRealm(
                new EnvironmentSettings(
                    "id", "https://one.test/", origin, ONE, true, Set.of(globalName)));
        platform.install(made);
        made.global()
            .putMember(
                "log",
                (ProxyExecutable)
                    values -> {
                      log.add(values[0].asString());
                      return null;
                    });
        new TestScope(made).becomeGlobal();
        realm = made;
      });
    }

    Realm realm() {
      if (realm == null) {
        throw new IllegalStateException("not made");
      }
      return realm;
    }

    void do_(Runnable steps) {
      List<RuntimeException> failures = new ArrayList<>();
      agent
          .eventLoop()
          .queueTask(
              TaskSource.DOM_MANIPULATION,
              null,
              "test",
              () -> {
                try {
                  steps.run();
                } catch (RuntimeException failure) {
                  failures.add(failure);
                }
              });
      driver.runUntilQuiescent(100_000);
      if (!failures.isEmpty()) {
        throw failures.getFirst();
      }
    }

    void run(String script) {
      do_(() -> realm().evaluate(Source.newBuilder("js", script, "test.js").buildLiteral()));
    }

    <T> T get(Function<Realm, T> steps) {
      List<T> got = new ArrayList<>();
      do_(() -> got.add(steps.apply(realm())));
      return got.getFirst();
    }

    /** Creates a port and assigns it to a global variable. */
    MessagePort named(String name, Function<Realm, MessagePort> make) {
      return get(made -> {
        MessagePort port = make.apply(made);
        made.global().putMember(name, port.object());
        return port;
      });
    }

    /** Serializes a message as {@code postMessage()} does. */
    SerializedValue message(String value, String transfer) {
      return get(made ->
          StructuredClone.of(made)
              .structuredSerializeWithTransfer(
                  eval(made, "(" + value + ")"), eval(made, transfer), "Failed"));
    }
  }

  private static org.graalvm.polyglot.Value eval(Realm realm, String script) {
    return realm.evaluate(Source.newBuilder("js", script, "test.js").buildLiteral());
  }

  private void end(Place place) {
    place.agent.terminate();
    driver.runUntilQuiescent(100_000);
  }

  @AfterEach
  void close() {
    userAgent.close();
    driver.runUntilQuiescent(1_000);
    driver.close();
    assertEquals(List.of(), defects);
  }

  @Test
  void port_handle_without_realm_can_be_given_to_another_agent() {
    Place here = new Place(ONE);
    Place there = new Place(TWO);
    MessagePort port = here.named("port", MessagePort::create);
    PortHandle end = port.entangleWithNew();
    here.run("port.onmessage = e => log('here ' + e.data); port.postMessage(1);");
    there.named("port", realm -> MessagePort.of(realm, end));
    there.run("port.onmessage = e => { log('there ' + e.data); port.postMessage(2); };");
    assertEquals(List.of("there 1", "here 2"), log);
    assertThrows(IllegalStateException.class, () -> there.get(realm -> MessagePort.of(realm, end)));
  }

  @Test
  void closing_an_unused_port_handle_fires_close_at_its_partner() {
    Place here = new Place(ONE);
    MessagePort port = here.named("port", MessagePort::create);
    PortHandle end = port.entangleWithNew();
    here.run("port.onclose = () => log('closed'); port.postMessage(1);");
    assertEquals(List.of(), log);
    end.close();
    driver.runUntilQuiescent(100);
    assertEquals(List.of("closed"), log);
  }

  @Test
  void entangling_a_port_again_closes_its_old_partner() {
    Place here = new Place(ONE);
    MessagePort port = here.named("port", MessagePort::create);
    here.named("first", realm -> MessagePort.of(realm, port.entangleWithNew()));
    here.run(
        "first.onclose = () => log('closed'); first.onmessage = e => log('first ' + e.data);"
            + "port.postMessage(1);");
    here.named("second", realm -> MessagePort.of(realm, port.entangleWithNew()));
    here.run("second.onmessage = e => log('second ' + e.data); port.postMessage(2);");
    assertEquals(List.of("first 1", "closed", "second 2"), log);
  }

  @Test
  void message_to_an_agent_is_lost_when_that_agent_ends() {
    Place here = new Place(ONE);
    Place there = new Place(ONE);
    here.run("const c = new MessageChannel(); c.port1.onclose = () => log('closed');");
    SerializedValue message = here.message("1", "[c.port2]");
    message.addressTo(there.agent);
    assertEquals(List.of(), log);
    end(there);
    assertEquals(List.of("closed"), log);
  }

  @Test
  void a_message_to_an_agent_that_has_ended_is_lost_at_once() {
    Place here = new Place(ONE);
    Place there = new Place(ONE);
    end(there);
    here.run("const c = new MessageChannel(); c.port1.onclose = () => log('closed');");
    here.message("1", "[c.port2]").addressTo(there.agent);
    driver.runUntilQuiescent(100);
    assertEquals(List.of("closed"), log);
  }

  @Test
  void end_of_a_former_owner_does_not_close_a_transferred_port() {
    Place here = new Place(ONE);
    Place there = new Place(ONE);
    Place third = new Place(ONE);
    PortHandle end = here.named("port", MessagePort::create).entangleWithNew();
    here.run("port.onclose = () => log('closed'); port.onmessage = e => log(e.data);");
    there.named("port", realm -> MessagePort.of(realm, end));
    SerializedValue message = there.message("0", "[port]");
    message.addressTo(third.agent);
    end(there);
    third.do_(() ->
        third
            .realm()
            .global()
            .putMember("port", MessageEvents.of(third.realm(), message).object())); // as an event
    third.run("port.ports[0].postMessage('hello')");
    assertEquals(List.of("hello"), log);
    end(third);
    assertEquals(List.of("hello", "closed"), log);
  }

  @Test
  void message_event_created_by_java_has_source_and_ports() {
    Place here = new Place(ONE);
    here.do_(() -> {
      Realm realm = here.realm();
      MessagePort port = MessagePort.create(realm);
      PlatformObject event =
          MessageEvents.of(
              realm,
              "connect",
              RealmBinding.of(realm).values().undefined(),
              "https://one.test",
              port,
              List.of(port));
      realm.global().putMember("event", event.object());
    });
    here.run(
        "log([event.type, event.data, event.origin, event.source === event.ports[0], event.ports.length].join())");
    assertEquals(List.of("connect,,https://one.test,true,1"), log);
  }

  @Tag("alone")
  @Test
  void ended_context_is_not_retained_by_the_partner_of_its_port() {
    Place here = new Place(ONE);
    PortHandle end = here.named("port", MessagePort::create).entangleWithNew();
    WeakReference<Realm> realm = endAfter(end);
    here.run("port.postMessage(1)");
    collect(realm);
    assertNull(realm.get());
    assertNotNull(end);
  }

  private WeakReference<Realm> endAfter(PortHandle end) {
    Place there = new Place(ONE);
    there.named("port", realm -> MessagePort.of(realm, end));
    there.run(
        "port.onmessage = () => {}; globalThis.bc = new BroadcastChannel('x'); bc.onmessage = () => {};");
    WeakReference<Realm> realm = new WeakReference<>(there.realm());
    end(there);
    return realm;
  }

  private static void collect(WeakReference<?> reference) {
    for (int i = 0; i < 50 && reference.get() != null; i++) {
      System.gc();
    }
  }

  @Tag("alone")
  @Test
  void unreachable_entangled_ports_are_collected_together() {
    Place here = new Place(ONE);
    WeakReference<PortHandle> end =
        here.get(realm -> {
          MessagePort one = MessagePort.create(realm);
          PortHandle other = one.entangleWithNew();
          MessagePort two = MessagePort.of(realm, other);
          realm.global().putMember("one", one.object());
          realm.global().putMember("two", two.object());
          return new WeakReference<>(other);
        });
    here.run(
        "one.onmessage = () => {}; two.postMessage('x'); two.addEventListener('message', () => {});"
            + "globalThis.one = null;");
    System.gc();
    assertNotNull(end.get());
    here.run("globalThis.two = null");
    collect(end);
    assertNull(end.get());
  }

  @Test
  void a_channel_is_in_the_registry_until_it_is_closed() {
    Place here = new Place(ONE);
    Place there = new Place(ONE);
    BroadcastChannels registry = BroadcastChannels.of(userAgent);
    here.run("globalThis.a = new BroadcastChannel('x'); globalThis.b = new BroadcastChannel('x');");
    there.run("globalThis.a = new BroadcastChannel('x'); globalThis.c = new BroadcastChannel('y')");
    assertEquals(3, registry.size());
    here.run("a.close(); a.close();");
    assertEquals(3, registry.size());
    here.run("b.close()");
    assertEquals(2, registry.size());
    there.run("a.close(); c.close();");
    assertEquals(0, registry.size());
  }

  @Test
  void ended_agent_leaves_no_channel_in_the_registry() {
    Place here = new Place(ONE);
    Place there = new Place(ONE);
    BroadcastChannels registry = BroadcastChannels.of(userAgent);
    here.run("globalThis.a = new BroadcastChannel('x');");
    there.run("for (let i = 0; i < 100; i++) new BroadcastChannel(i % 10).onmessage = () => {};");
    assertEquals(11, registry.size());
    end(there);
    assertEquals(1, registry.size());
    end(here);
    assertEquals(0, registry.size());
  }

  @Test
  void channels_connect_within_the_same_opaque_origin() {
    Origin opaque = new Origin.Opaque("o1");
    Place here = new Place(opaque);
    Place same = new Place(opaque);
    Place other = new Place(new Origin.Opaque("o2"));
    Place tuple = new Place(ONE);
    for (Place each : List.of(same, other, tuple)) {
      String name = each == same ? "same" : each == other ? "other" : "tuple";
      each.run(
          "globalThis.bc = new BroadcastChannel('x'); bc.onmessage = e => log('%s ' + e.data + ' ' + e.origin);"
              .formatted(name));
    }
    here.run("new BroadcastChannel('x').postMessage(1)");
    tuple.run("new BroadcastChannel('x').postMessage(2)");
    assertEquals(List.of("same 1 null", "tuple 2 https://one.test"), log);
  }

  @Test
  void undeserializable_message_fires_messageerror_with_origin_and_closes_its_ports() {
    Place window = new Place(ONE, "Window");
    Place worker = new Place(ONE);
    String errors =
        """
        %s.onmessageerror = e =>
          log([e.type, e.data, e.origin, e.ports.length, e.isTrusted].map(String).join());
        """;
    worker.run("globalThis.bc = new BroadcastChannel('x');" + errors.formatted("bc"));
    window.run("new BroadcastChannel('x').postMessage([new WindowNote()])");
    PortHandle end = window.named("port", MessagePort::create).entangleWithNew();
    worker.named("port", realm -> MessagePort.of(realm, end));
    worker.run(errors.formatted("port") + "port.start()");
    window.run(
        """
        const c = new MessageChannel();
        c.port1.onclose = () => log('closed');
        port.postMessage(new WindowNote(), [c.port2]);
        """);
    assertEquals(
        List.of("messageerror,null,https://one.test,0,true", "messageerror,null,,0,true", "closed"),
        log);
  }

  @Tag("alone")
  @Test
  void unreachable_channel_is_collected_unless_it_has_a_listener() {
    Place here = new Place(ONE);
    here.run(
        """
        globalThis.refs = [];
        (() => {
          const silent = new BroadcastChannel('x'), listening = new BroadcastChannel('x'), stopped = new BroadcastChannel('x');
          listening.addEventListener('message', e => log('heard ' + e.data));
          stopped.onmessage = () => {};
          stopped.onmessage = null;
          refs.push(new WeakRef(silent), new WeakRef(stopped), new WeakRef(listening));
        })();
        """);
    for (int i = 0; i < 50; i++) {
      System.gc();
      log.clear();
      here.run("log(refs.map(r => r.deref() === undefined).join())");
      if (log.equals(List.of("true,true,false"))) {
        break;
      }
    }
    here.run("new BroadcastChannel('x').postMessage(1)");
    assertEquals(List.of("true,true,false", "heard 1"), log);
  }
}
