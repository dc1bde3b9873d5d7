package dev.weblocks.locks;

import dev.weblocks.agent.StackReserve;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.ScriptException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The receiver of a lock under the variant callback-less: script gets the lock and releases it. */
final class ScriptRelease implements LockCallback, ReleasableLock.Holder {

  private final ClientRequest request;

  /** The promises of calls of {@code release()} that wait until the lock has ended. */
  private final List<IdlPromise> waiting = new ArrayList<>();

  /** A function that settles a promise of {@code release()}; null until the lock has ended. */
  private @Nullable Consumer<IdlPromise> ending;

  ScriptRelease(ClientRequest request) {
    this.request = request;
  }

  @Override
  public boolean isGone() {
    return request.realm().isDiscarded();
  }

  @Override
  public void granted() {
    request.promise.resolve(
        new ReleasableLock(request.realm(), request.options.name(), request.options.mode(), this));
  }

  @Override
  public void missed() {
    request.promise.resolve(request.binding().values().nullValue());
  }

  /** Releases the lock, as if a waiting promise were fulfilled. */
  @Override
  public void release(IdlPromise released) {
    StackReserve.requireForStep();
    if (ending == null) {
      waiting.add(released);
    } else {
      ending.accept(released);
    }
    if (!request.hasOutcome()) {
      request.settled(true, request.binding().values().undefined());
    }
  }

  @Override
  public void settle(boolean fulfilled, Value outcome) {
    endWith(released -> released.resolve());
  }

  @Override
  public void lost(ScriptException why) {
    if (request.isGranted()) { // script has the lock
      Value reason = request.binding().values().exception(why);
      endWith(released -> released.reject(reason));
    } else {
      request.promise.reject(why);
    }
  }

  private void endWith(Consumer<IdlPromise> settling) {
    ending = settling;
    waiting.forEach(settling);
    waiting.clear();
  }
}
