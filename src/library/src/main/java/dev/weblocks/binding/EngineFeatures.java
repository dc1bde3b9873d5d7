package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EngineVersions;
import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The checks of what this library uses of the engine beyond its public contract. They run once, in
 * the first realm of a {@link Platform}. Other threads wait, since no page may run before the
 * checks. Thread-safe.
 */
public final class EngineFeatures {

  private static final Source THROW_ONCE =
      ScriptSource.classic( // not internal: only frames that show in stacks load the classes
          "(function (fail) { try { fail() } catch (e) { String(e.stack) } (() => fail())() })",
          "weblocks:throw-once");

  private static final String LATER = "weblocks:later";

  /** Defines a lazy property and returns whether script sees an ordinary data property. */
  private static final Source DEFINE_LATER =
      ScriptSource.internal(
          """
          (function (define, name) {
            globalThis[name + '.make'] = () => 7;
            define(name + '.make', 0, 1);
            const d = Object.getOwnPropertyDescriptor(globalThis, name);
            delete globalThis[name];
            delete globalThis[name + '.make'];
            return d.value === 7 && d.writable && !d.enumerable && d.configurable;
          })
          """,
          "weblocks:define-later");

  private boolean done;
  private final Set<String> probed = new HashSet<>();
  private @Nullable Boolean takesByteBuffers;

  /**
   * Checks the engine, unless an earlier check succeeded. Logs a warning if an optional feature is
   * missing.
   *
   * @throws IllegalStateException if the library cannot work on this engine
   */
  synchronized void check(RealmBinding binding) {
    if (!done) {
      binding.realm().agent().aside(() -> checkNow(binding));
      done = true;
    }
  }

  private static void checkNow(RealmBinding binding) {
    if (!binding.values().proxyType().isMetaInstance(binding.values().someProxy())
        || binding.values().isProxy(binding.realm().global())) {
      throw missing(
          "proxies cannot be distinguished from other objects", "scripts could forge them");
    }
    if (!definesLater(binding.realm())) {
      throw missing(
          "lazy properties are not shown as data properties", "interfaces would be wrong");
    }
    if (!namesFunctions(throwOnce(binding.realm()))) {
      warn("functions without a name are not marked as such", "stack traces show them otherwise");
    }
    if (!showsStackOverflow(binding.realm())) {
      warn("a stack overflow in Java is not shown as one", "script may see it as lack of memory");
    }
    // loads classes, for the same reason as throwOnce
    Value unused = binding.values().exception(ScriptException.rangeError(""));
  }

  private static IllegalStateException missing(String what, String consequence) {
    return new IllegalStateException(
        "this engine does not work with this library: "
            + what
            + ", so "
            + consequence
            + EngineVersions.untested());
  }

  private static void warn(String what, String consequence) {
    EngineVersions.warn("this engine differs: " + what + ", so " + consequence);
  }

  /** Returns whether {@link LazyProperties} work; true if the module path hides the classes. */
  private static boolean definesLater(Realm realm) {
    ProxyExecutable define;
    try {
      define = LazyProperties.on(List.of(LATER));
    } catch (LinkageError hidden) {
      return true; // then all values are created at once
    }
    return realm.agent().call(realm.read(DEFINE_LATER), define, LATER).asBoolean();
  }

  /**
   * Passes one exception from Java into script and back, so that the engine loads the classes for
   * it. If the first exception were a stack overflow, the classes could not be initialized, and
   * every later exception in this JVM would fail.
   */
  private static PolyglotException throwOnce(Realm realm) {
    PolyglotException passed =
        thrownBy(
            realm,
            () -> {
              throw new IllegalStateException(); // one with a stack
            });
    StackTraceElement[] unused = passed.asHostException().getStackTrace();
    return passed;
  }

  private static boolean namesFunctions(PolyglotException thrown) {
    return StreamSupport.stream(thrown.getPolyglotStackTrace().spliterator(), false)
        .anyMatch(frame -> frame.isGuestFrame() && CallStack.isUnnamed(frame.getRootName()));
  }

  private static boolean showsStackOverflow(Realm realm) {
    PolyglotException passed =
        thrownBy(
            realm,
            () -> {
              throw new StackOverflowError();
            });
    return OutOfMemory.isStackOverflow(passed);
  }

  private static PolyglotException thrownBy(Realm realm, Runnable failing) {
    try {
      realm
          .agent()
          .call(
              realm.evaluate(THROW_ONCE),
              (ProxyExecutable)
                  none -> {
                    failing.run();
                    return null;
                  });
    } catch (PolyglotException expected) {
      return expected;
    }
    throw new IllegalStateException("the engine has dropped an exception of Java");
  }

  /**
   * Runs the probe of a feature, unless it ran before or the engine is that of the build, whose
   * tests have run it. Logs a warning if it fails.
   *
   * @param probe returns what is wrong; null for nothing
   * @param consequence what does not work then
   */
  public synchronized void probe(
      Agent agent, String feature, Supplier<@Nullable String> probe, String consequence) {
    if (probed.add(feature) && !EngineVersions.isOfBuild()) {
      agent.aside(() -> {
        String wrong = probe.get();
        if (wrong != null) {
          warn(wrong, consequence);
        }
      });
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
