package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import dev.weblocks.dom.EventTarget;
import org.jspecify.annotations.Nullable;

/**
 * The {@code HTMLElement} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/dom.html#htmlelement">HTML</a>
 */
class HtmlElement extends Element {

  private @Nullable CssStyleDeclaration style;

  private boolean clickInProgress;

  HtmlElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
    for (String name : attributeNames()) {
      handlerAttributeChanged(name, attribute(name));
    }
  }

  /**
   * Runs the attribute change steps of <a
   * href="https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-content-attributes">event
   * handler content attributes</a>
   */
  @Override
  final void handlerAttributeChanged(String name, @Nullable String value) {
    // 1.
    if (!name.startsWith("on") || !hasAttribute(interfaceName(), name)) {
      return;
    }
    // 2. and 3.
    EventTarget target = determineTargetOfEventHandler(name);
    if (target == null) {
      return;
    }
    if (value == null) {
      target.handlers().set(name, null); // 4.
    } else {
      // 5.
      target.handlers().setUncompiled(name, () -> HandlerCompiler.compile(target, name, value));
    }
  }

  /** <a href="https://html.spec.whatwg.org/multipage/interaction.html#dom-click">click()</a> */
  private void click() {
    // 2.
    if (clickInProgress) {
      return;
    }
    // 3. to 5.:
    // https://html.spec.whatwg.org/multipage/webappapis.html#fire-a-synthetic-pointer-event,
    // with a MouseEvent, as there is no PointerEvent
    clickInProgress = true;
    try {
      fireUntrusted(
          new Event(realm(), "MouseEvent", "click", true, true)
              .with("composed", true)
              .with("view", document().defaultView()));
    } finally {
      clickInProgress = false;
    }
  }

  final CssStyleDeclaration style() {
    CssStyleDeclaration made = style;
    if (made == null) {
      made = new CssStyleDeclaration(this);
      style = made;
    }
    return made;
  }

  static void define(Implementations implementations) {
    ElementKinds.define(implementations);
    implementations
        .partial("HTMLElement", HtmlElement.class)
        .action("click", (element, args) -> element.click());
    implementations
        .partial("HTMLTitleElement", HtmlElement.class)
        .getter("text", title -> Node.childText(title.tree()))
        .setter("text", (title, args) -> title.setTextContent(args.string(0)));
  }
}
