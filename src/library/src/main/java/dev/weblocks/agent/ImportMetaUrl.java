package dev.weblocks.agent;

import com.oracle.truffle.js.runtime.ImportMetaInitializer;
import com.oracle.truffle.js.runtime.JSRealm;
import com.oracle.truffle.js.runtime.Properties;
import com.oracle.truffle.js.runtime.Strings;
import com.oracle.truffle.js.runtime.objects.JSAttributes;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSModuleRecord;

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

  static boolean isUsable() {
    return JSAttributes.configurableEnumerableWritable() >= 0;
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
