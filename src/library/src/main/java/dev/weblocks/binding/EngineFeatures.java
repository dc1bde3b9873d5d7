package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.function.BooleanSupplier;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The checks of the engine that the first realm of a platform runs for all later ones. Other
 * threads wait meanwhile, since no page may run before. Thread-safe.
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
   * Checks the engine, unless that was done without an exception.
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
   * Passes one exception from Java into script and back. The engine loads classes for that; if a
   * stack overflow were the first exception to pass, their initialization would fail, and with it
   * every later exception in this JVM.
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
   * Returns whether contexts that agents own take byte buffers of the host. The first answer holds
   * for all of them, since all have the same host access.
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
