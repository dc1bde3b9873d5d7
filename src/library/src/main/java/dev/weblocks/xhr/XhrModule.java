package dev.weblocks.xhr;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module that defines the XMLHttpRequest Standard's interfaces, except {@code FormData}. */
public final class XhrModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    ProgressEvent.define(implementations);
    XMLHttpRequestEventTarget.define(implementations);
    XMLHttpRequestUpload.define(implementations);
    XMLHttpRequest.define(implementations);
  }
}
