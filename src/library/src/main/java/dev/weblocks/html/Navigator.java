package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.global.AbstractNavigator;

/**
 * The {@code Navigator} interface; its members come from mixins.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/system-state.html#the-navigator-object">HTML</a>
 */
final class Navigator extends AbstractNavigator {

  Navigator(Realm realm) {
    super(realm);
  }

  static void define(Implementations implementations) {
    implementations.implement("Navigator", Navigator.class);
  }
}
