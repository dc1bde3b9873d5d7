package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.url.QueryEncoding;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlParts;
import dev.weblocks.url.UrlRecord;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Location} interface.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-location-interface">HTML</a>
 */
final class Location extends PlatformObject {

  private final Window window;
  private final UrlRecord creationUrl;

  Location(Window window) {
    super(window.realm());
    this.window = window;
    this.creationUrl = UrlParser.parseAbsolute(window.realm().settings().creationUrl());
  }

  private UrlRecord url() {
    Document document = window.documentOrNull();
    return document == null ? creationUrl : document.urlRecord();
  }

  private @Nullable QueryEncoding queryEncoding() {
    Document document = window.documentOrNull();
    return document == null ? null : document.queryEncoding();
  }

  private void go(String url, Window caller, boolean replace) {
    caller.navigation().navigateTo(window.navigable(), url, replace);
  }

  /** Navigates to a URL of which script has changed a part. */
  private void change(UrlRecord changed) {
    window.navigation().navigate(window.navigable(), changed, !window.isCompletelyLoaded());
  }

  static void define(Implementations implementations) {
    Implementations.Interface<Location> location =
        implementations.implement("Location", Location.class);
    UrlParts.define(location, Location::url);
    UrlParts.defineSetters(location, Location::url, Location::change, Location::queryEncoding);
    location
        .setter(
            "href", (self, args) -> self.go(args.string(0), Window.ofRealm(args.realm()), false))
        .action(
            "assign", (self, args) -> self.go(args.string(0), Window.ofRealm(args.realm()), false))
        .action(
            "replace", (self, args) -> self.go(args.string(0), Window.ofRealm(args.realm()), true))
        .action("reload", (self, args) -> self.window.navigation().reload());
  }
}
