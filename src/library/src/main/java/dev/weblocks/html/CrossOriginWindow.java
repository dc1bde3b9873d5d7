package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The members of a window that pages of any origin may use. Script reaches them only through {@link
 * WindowProxy}.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#crossoriginproperties-(-o-)">HTML</a>
 */
final class CrossOriginWindow extends PlatformObject {

  private final WindowProxy proxy;
  private @Nullable Value location;

  CrossOriginWindow(Realm viewer, WindowProxy proxy) {
    super(viewer);
    this.proxy = proxy;
  }

  private Navigable navigable() {
    return proxy.navigable();
  }

  static ScriptException refusal(Realm viewer, String what) {
    return ScriptException.dom(
        "SecurityError",
        ("Failed to read %s from 'Window': Blocked a frame with origin \"%s\" from"
                + " accessing a cross-origin frame.")
            .formatted(what, viewer.settings().origin().serialize()));
  }

  private Value location() {
    Value made = location;
    if (made == null) {
      made = CrossOriginLocation.objectFor(realm(), navigable());
      location = made;
    }
    return made;
  }

  /** Navigates; an exception has the realm of the window, unless that has another origin. */
  private void setLocation(String url) {
    try {
      Window.ofRealm(realm()).navigation().navigateTo(navigable(), url, false);
    } catch (ScriptException exception) {
      Window other = proxy.current();
      throw other == null
          ? exception
          : RealmBinding.of(other.realm()).values().exception(exception).throwException();
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("CrossOriginWindow", CrossOriginWindow.class)
        .getter("window", self -> self.proxy)
        .getter("self", self -> self.proxy)
        .getter("frames", self -> self.proxy)
        .getter("location", CrossOriginWindow::location)
        .setter("location", (self, args) -> self.setLocation(args.string(0)))
        .getter("closed", self -> self.navigable().isClosing())
        .getter("length", self -> self.navigable().children().size())
        .getter(
            "top",
            self ->
                self.navigable().isDestroyed()
                    ? null
                    : WindowProxy.of(self.realm(), self.navigable().traversable()))
        .getter(
            "parent",
            self ->
                self.navigable().isDestroyed()
                    ? null
                    : WindowProxy.of(self.realm(), Window.parentOrSelf(self.navigable())))
        .getter(
            "opener", self -> WindowProxy.orNull(self.realm(), Window.openerOf(self.navigable())))
        .action(
            "close",
            (self, args) -> Window.ofRealm(self.realm()).navigation().close(self.navigable()))
        .action("focus", (self, args) -> {})
        .action("blur", (self, args) -> {})
        .action(
            "postMessage",
            (self, args) -> Window.ofRealm(self.realm()).postMessage(self.navigable(), args))
        .action(
            "deny",
            (self, args) -> {
              throw refusal(self.realm(), "a named property '" + args.string(0) + "'");
            });
  }
}
