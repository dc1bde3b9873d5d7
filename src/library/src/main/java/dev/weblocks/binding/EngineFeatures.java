package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.function.BooleanSupplier;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The checks that the engine supports this library. They run once, in the first realm of a {@link
 * Platform}. Other threads wait, since no page may run before the checks. Thread-safe.
 */
final class EngineFeatures {

  private static final Source THROW_ONCE =
      Source.newBuilder(
              "js",
              "(function (fail) { try { fail() } catch (e) { String(e.stack) } fail() })",
              "weblocks:throw-once")
          .buildLiteral(); // not internal: only frames that show in stacks load the classes

  private boolean done;
  private @Nullable Boolean takesByteBuffers;

  /**
   * Checks the engine, unless an earlier check succeeded.
   *
   * @throws IllegalStateException if the engine is not supported
   */
  synchronized void check(RealmBinding binding) {
    if (!done) {
      binding.realm().agent().aside(() -> checkNow(binding));
      done = true;
    }
  }

  private static void checkNow(RealmBinding binding) {
    if (!binding.proxyType().isMetaInstance(binding.callApi("someProxy"))
        || binding.isProxy(binding.realm().global())) {
      throw new IllegalStateException(
          "this engine cannot distinguish proxies from other objects; use a supported version of"
              + " GraalJS");
    }
    throwOnce(binding.realm());
    // loads classes, for the same reason as throwOnce
    Value unused = binding.exception(ScriptException.rangeError(""));
  }

  /**
   * Passes one exception from Java into script and back, so that the engine loads the classes for
   * it. If the first exception were a stack overflow, the classes could not be initialized, and
   * every later exception in this JVM would fail.
   */
  private static void throwOnce(Realm realm) {
    try {
      realm
          .agent()
          .call(
              realm.evaluate(THROW_ONCE),
              (ProxyExecutable)
                  none -> {
                    throw new IllegalStateException(); // one with a stack
                  });
    } catch (PolyglotException expected) {
      expected.getPolyglotStackTrace().forEach(frame -> {});
      StackTraceElement[] unused = expected.asHostException().getStackTrace();
    }
  }

  /**
   * Returns whether contexts that agents own may read byte buffers of the host. The first result is
   * valid for all of them, since all have the same host access.
   */
  synchronized boolean takesByteBuffers(BooleanSupplier trial) {
    Boolean known = takesByteBuffers;
    if (known == null) {
      known = trial.getAsBoolean();
      takesByteBuffers = known;
    }
    return known;
  }
}
