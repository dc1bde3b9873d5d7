package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import org.graalvm.polyglot.Value;

/**
 * The binding of one realm: everything that Java does there, by part. Used on the event loop of the
 * realm's agent.
 */
public final class RealmBinding {

  private final Realm realm;
  private final Platform platform;
  private final ScriptValues values;
  private final PlatformObjects objects;
  private final GlobalObject global;
  private final Promises promises;
  private final Callbacks callbacks;
  private final ClassicScripts scripts;
  private final CallPositions callPositions;
  private final BufferSources bufferSources;
  private final ErrorReader errors;

  RealmBinding(Realm realm, Platform platform) {
    this.realm = realm;
    this.platform = platform;
    Value functions = platform.prelude().run(realm, platform, new Seam(realm, realm, this));
    Value ofCallbacks = functions.getMember("callbacks");
    Value run = ofCallbacks.getMember("run");
    this.values = new ScriptValues(realm, functions.getMember("scriptValues"));
    this.objects = new PlatformObjects(this, functions.getMember("platformObjects"));
    this.global = new GlobalObject(this, functions.getMember("globalObject"));
    this.promises = new Promises(this, functions.getMember("promises"), run);
    this.callbacks = new Callbacks(this, ofCallbacks);
    this.scripts = new ClassicScripts(this, ofCallbacks.getMember("runScript"));
    this.callPositions = new CallPositions(realm.agent(), run);
    this.bufferSources =
        new BufferSources(realm.agent(), functions.getMember("buffers"), platform.features());
    this.errors = new ErrorReader(this, functions.getMember("errorReader"));
    platform.features().check(this);
    VirtualRealm.installIfVirtual(this);
  }

  /**
   * Returns the binding of a realm.
   *
   * @throws IllegalStateException if none was installed there
   */
  public static RealmBinding of(Realm realm) {
    return realm.supplements().require(RealmBinding.class);
  }

  public Realm realm() {
    return realm;
  }

  public Platform platform() {
    return platform;
  }

  public ScriptValues values() {
    return values;
  }

  public PlatformObjects objects() {
    return objects;
  }

  public GlobalObject global() {
    return global;
  }

  public Promises promises() {
    return promises;
  }

  public Callbacks callbacks() {
    return callbacks;
  }

  public ClassicScripts scripts() {
    return scripts;
  }

  public CallPositions callPositions() {
    return callPositions;
  }

  public BufferSources bufferSources() {
    return bufferSources;
  }

  public ErrorReader errors() {
    return errors;
  }
}
