package dev.weblocks.file;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module of the interfaces of this package. */
public final class FileModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    Blob.define(implementations);
    File.define(implementations);
    BlobUrlStore.define(implementations);
  }
}
