package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The proxy that one realm, the viewer, uses for the global of another realm. If that global is
 * replaced, the proxy stands for the new one. Script that may access the global cannot distinguish
 * the proxy from the global. The relevant realm of the proxy is the viewer.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-windowproxy-exotic-object">HTML</a>
 */
public abstract class GlobalProxy extends PlatformObject {

  private @Nullable Value proxy;

  protected GlobalProxy(Realm viewer) {
    super(viewer);
  }

  /** Returns the class of the globals behind the proxy. */
  protected abstract Class<? extends PlatformObject> globalClass();

  /**
   * Returns the global that the proxy stands for now; null for none, or if the proxy's realm may
   * not access it.
   */
  protected abstract @Nullable PlatformObject current();

  /**
   * Returns the object that stands for a global in the realm of this proxy.
   *
   * @param global a global of the same agent, or the proxy of another realm for one
   */
  protected abstract PlatformObject view(PlatformObject global);

  /** Returns the object of the proxy's realm for the child window at an index; null for none. */
  protected abstract @Nullable PlatformObject child(int index);

  /**
   * Returns an object with the members that all origins may use, and an operation {@code deny},
   * which is called for any other name and throws.
   */
  protected abstract PlatformObject crossOriginMembers();

  /** Returns the names of the attributes that all origins may read. */
  protected abstract List<String> crossOriginAttributes();

  /** Returns the names of the operations that all origins may call. */
  protected abstract List<String> crossOriginOperations();

  /**
   * Returns the names of the operations that depend on the calling realm. For a call through the
   * proxy, that is the realm that uses the proxy.
   */
  protected abstract List<String> operationsOfCaller();

  /** Returns the exception that refuses the use of a global of another origin. */
  protected abstract ScriptException refusal();

  @Override
  protected final PlatformObject receiver() {
    PlatformObject global = current();
    if (global == null) {
      throw refusal();
    }
    return global;
  }

  @Override
  public final Value objectFor(Realm viewer) {
    Value existing = proxy;
    if (existing == null) {
      existing = make();
      proxy = existing;
    }
    return existing;
  }

  private Value make() {
    RealmBinding binding = binding();
    Realm viewer = realm();
    return binding
        .global()
        .call(
            "globalProxy",
            binding.platform().interfaceId(globalClass()),
            this,
            binding
                .values()
                .function(
                    "window",
                    none -> {
                      PlatformObject global = current();
                      return global == null ? null : global.realm().global();
                    }),
            binding
                .values()
                .function(
                    "window",
                    values -> {
                      PlatformObject global = binding.objects().implementation(values[0]);
                      return global == null ? values[0] : binding.values().toScript(view(global));
                    }),
            childFunction(),
            crossOriginMembers().object(),
            binding.values().toScript(crossOriginAttributes()),
            binding.values().toScript(crossOriginOperations()),
            binding.values().toScript(operationsOfCaller()),
            binding
                .values()
                .function(
                    "window",
                    values -> {
                      PlatformObject global = current();
                      return global == null
                          ? null
                          : global.binding().global().operationFor(viewer, values[0].asString());
                    }));
  }

  private Value childFunction() {
    return binding()
        .values()
        .function(
            "window",
            values -> {
              PlatformObject child = values[0].fitsInInt() ? child(values[0].asInt()) : null;
              return child == null ? null : binding().values().toScript(child);
            });
  }
}
