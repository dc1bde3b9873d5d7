package dev.weblocks.agent;

import com.oracle.truffle.api.object.DynamicObject;
import com.oracle.truffle.api.source.Source;
import com.oracle.truffle.api.strings.TruffleString;
import com.oracle.truffle.js.runtime.ImportMetaInitializer;
import com.oracle.truffle.js.runtime.JSContext;
import com.oracle.truffle.js.runtime.JSRealm;
import com.oracle.truffle.js.runtime.Properties;
import com.oracle.truffle.js.runtime.Strings;
import com.oracle.truffle.js.runtime.objects.JSAttributes;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSModuleRecord;
import java.lang.reflect.Method;

/**
 * The initializer of {@code import.meta} for modules whose URI {@link ModuleUris} has changed. Uses
 * internal classes of the engine; each method throws a LinkageError if the module path hides them.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#hostgetimportmetaproperties">HTML</a>
 */
final class ImportMetaUrl implements ImportMetaInitializer {

  private static final ImportMetaUrl INITIALIZER = new ImportMetaUrl();

  private ImportMetaUrl() {}

  /**
   * Checks that the classes and methods that this class uses are there and accessible.
   *
   * @throws LinkageError if a class is not
   * @throws NoSuchMethodException if the engine has changed a method
   */
  static void requireUsable() throws NoSuchMethodException {
    Class<?>[] types = {Source.class, TruffleString.class, JSAttributes.class, Strings.class};
    Method[] used = {
      JSRealm.class.getMethod("getContext"),
      JSContext.class.getMethod("setImportMetaInitializer", ImportMetaInitializer.class),
      JSModuleRecord.class.getMethod("getSource"),
      Properties.class.getMethod(
          "putWithFlagsUncached", DynamicObject.class, Object.class, Object.class, int.class)
    };
    if (types.length == 0 || used.length == 0) {
      throw new NoSuchMethodException();
    }
  }

  /** Installs the initializer for the engine of the current context. Called by script. */
  static void install() {
    JSRealm.get(null).getContext().setImportMetaInitializer(INITIALIZER);
  }

  @Override
  public void initializeImportMeta(JSDynamicObject importMeta, JSModuleRecord module) {
    Properties.putWithFlagsUncached(
        importMeta,
        Strings.fromJavaString("url"),
        Strings.fromJavaString(ModuleUris.asWritten(module.getSource().getURI())),
        JSAttributes.configurableEnumerableWritable());
  }
}
