package dev.weblocks.url;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The interfaces of this package. */
public final class UrlModule implements PlatformModule {

  /**
   * Loads the classes that convert domain names, in some tens of milliseconds. Call it while there
   * is room on the stack: a class whose initialization overflows the stack stays broken for the
   * whole JVM.
   */
  public static void warmUp() {
    UrlRecord url = UrlParser.parseAbsolute("https://\u00E9.example:1/?#");
    FormUrlEncoded.parse(url.href());
  }

  @Override
  public void define(Implementations implementations) {
    URL.define(implementations);
    URLSearchParams.define(implementations);
  }
}
