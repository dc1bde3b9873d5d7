package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import java.util.List;
import org.graalvm.polyglot.Value;

/**
 * The members of a {@code Location} that pages of any origin may use. They navigate, but do not
 * expose the current URL.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#crossoriginproperties-(-o-)">HTML</a>
 */
final class CrossOriginLocation extends PlatformObject {

  private final Navigable navigable;

  private CrossOriginLocation(Realm viewer, Navigable navigable) {
    super(viewer);
    this.navigable = navigable;
  }

  static Value objectFor(Realm viewer, Navigable navigable) {
    return RealmBinding.of(viewer)
        .global()
        .crossOriginObject(
            new CrossOriginLocation(viewer, navigable), List.of("href"), List.of("replace"));
  }

  static void define(Implementations implementations) {
    implementations
        .implement("CrossOriginLocation", CrossOriginLocation.class)
        .getter("href", self -> "")
        .setter(
            "href",
            (self, args) ->
                Window.ofRealm(self.realm())
                    .navigation()
                    .navigateTo(self.navigable, args.string(0), false))
        .action(
            "replace",
            (self, args) ->
                Window.ofRealm(self.realm())
                    .navigation()
                    .navigateTo(self.navigable, args.string(0), true))
        .action(
            "deny",
            (self, args) -> {
              throw CrossOriginWindow.refusal(
                  self.realm(), "a named property '" + args.string(0) + "'");
            });
  }
}
