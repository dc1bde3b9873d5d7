package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformModule;

/** The interfaces of this package. */
public final class HtmlModule implements PlatformModule {

  @Override
  public String idlResource() {
    return "html.idl";
  }

  @Override
  public void define(Implementations implementations) {
    Window.define(implementations);
    Navigator.define(implementations);
    Location.define(implementations);
    Node.define(implementations);
    Document.define(implementations);
    HtmlCollection.define(implementations);
    CharacterData.define(implementations);
    DocumentType.define(implementations);
    Element.define(implementations);
  }
}
