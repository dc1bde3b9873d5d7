package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlParts;
import dev.weblocks.url.UrlRecord;

/**
 * The {@code Location} interface, without navigation.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-location-interface">HTML</a>
 */
final class Location extends PlatformObject {

  private final UrlRecord url;

  Location(Realm realm) {
    super(realm);
    this.url = UrlParser.parseAbsolute(realm.settings().creationUrl());
  }

  static void define(Implementations implementations) {
    UrlParts.define(implementations.implement("Location", Location.class), self -> self.url);
  }
}
