package dev.weblocks.html;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@code HTMLCollection} interface: a live list of elements.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-htmlcollection">DOM</a>
 */
final class HtmlCollection extends PlatformObject {

  private final Document document;
  private final Supplier<List<org.jsoup.nodes.Element>> elements;

  HtmlCollection(Realm realm, Document document, Supplier<List<org.jsoup.nodes.Element>> elements) {
    super(realm);
    this.document = document;
    this.elements = elements;
  }

  private @Nullable Node item(double index) {
    List<org.jsoup.nodes.Element> now = elements.get();
    return index < now.size() ? document.nodeOf(now.get((int) index)) : null;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLCollection", HtmlCollection.class)
        .getter("length", collection -> collection.elements.get().size())
        .operation("item", (collection, args) -> collection.item(args.number(0)));
  }
}
