package dev.weblocks.fetch;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The module of the interfaces of this package. */
public final class FetchModule implements PlatformModule {

  @Override
  public void define(Implementations implementations) {
    Headers.define(implementations);
    FormData.define(implementations);
    BodyOwner.define(implementations);
    Request.define(implementations);
    Response.define(implementations);
    FetchMethod.define(implementations);
  }
}
