package dev.weblocks.installation;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.ScriptSource;
import dev.weblocks.binding.DroppedJobs;
import dev.weblocks.binding.Platform;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.Resources;
import dev.weblocks.storage.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** The installer of globals in a context that the embedder owns. */
public final class Installer {

  /** The result of installing one property. */
  public enum Outcome {
    INSTALLED,
    /** The global or navigator already had a property of this name, which was kept. */
    KEPT,
    /** The property is not available in this kind of environment. */
    MISSING,
    /** The global or navigator cannot get the property, for example because it is frozen. */
    REFUSED
  }

  /** The name of one property, and the result of installing the property. */
  public record Placed(String name, Outcome outcome) {}

  /**
   * The realm of an installation, and the result for each property in the requested order.
   *
   * @param reportsRejections whether the context reports unhandled rejections
   */
  public record Installed(Realm realm, List<Placed> placed, boolean reportsRejections) {}

  private static final String NAVIGATOR = "navigator.";
  private static final String MARK = "dev.weblocks.installation";

  private final Source place = Resources.script(Installer.class, "place.js");

  private static final String NAME = "name";
  private static final String IS_ENDING = "isEnding";
  private static final String PLACER = "placer";

  /**
   * The last installation in a context, stored in the polyglot bindings of that context. A copy of
   * this library in another class loader reads it, too, so it is read by members. Script that has
   * the bindings sees none.
   */
  private record Mark(Agent agent, Value placer) implements ProxyObject {
    @Override
    public @Nullable Object getMember(String key) {
      return switch (key) {
        case NAME -> agent.name();
        case IS_ENDING -> agent.isEnding();
        case PLACER -> placer;
        default -> null;
      };
    }

    @Override
    public Object getMemberKeys() {
      return new String[0];
    }

    @Override
    public boolean hasMember(String key) {
      return false;
    }

    @Override
    public void putMember(String key, Value value) {
      throw new UnsupportedOperationException();
    }
  }

  /** Returns the environment settings of a context that gets the requested globals. */
  private static EnvironmentSettings settings(String id, Origin origin, List<String> wanted) {
    return new EnvironmentSettings(
        id,
        origin.serialize() + "/",
        origin,
        origin,
        origin.isPotentiallyTrustworthy(),
        InstallationModule.globalNames(wanted));
  }

  /** Returns the names that the global is not known to have; {@code place.js} checks each again. */
  private static List<String> missing(
      Context context, List<String> names, Set<String> replaced, @Nullable ProxyObject earlier) {
    if (earlier != null) {
      return names; // existing properties may be left over from it
    }
    Value global = context.eval(GLOBAL);
    return names.stream()
        .filter(name -> replaced.contains(name) || !global.hasMember(name))
        .toList();
  }

  private static final Source GLOBAL = ScriptSource.internal("globalThis", "weblocks:global");

  /**
   * Creates the realm of an embedder's context and installs properties. In {@link Agent#runInside}.
   *
   * @param names the names of global properties; {@code navigator.} prefixes navigator properties
   * @param replaced the names whose existing properties are replaced
   * @throws IllegalStateException if the context has another installation that has not ended
   */
  public Installed install(
      Agent agent,
      Context context,
      String clientId,
      Origin origin,
      List<String> names,
      Set<String> replaced) {
    ProxyObject earlier = mark(context);
    if (earlier != null && !Boolean.TRUE.equals(earlier.getMember(IS_ENDING))) {
      throw new IllegalStateException(
          "the context already has the installation "
              + earlier.getMember(NAME)
              + (earlier instanceof Mark ? "" : " of another copy of this library")
              + "; use it, or close it first");
    }
    Realm realm =
        agent.createRealm(settings(clientId, origin, missing(context, names, replaced, earlier)));
    Platform.of(agent.userAgent()).install(realm);
    DroppedJobs.prepare(RealmBinding.of(realm));
    Storage.install(realm);
    InstalledGlobalScope scope = new InstalledGlobalScope(realm);
    scope.becomeGlobal();
    Value placer =
        agent.call(
            realm.evaluate(place),
            RealmBinding.of(realm).global().exposed(),
            earlier == null ? null : earlier.getMember(PLACER));
    List<Placed> placed = new ArrayList<>();
    for (String name : names) {
      boolean replace = replaced.contains(name);
      Value outcome =
          name.startsWith(NAVIGATOR)
              ? agent.call(
                  placer.getMember("placeInNavigator"), name.substring(NAVIGATOR.length()), replace)
              : agent.call(placer.getMember("place"), name, replace);
      placed.add(new Placed(name, Outcome.valueOf(outcome.asString())));
    }
    context.getPolyglotBindings().putMember(MARK, new Mark(agent, placer));
    return new Installed(realm, placed, scope.reportsRejections());
  }

  /** Returns the mark of a context, of any copy of this library; null for none. */
  private static @Nullable ProxyObject mark(Context context) {
    Value found = context.getPolyglotBindings().getMember(MARK);
    return found != null
            && found.isProxyObject()
            && found.asProxyObject() instanceof ProxyObject mark
            && mark.getClass().getName().equals(Mark.class.getName())
        ? mark
        : null;
  }
}
