package dev.weblocks.agent;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that has the engine in one class loader, and its language and this library in a child
 * of that one. Prints what {@link EngineVersions} reports, without and with the child as the
 * context class loader.
 */
final class SplitEngine {

  private SplitEngine() {}

  /**
   * @param arguments the class path to split; this program runs without it
   */
  public static void main(String[] arguments) throws Exception {
    List<URL> engine = new ArrayList<>();
    List<URL> application = new ArrayList<>();
    for (String entry : arguments[0].split(File.pathSeparator)) {
      File file = new File(entry);
      boolean ofApplication = file.isDirectory() || file.getName().startsWith("js-language-");
      (ofApplication ? application : engine).add(file.toURI().toURL());
    }
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader shared = new URLClassLoader(engine.toArray(URL[]::new), platform);
        URLClassLoader child = new URLClassLoader(application.toArray(URL[]::new), shared)) {
      Method require = child.loadClass("dev.weblocks.agent.EngineVersions").getMethod("require");
      try {
        require.invoke(null);
      } catch (InvocationTargetException thrown) {
        System.out.println(thrown.getCause().getMessage());
      }
      Thread.currentThread().setContextClassLoader(child);
      require.invoke(null);
      System.out.println("found");
    }
  }
}
