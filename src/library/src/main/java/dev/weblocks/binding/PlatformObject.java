package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The Java side of a platform object: the value in the private slot of the script object, which is
 * created lazily and never replaced. It belongs to the event loop of its realm's agent.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#dfn-platform-object">Web IDL</a>
 */
public abstract class PlatformObject {

  private final Realm realm;
  private @Nullable Value object;
  private boolean handedOver;

  /** Creates a platform object with a relevant realm. */
  protected PlatformObject(Realm realm) {
    this.realm = realm;
  }

  /** Returns the relevant realm. */
  public final Realm realm() {
    return realm;
  }

  /** Returns the binding of the relevant realm. */
  public final RealmBinding binding() {
    return RealmBinding.of(realm);
  }

  /** Returns the dictionary from which objects of an interface are initialized. */
  protected final InitDictionary initDictionary(String interfaceName) {
    return binding().platform().initDictionary(interfaceName);
  }

  /** Returns whether an interface has an attribute, inherited ones included. */
  protected final boolean hasAttribute(String interfaceName, String attribute) {
    return binding().platform().hasAttribute(interfaceName, attribute);
  }

  /** Returns the object that script sees. */
  public final Value object() {
    Value existing = object;
    if (existing == null) {
      if (handedOver) {
        throw new IllegalStateException(
            "this "
                + getClass().getSimpleName()
                + " was handed over to script, and Java code no longer has a reference to its"
                + " object");
      }
      existing = binding().objects().wrap(this);
      object = existing;
    }
    return existing;
  }

  /**
   * Returns the object that script of a realm of the same agent sees: {@link #object()}, except for
   * globals, for which other realms have proxies.
   */
  public Value objectFor(Realm viewer) {
    return object();
  }

  /**
   * Returns the target of a member that script calls: this object, unless it is a proxy.
   *
   * @throws ScriptException if script may not use the object
   */
  protected PlatformObject receiver() {
    return this;
  }

  /** Lets the prelude create the script object, unknown to Java; {@link #object} then throws. */
  final void handOver() {
    if (object != null || handedOver) {
      throw new IllegalStateException(
          getClass().getSimpleName() + " already has a JavaScript object");
    }
    handedOver = true;
  }

  /** Sets the object that script sees, if it was created before this Java object. */
  final void becomes(Value made) {
    if (object != null) {
      throw new IllegalStateException(
          getClass().getSimpleName() + " already has a JavaScript object");
    }
    object = made;
  }
}
