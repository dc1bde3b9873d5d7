package dev.weblocks.dom;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;

/**
 * The {@code AbortController} interface.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-abortcontroller">DOM</a>
 */
public final class AbortController extends PlatformObject {

  private final AbortSignal signal;

  AbortController(Realm realm) {
    super(realm);
    this.signal = new AbortSignal(realm);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("AbortController", AbortController.class)
        .constructor((realm, args) -> new AbortController(realm))
        .getter("signal", controller -> controller.signal)
        .action(
            "abort",
            (controller, args) -> controller.signal.signalAbort(args.realm(), args.any(0)));
  }
}
