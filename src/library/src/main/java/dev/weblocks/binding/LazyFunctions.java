package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.Objects;
import java.util.function.Supplier;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The functions of an internal script that captures built-ins before page script runs, and makes
 * its functions when one is needed first: most realms need none. Used on the event loop.
 */
public final class LazyFunctions {

  private final Realm realm;

  /** Makes the functions; null when they are made. */
  private @Nullable Value make;

  private @Nullable Supplier<@Nullable Object[]> arguments;
  private @Nullable Value made;

  /**
   * Captures the built-ins. Must be called before any page script runs in the realm.
   *
   * @param source the source of a function that captures built-ins, and returns a function that
   *     makes an object with the functions
   * @param arguments the arguments of the latter
   */
  public LazyFunctions(Realm realm, Source source, Supplier<@Nullable Object[]> arguments) {
    this.realm = realm;
    this.make = realm.agent().call(realm.evaluate(source));
    this.arguments = arguments;
  }

  /** Returns the function with a name. Runs no code of a page. */
  public Value get(String name) {
    Value functions = made;
    if (functions == null) {
      functions =
          realm.agent().ask(Objects.requireNonNull(make), Objects.requireNonNull(arguments).get());
      made = functions;
      make = null;
      arguments = null;
    }
    return functions.getMember(name);
  }
}
