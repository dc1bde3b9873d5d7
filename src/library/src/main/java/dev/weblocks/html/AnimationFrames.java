package dev.weblocks.html;

import dev.weblocks.agent.EventLoop;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.TaskSource;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.dom.RelativeTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The animation frame callbacks of one window. There is no screen: frames begin at multiples of
 * 1/60 s since the time origin, and only if a callback is waiting.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/imagebitmap-and-animations.html#animation-frames">HTML</a>
 */
final class AnimationFrames {

  private static final double FRAME_MILLIS = 1000.0 / 60;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Window window;
  private final Realm realm;

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/imagebitmap-and-animations.html#list-of-animation-frame-callbacks">map
   * of animation frame callbacks</a>
   */
  private final Map<Long, Value> callbacks = new LinkedHashMap<>();

  private long lastHandle;

  /** The number of the latest run or scheduled frame; frame 0 begins at the time origin. */
  private double lastFrame;

  private EventLoop.@Nullable Timer nextFrame;

  AnimationFrames(Window window) {
    this.window = window;
    this.realm = window.realm();
    realm.onDiscard(this::clear);
  }

  /** Clears all callbacks, and cancels the timer unless the end of the agent has dropped it. */
  void clear() {
    callbacks.clear();
    if (nextFrame != null && realm.agent().eventLoop().isOnLoop()) {
      realm.agent().eventLoop().cancelTimer(nextFrame);
      nextFrame = null;
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/imagebitmap-and-animations.html#dom-animationframeprovider-requestanimationframe">requestAnimationFrame()</a>
   */
  double request(Value callback) {
    long handle = ++lastHandle;
    callbacks.put(handle, callback);
    schedule();
    return handle;
  }

  /**
   * Schedules the next frame if a visible document has callbacks. Those of a hidden one wait, by <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#update-the-rendering">update the
   * rendering</a>.
   */
  void schedule() {
    if (nextFrame == null && !callbacks.isEmpty() && isVisible()) {
      double now = RelativeTime.now(realm);
      // now is rounded down and may precede the last frame, which must not be scheduled again
      lastFrame = Math.max(lastFrame, Math.floor(now / FRAME_MILLIS)) + 1;
      double wait = lastFrame * FRAME_MILLIS - now;
      nextFrame =
          realm
              .agent()
              .eventLoop()
              .startTimer(
                  (long) (wait * NANOS_PER_MILLI),
                  () ->
                      realm.queueTask(
                          TaskSource.RENDERING, "requestAnimationFrame()", this::frame));
    }
  }

  private boolean isVisible() {
    return PageVisibility.of(realm).state().equals("visible");
  }

  /** Removes a callback; a no-op for an unknown handle. */
  void cancel(double handle) {
    callbacks.remove((long) handle);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/imagebitmap-and-animations.html#run-the-animation-frame-callbacks">run
   * the animation frame callbacks</a>, all with the time at which the frame begins
   */
  private void frame() {
    nextFrame = null;
    if (!isVisible()) {
      return;
    }
    double now = RelativeTime.now(realm);
    for (Long handle : List.copyOf(callbacks.keySet())) {
      Value callback = callbacks.remove(handle);
      if (callback != null) {
        RealmBinding.of(window.binding().callbacks().associatedRealm(callback))
            .callbacks()
            .callAndReport(callback, window.binding().values().undefined(), now);
      }
    }
  }
}
