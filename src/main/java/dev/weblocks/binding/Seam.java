package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The one way from script into Java: called by {@code prelude.js} with a member id, the
 * implementation of {@code this} (or the new object, for a constructor) and converted arguments.
 *
 * <p>A {@link ProxyExecutable}, because that works under every host access policy. It never lets a
 * Java exception into script: it keeps the failure, returns a sentinel, and the prelude throws what
 * {@link #takeFailure} makes of it, so that stacks begin in script.
 */
final class Seam implements ProxyExecutable {

  private final Realm realm;
  private final Member[] members;
  private final RealmBinding binding;
  private @Nullable ScriptException failure;
  private @Nullable Value rethrown;

  Seam(Realm realm, Member[] members, RealmBinding binding) {
    this.realm = realm;
    this.members = members;
    this.binding = binding;
  }

  @Override
  public @Nullable Object execute(Value... values) {
    Member member = members[values[0].asInt()];
    Value self = values[1];
    try {
      Arguments arguments = new Arguments(realm, member, values);
      Object result =
          member.code().run(self.isHostObject() ? self.asHostObject() : null, arguments);
      if (member.constructs() && result instanceof PlatformObject made) {
        made.becomes(self);
        return made;
      }
      return binding.toScript(result);
    } catch (ScriptException thrown) {
      failure = thrown;
    } catch (PolyglotException thrown) {
      Value value = thrown.isGuestException() ? thrown.getGuestObject() : null;
      if (value == null) {
        throw thrown; // the context is being closed, or the engine is out of something
      }
      rethrown = value;
    } catch (StackOverflowError overflow) {
      failure = ScriptException.rangeError("Maximum call stack size exceeded");
    } catch (RuntimeException defect) {
      realm.agent().reportDefect(member.label(), defect);
      failure = ScriptException.typeError("Internal error in " + member.label());
    }
    return binding.failureSentinel();
  }

  /** The JavaScript value to throw for the last failure. */
  Value takeFailure() {
    Value value = rethrown;
    ScriptException exception = failure;
    rethrown = null;
    failure = null;
    if (value != null) {
      return value;
    }
    if (exception == null) {
      throw new IllegalStateException("nothing failed");
    }
    return binding.exception(exception);
  }
}
