package dev.weblocks.binding;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.Fence;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TurnLog;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The entry from script into Java. The prelude calls it with a member id, the implementation of
 * {@code this} (or the new object, for a constructor) and converted arguments.
 *
 * <p>It is a {@link ProxyExecutable}, because that works under every host access policy. It lets no
 * Java exception into script, unless the context ends: it stores the failure and returns a
 * sentinel. Then the prelude throws the result of {@link #takeFailure}, so that stacks begin in
 * script.
 */
final class Seam implements ProxyExecutable {

  private final Realm realm;
  private final Realm caller;
  private final MemberTable members;
  private final RealmBinding binding;
  private final Value sentinel;
  private final @Nullable TurnLog turns;
  private @Nullable ScriptException failure;
  private @Nullable PolyglotException rethrown;

  /**
   * @param caller see {@link Arguments#caller}
   */
  Seam(Realm realm, Realm caller, RealmBinding binding) {
    this.realm = realm;
    this.caller = caller;
    this.members = binding.platform().members();
    this.sentinel = AgentKit.of(realm).failure;
    this.binding = binding;
    this.turns = realm.agent().userAgent().driver().turnLog();
  }

  Realm realm() {
    return realm;
  }

  @Override
  public @Nullable Object execute(Value... values) {
    Agent agent = realm.agent();
    if (!agent.eventLoop().isOnLoop()) {
      return agent.fromScript(() -> run(values), () -> afterTheEnd(values));
    }
    Fence.Position before = agent.fence().enterJava();
    if (before == null) {
      return afterTheEnd(values);
    }
    try {
      return run(values);
    } finally {
      agent.fence().leaveJava(before);
    }
  }

  /**
   * Runs members of DOMException only, so that exceptions stay readable after the end of the agent.
   * All other calls fail; script of an owned context is unwound.
   */
  private @Nullable Object afterTheEnd(Value... values) {
    if (realm.agent().ownsContext()) {
      throw realm.agent().cancellation();
    }
    if (receiver(values[1]) instanceof DOMException) {
      return realm.agent().fence().outside(() -> run(values));
    }
    rethrown = null;
    failure = HostFunction.hasEnded();
    return sentinel;
  }

  private @Nullable Object run(Value... values) {
    // an earlier failure may not have been taken
    failure = null;
    rethrown = null;
    SeamMember member = members.get(values[0].asInt());
    Value self = values[1];
    if (turns != null) {
      turns.reaches(member.label());
    }
    try {
      Object receiver = receiver(self);
      Arguments arguments = new Arguments(realm, caller, member, receiver, values);
      Object result = member.code().run(receiver, arguments);
      if (member.constructs() && result instanceof PlatformObject made) {
        made.becomes(self);
        return made;
      }
      return arguments.isOffered(result) ? null : binding.values().toScript(result);
    } catch (ScriptException thrown) {
      failure = thrown;
    } catch (PolyglotException thrown) {
      if (HostFunction.mustPass(thrown)) {
        throw thrown;
      }
      if (thrown.isGuestException() && !thrown.isResourceExhausted()) {
        rethrown = thrown;
      } else {
        failure = HostFunction.asScriptException(realm, member.label(), thrown);
      }
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError | LinkageError thrown) {
      failure = HostFunction.asScriptException(realm, member.label(), thrown);
    }
    return sentinel;
  }

  private static @Nullable Object receiver(Value self) {
    Object object = self.isHostObject() ? self.asHostObject() : null;
    return object instanceof PlatformObject platformObject ? platformObject.receiver() : object;
  }

  /**
   * Returns the JavaScript value to throw for the last failure.
   *
   * @throws PolyglotException if script threw the value and it passed through Java: the engine then
   *     throws the same value in script
   */
  Value takeFailure() {
    PolyglotException passing = rethrown;
    ScriptException exception = failure;
    rethrown = null;
    failure = null;
    if (passing != null) {
      throw passing;
    }
    if (exception == null) {
      throw new IllegalStateException("no failure is pending");
    }
    return binding.values().exception(exception);
  }
}
