package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.global.UrlParts;

/**
 * The {@code Location} interface, without navigation.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-location-interface">HTML</a>
 */
final class Location extends PlatformObject {

  private final UrlParts parts;

  Location(Realm realm) {
    super(realm);
    this.parts =
        new UrlParts(realm.settings().creationUrl(), realm.settings().origin().serialize());
  }

  static void define(Implementations implementations) {
    UrlParts.define(implementations.implement("Location", Location.class), self -> self.parts);
  }
}
