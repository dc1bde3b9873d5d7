package dev.weblocks.url;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module that defines {@code URL} and {@code URLSearchParams}. */
public final class UrlModule implements PlatformModule {

  /**
   * Loads the classes that convert domain names, and reads their table. Call this method on a
   * shallow stack: a class whose initialization overflows the stack stays unusable in this JVM.
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
