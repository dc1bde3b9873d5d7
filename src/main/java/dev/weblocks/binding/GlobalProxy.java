package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a realm has for the global of another one, which may be exchanged: a proxy that script
 * cannot tell from the global that it stands for now, as long as it may use that. It belongs to the
 * realm that looks.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-windowproxy-exotic-object">HTML</a>
 */
public abstract class GlobalProxy extends PlatformObject {

  private @Nullable Value proxy;

  /**
   * @param viewer the realm that looks
   */
  protected GlobalProxy(Realm viewer) {
    super(viewer);
  }

  /** The class of the globals that this stands for. */
  protected abstract Class<? extends PlatformObject> globalClass();

  /** The global now; null if the viewer may not use it, since it is of another origin. */
  protected abstract @Nullable PlatformObject current();

  /** What the viewer has for a global of its agent, or for what stands for one. */
  protected abstract PlatformObject view(PlatformObject global);

  /** What the viewer has for a child, null if there is none of this index. */
  protected abstract @Nullable PlatformObject child(int index);

  /**
   * Has members of the names that all origins may use, and an operation {@code deny} that throws
   * for all others.
   */
  protected abstract PlatformObject crossOriginMembers();

  /** Attributes that all origins may read. */
  protected abstract List<String> crossOriginAttributes();

  /** Operations that all origins may call. */
  protected abstract List<String> crossOriginOperations();

  /** Operations that depend on who calls them: through the proxy, that is the viewer. */
  protected abstract List<String> operationsOfCaller();

  /** Refuses the use of a global of another origin. */
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
    return binding.callApi(
        "globalProxy",
        binding.platform().interfaceId(globalClass()),
        this,
        binding.function(
            "window",
            none -> {
              PlatformObject global = current();
              return global == null ? null : global.realm().global();
            }),
        binding.function(
            "window",
            values -> {
              PlatformObject global = binding.implementation(values[0]);
              return global == null ? values[0] : binding.toScript(view(global));
            }),
        childFunction(),
        crossOriginMembers().object(),
        binding.toScript(crossOriginAttributes()),
        binding.toScript(crossOriginOperations()),
        binding.toScript(operationsOfCaller()),
        binding.function(
            "window",
            values -> {
              PlatformObject global = current();
              return global == null
                  ? null
                  : global.binding().operationFor(viewer, values[0].asString());
            }));
  }

  private Value childFunction() {
    return binding()
        .function(
            "window",
            values -> {
              PlatformObject child = values[0].fitsInInt() ? child(values[0].asInt()) : null;
              return child == null ? null : binding().toScript(child);
            });
  }
}
