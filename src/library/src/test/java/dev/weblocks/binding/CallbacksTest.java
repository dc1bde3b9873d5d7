package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.dom.DomModule;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of a callback, the microtasks after it, and the reaction to its promise. */
class CallbacksTest {

  private final RealmBed bed = new RealmBed(RealmBed.Access.NONE, new DomModule());
  private final List<String> log = new ArrayList<>();

  private final Reaction reaction =
      new Reaction() {
        @Override
        public void settled(boolean fulfilled, Value value) {
          log.add((fulfilled ? "fulfilled " : "rejected ") + value);
        }

        @Override
        public void brokeOff(Throwable failure) {
          log.add("broke off");
        }
      };

  @AfterEach
  void close() {
    bed.close();
  }

  private RealmBinding binding() {
    return RealmBinding.of(bed.realm(0));
  }

  @ParameterizedTest
  @CsvSource({
    "'',fulfilled undefined",
    "return 1,fulfilled 1",
    "return Promise.resolve(2),fulfilled 2",
    "return {then(f) { f(3) }},fulfilled 3",
    "return Promise.reject(4),rejected 4",
    "throw 5,rejected 5"
  })
  void reaction_follows_all_microtasks_of_the_callback(String end, String outcome) {
    String body =
        "queueMicrotask(() => { log('one'); Promise.resolve().then(() => 0).then(() => 0)"
            + ".then(() => log('last')) });";
    bed.eval(
        "globalThis.queueMicrotask = steps => Promise.resolve().then(steps);"
            + "globalThis.callback = () => {"
            + body
            + end
            + "}");
    bed.onLoop(() -> {
      defineLog();
      call();
      log.add("end");
    });
    assertEquals(List.of("one", "last", outcome, "end"), log);
  }

  @Test
  void reaction_follows_a_promise_that_settles_later() {
    bed.eval("globalThis.callback = () => new Promise(resolve => globalThis.settle = resolve)");
    bed.onLoop(this::call);
    assertEquals(List.of(), log);
    bed.eval("settle(6)");
    assertEquals(List.of("fulfilled 6"), log);
  }

  @ParameterizedTest
  @CsvSource({
    "'',fulfilled undefined",
    "return 1,fulfilled 1",
    "return Promise.resolve(2),fulfilled 2",
    "throw 5,rejected 5"
  })
  void reaction_follows_a_checkpoint_that_fails(String end, String outcome) {
    bed.eval("globalThis.callback = () => { Promise.reject('unhandled'); " + end + "}");
    bed.onLoop(() -> {
      boolean unused =
          binding()
              .promises()
              .passUnhandledRejectionsTo(
                  (ProxyExecutable)
                      values -> {
                        throw new IllegalStateException("the checkpoint fails");
                      });
      assertThrows(PolyglotException.class, this::call);
    });
    assertEquals(List.of(outcome), log);
  }

  private void defineLog() {
    bed.realm(0)
        .global()
        .putMember("log", (ProxyExecutable) values -> log.add(values[0].asString()));
  }

  private void call() {
    binding().callbacks().callAndReact(bed.realm(0).global().getMember("callback"), null, reaction);
  }
}
