package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.binding.GlobalProxy;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A realm's proxy for the active window of a navigable other than the realm's own.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-windowproxy-exotic-object">HTML</a>
 */
final class WindowProxy extends GlobalProxy {

  /** The proxies of a realm, weakly referenced; the script object of a proxy retains the proxy. */
  private static final class OfRealm {
    final Map<Navigable, WeakReference<WindowProxy>> byNavigable = new WeakHashMap<>();

    WindowProxy of(Realm viewer, Navigable navigable) {
      WeakReference<WindowProxy> known = byNavigable.get(navigable);
      WindowProxy proxy = known == null ? null : known.get();
      if (proxy == null) {
        proxy = new WindowProxy(viewer, navigable);
        byNavigable.put(navigable, new WeakReference<>(proxy));
        VirtualWorld.keep(viewer, proxy);
      }
      return proxy;
    }
  }

  private final Navigable navigable;
  private final CrossOriginWindow members;

  private WindowProxy(Realm viewer, Navigable navigable) {
    super(viewer);
    this.navigable = navigable;
    this.members = new CrossOriginWindow(viewer, this);
  }

  /** Returns a realm's object for a navigable: the realm's own global, or else a proxy. */
  static PlatformObject of(Realm viewer, Navigable navigable) {
    Window own = Window.ofRealm(viewer);
    return own.navigable() == navigable
        ? own
        : viewer.supplements().get(OfRealm.class, OfRealm::new).of(viewer, navigable);
  }

  static @Nullable PlatformObject orNull(Realm viewer, @Nullable Navigable navigable) {
    return navigable == null ? null : of(viewer, navigable);
  }

  Navigable navigable() {
    return navigable;
  }

  @Override
  protected Class<? extends PlatformObject> globalClass() {
    return Window.class;
  }

  @Override
  protected @Nullable Window current() {
    Window window = navigable.activeWindow();
    return window == null || window.realm().agent() != realm().agent() ? null : window;
  }

  @Override
  protected PlatformObject view(PlatformObject global) {
    return switch (global) {
      case Window window -> window.seenFrom(realm());
      case WindowProxy proxy -> of(realm(), proxy.navigable);
      default -> global;
    };
  }

  @Override
  protected @Nullable PlatformObject child(int index) {
    return child(realm(), navigable, index);
  }

  static @Nullable PlatformObject child(Realm viewer, Navigable navigable, int index) {
    List<Navigable> children = List.copyOf(navigable.children());
    return index >= 0 && index < children.size() ? of(viewer, children.get(index)) : null;
  }

  @Override
  protected PlatformObject crossOriginMembers() {
    return members;
  }

  @Override
  protected List<String> crossOriginAttributes() {
    return List.of(
        "window", "self", "location", "closed", "frames", "length", "top", "opener", "parent");
  }

  @Override
  protected List<String> crossOriginOperations() {
    return List.of("close", "focus", "blur", "postMessage");
  }

  @Override
  protected List<String> operationsOfCaller() {
    return List.of("postMessage", "open", "close");
  }

  @Override
  protected ScriptException refusal() {
    return CrossOriginWindow.refusal(realm(), "a property");
  }
}
