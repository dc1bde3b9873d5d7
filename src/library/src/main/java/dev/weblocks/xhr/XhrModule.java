package dev.weblocks.xhr;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.dom.Event;

/** The module that defines the XMLHttpRequest Standard's interfaces, except {@code FormData}. */
public final class XhrModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    Event.implement(implementations, "ProgressEvent");
    XMLHttpRequestEventTarget.define(implementations);
    XMLHttpRequestUpload.define(implementations);
    XMLHttpRequest.define(implementations);
  }
}
