package dev.weblocks.binding;

import com.oracle.truffle.api.strings.TruffleString;
import com.oracle.truffle.js.runtime.JSRealm;
import com.oracle.truffle.js.runtime.JSRuntime;
import com.oracle.truffle.js.runtime.Properties;
import com.oracle.truffle.js.runtime.Strings;
import com.oracle.truffle.js.runtime.objects.JSAttributes;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSObject;
import com.oracle.truffle.js.runtime.objects.JSProperty;
import com.oracle.truffle.js.runtime.objects.PropertyProxy;
import com.oracle.truffle.js.runtime.objects.Undefined;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * A function that defines lazy properties of the global: data properties whose values are created
 * at the first read. Script cannot distinguish them from other data properties. The engine itself
 * uses such properties, for example for the {@code stack} of errors. A window has about a hundred
 * interface objects, of which a page uses few, so this saves most of the memory and time of a
 * realm.
 *
 * <p>This class uses internal classes of the engine. If the module path hides them, {@link #on}
 * throws, and all values are created at once.
 */
final class LazyProperties implements ProxyExecutable {

  private final List<TruffleString> names;

  private LazyProperties(List<TruffleString> names) {
    this.names = names;
  }

  /**
   * Returns a function of {@code (key, from, to)}. The function defines a property for each name
   * with an index from {@code from} (inclusive) to {@code to} (exclusive). The property {@code key}
   * of the global must be a function that returns the value for an index.
   *
   * @throws LinkageError if the module path hides the engine's classes
   */
  static ProxyExecutable on(List<String> names) {
    return new LazyProperties(names.stream().map(Strings::fromJavaString).toList());
  }

  @Override
  public Object execute(Value... values) {
    JSDynamicObject global = JSRealm.get(null).getGlobalObject();
    Object make = JSObject.get(global, Strings.fromJavaString(values[0].asString()));
    for (int i = values[1].asInt(); i < values[2].asInt(); i++) {
      Properties.putWithFlagsUncached(
          global,
          names.get(i),
          new Later(make, i),
          JSAttributes.configurableNotEnumerableWritable() | JSProperty.PROXY);
    }
    return true;
  }

  /** The value of one property of one global. Used on the event loop of its agent. */
  private static final class Later extends PropertyProxy {

    private @Nullable Object make;

    private Object value;

    Later(Object make, int index) {
      this.make = make;
      this.value = index;
    }

    @Override
    public Object get(JSDynamicObject store) {
      Object maker = make;
      if (maker != null) {
        value = JSRuntime.call(maker, Undefined.instance, new Object[] {value});
        make = null;
      }
      return value;
    }

    @Override
    public boolean set(JSDynamicObject store, Object assigned) {
      value = assigned;
      make = null;
      return true;
    }
  }
}
