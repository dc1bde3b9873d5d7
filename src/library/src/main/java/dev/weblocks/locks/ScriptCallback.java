package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.ScriptException;
import org.graalvm.polyglot.Value;

/** The function that script passed to {@code request()} as the callback. */
class ScriptCallback implements LockCallback {

  private final ClientRequest request;
  private final Value callback;
  private final Value calledWithLock;

  /** The realm of the callback; the callback is not called after the realm is discarded. */
  private final Realm callbackRealm;

  /**
   * Creates a callback.
   *
   * @param calledWithLock the function that is called with a granted lock: the callback or a
   *     wrapper
   */
  ScriptCallback(ClientRequest request, Value callback, Value calledWithLock) {
    this.request = request;
    this.callback = callback;
    this.calledWithLock = calledWithLock;
    this.callbackRealm = request.binding().callbacks().associatedRealm(callback);
  }

  @Override
  public boolean isGone() {
    return callbackRealm.isDiscarded();
  }

  @Override
  public void granted() {
    Lock lock;
    try {
      lock = new Lock(request.realm(), request.options.name(), request.options.mode());
    } catch (RuntimeException | Error exhausted) {
      request.brokeOff(exhausted);
      return;
    }
    request.binding().callbacks().callAndReact(calledWithLock, lock, request);
  }

  @Override
  public void missed() {
    request.binding().callbacks().callAndReact(callback, null, request);
  }

  @Override
  public void settle(boolean fulfilled, Value outcome) {
    if (fulfilled) {
      request.promise.resolve(outcome);
    } else if (request.rules().meansStolen(outcome)) {
      request.promise.reject(ScriptException.dom("AbortError", "The operation was aborted."));
    } else {
      request.promise.reject(outcome);
    }
  }

  @Override
  public void lost(ScriptException why) {
    request.promise.reject(why);
  }
}
