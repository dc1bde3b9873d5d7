package dev.weblocks.xhr;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module that defines {@code FileReader} and {@code FileReaderSync}. */
public final class FileReaderModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    FileReader.define(implementations);
    FileReaderSync.define(implementations);
  }
}
