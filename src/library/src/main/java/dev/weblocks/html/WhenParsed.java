package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps that wait until the document of a window is parsed; one object per window. On the event
 * loop.
 */
public final class WhenParsed {

  private final List<Runnable> waiting = new ArrayList<>();
  private boolean parsed;

  private WhenParsed() {}

  public static WhenParsed of(Realm realm) {
    return realm.supplements().get(WhenParsed.class, WhenParsed::new);
  }

  /** Runs steps after the event DOMContentLoaded, or at once if it has already been fired. */
  public void run(Runnable steps) {
    if (parsed) {
      steps.run();
    } else {
      waiting.add(steps);
    }
  }

  void parsed() {
    parsed = true;
    List<Runnable> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(Runnable::run);
  }
}
