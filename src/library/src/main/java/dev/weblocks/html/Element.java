package dev.weblocks.html;

import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.OfInterface;
import dev.weblocks.binding.ScriptException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Attribute;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Element} interface; this class itself is for elements outside the HTML namespace.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-element">DOM</a>
 */
class Element extends Node implements OfInterface {

  /** The token lists by content attribute; null until script reads one. */
  private @Nullable Map<String, DomTokenList> tokenLists;

  Element(Document document, org.jsoup.nodes.Element tree) {
    super(document.realm(), document, tree);
  }

  @Override
  final org.jsoup.nodes.Element tree() {
    return (org.jsoup.nodes.Element) super.tree();
  }

  /**
   * Runs after an attribute was set, changed or removed by script.
   *
   * @param oldValue null if there was none
   * @param newValue null if it was removed
   * @see <a href="https://dom.spec.whatwg.org/#concept-element-attributes-change-ext">attribute
   *     change steps</a>
   */
  protected void attributeChanged(
      String localName, @Nullable String oldValue, @Nullable String newValue) {}

  void handlerAttributeChanged(String name, @Nullable String value) {}

  @Override
  public final String interfaceName() {
    return ElementKinds.interfaceName(tree());
  }

  @Override
  final int nodeType() {
    return ELEMENT_NODE;
  }

  @Override
  final String nodeName() {
    return isHtml() ? AsciiCase.upper(tree().tagName()) : tree().tagName();
  }

  final boolean isHtml() {
    return ElementKinds.isHtml(tree());
  }

  /** Returns the name without prefix. */
  final String localName() {
    String name = tree().tagName();
    return isHtml() ? name : name.substring(name.indexOf(':') + 1);
  }

  @Override
  final @Nullable String textContent() {
    return descendantText(tree());
  }

  @Override
  final void setTextContent(String text) {
    Mutation.stringReplaceAll(this, text);
  }

  @Override
  final Node cloneSingle(Document document) {
    org.jsoup.nodes.Element copy = new org.jsoup.nodes.Element(tree().tag(), "");
    for (Attribute attribute : tree().attributes()) {
      copy.attributes().put(attribute.getKey(), attribute.getValue());
    }
    Element made = document.makeElement(copy);
    copySpecialsTo(made);
    return made;
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#concept-node-clone-ext">cloning steps</a>
   *
   * @param copy an element of the same class
   */
  protected void copySpecialsTo(Element copy) {}

  @Override
  final boolean hasSameData(Node other) {
    Element element = (Element) other;
    return element.tree().tagName().equals(tree().tagName())
        && element.tree().tag().namespace().equals(tree().tag().namespace())
        && element.tree().attributesSize() == tree().attributesSize()
        && attributeNames().stream()
            .allMatch(name -> attributeOrEmpty(name).equals(element.attribute(name)));
  }

  /** Returns an attribute name as stored in the tree: in lower case for HTML elements. */
  private String qualified(String name) {
    return isHtml() ? AsciiCase.lower(name) : name;
  }

  /** Returns the value of an attribute by its name in the tree; null if the attribute is absent. */
  final @Nullable String attribute(String name) {
    return tree().attributes().hasKey(name) ? tree().attributes().get(name) : null;
  }

  final String attributeOrEmpty(String name) {
    return tree().attributes().get(name);
  }

  final List<String> attributeNames() {
    return tree().attributes().asList().stream().map(Attribute::getKey).toList();
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-element-attributes-set-value">set value</a> */
  final void setAttribute(String name, String value) {
    String old = attribute(name);
    tree().attributes().put(name, value);
    changed(name, old, value);
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#concept-element-attributes-remove-by-name">remove an
   * attribute by name</a>
   */
  final void removeAttribute(String name) {
    String old = attribute(name);
    if (old != null) {
      tree().attributes().remove(name);
      changed(name, old, null);
    }
  }

  private void changed(String name, @Nullable String old, @Nullable String value) {
    document().treeChanged();
    handlerAttributeChanged(name, value);
    attributeChanged(name, old, value);
  }

  private void setAttribute(Arguments args) {
    String name = validated("setAttribute", args.string(0));
    setAttribute(qualified(name), args.string(1));
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-element-toggleattribute">toggleAttribute()</a> */
  private boolean toggleAttribute(Arguments args) {
    // 1. and 2.
    String name = qualified(validated("toggleAttribute", args.string(0)));
    boolean isThere = attribute(name) != null;
    boolean wanted = args.isPresent(1) ? args.bool(1) : !isThere;
    // 4. to 6.
    if (wanted && !isThere) {
      setAttribute(name, "");
    } else if (!wanted) {
      removeAttribute(name);
    }
    return wanted;
  }

  /** <a href="https://dom.spec.whatwg.org/#valid-attribute-local-name">valid local name</a> */
  private static String validated(String operation, String name) {
    boolean valid =
        !name.isEmpty() && name.chars().noneMatch(c -> "\t\n\f\r \0/=>".indexOf(c) >= 0);
    if (!valid) {
      throw ScriptException.dom(
          "InvalidCharacterError",
          "Failed to execute '%s' on 'Element': '%s' is not a valid attribute name."
              .formatted(operation, name));
    }
    return name;
  }

  /** Returns the tokens of a content attribute; the same object at each call. */
  final DomTokenList tokenList(String content) {
    if (tokenLists == null) {
      tokenLists = new HashMap<>();
    }
    return tokenLists.computeIfAbsent(content, name -> new DomTokenList(this, name));
  }

  private boolean matches(String selectors, String operation) {
    return Selectors.parse(selectors, operation, "Element").matches(this);
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-element-closest">closest()</a> */
  private @Nullable Element closest(String selectors) {
    Selectors parsed = Selectors.parse(selectors, "closest", "Element");
    for (Element at = this; at != null; at = at.parentElement()) {
      if (parsed.matches(at)) {
        return at;
      }
    }
    return null;
  }

  private boolean isBody() {
    return document().body() == this;
  }

  @Override
  protected final boolean hasPassiveScrollListeners() {
    return isBody() || tree().parent() == document().tree();
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#dom-element-innerhtml">innerHTML</a>
   */
  private void setInnerHtml(String markup) {
    Mutation.replaceAll(this, Markup.parse(this, markup));
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#dom-element-outerhtml">outerHTML</a>
   */
  private void setOuterHtml(String markup) {
    // 2. to 4.
    Node parent = parent();
    if (parent == null) {
      return;
    }
    if (parent instanceof Document) {
      throw ScriptException.dom(
          "NoModificationAllowedError",
          "Failed to set the 'outerHTML' property on 'Element': This element's parent is of type '#document', which is not an element node.");
    }
    // 5. to 7.
    Mutation.replace(parent, Markup.parse(contextOf(parent), markup), this);
  }

  /** Returns the context element for parsing: the parent if it is an element, else a new body. */
  private Element contextOf(Node parent) {
    return parent instanceof Element element ? element : document().createElementNode("body");
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#dom-element-insertadjacenthtml">insertAdjacentHTML()</a>
   */
  private void insertAdjacentHtml(String where, String markup) {
    String position = AsciiCase.lower(where);
    boolean beside = position.equals("beforebegin") || position.equals("afterend");
    Node parent = parent();
    // 3.
    if (beside && !(parent instanceof Element) && !(parent instanceof DocumentFragment)) {
      throw ScriptException.dom(
          "NoModificationAllowedError",
          "Failed to execute 'insertAdjacentHTML' on 'Element': The element has no parent.");
    }
    Element context = beside && parent != null ? contextOf(parent) : this;
    if (context.localName().equals("html") && context.isHtml()) {
      context = document().createElementNode("body");
    }
    ensurePosition(position, where, "insertAdjacentHTML");
    // 5. and 6.
    insertAdjacent(position, Markup.parse(context, markup), "insertAdjacentHTML");
  }

  private static void ensurePosition(String position, String given, String operation) {
    if (!List.of("beforebegin", "afterbegin", "beforeend", "afterend").contains(position)) {
      throw ScriptException.dom(
          "SyntaxError",
          "Failed to execute '%s' on 'Element': The value provided ('%s') is not one of 'beforeBegin', 'afterBegin', 'beforeEnd', or 'afterEnd'."
              .formatted(operation, given));
    }
  }

  /** <a href="https://dom.spec.whatwg.org/#insert-adjacent">insert adjacent</a> */
  private @Nullable Node insertAdjacent(String position, Node node, String operation) {
    Node parent = parent();
    return switch (position) {
      case "beforebegin" ->
          parent == null ? null : Mutation.preInsert(parent, node, this, operation);
      case "afterbegin" -> Mutation.preInsert(this, node, firstChild(), operation);
      case "beforeend" -> Mutation.preInsert(this, node, null, operation);
      default -> parent == null ? null : Mutation.preInsert(parent, node, nextSibling(), operation);
    };
  }

  private @Nullable Node insertWhere(String where, Node node, String operation) {
    String position = AsciiCase.lower(where);
    ensurePosition(position, where, operation);
    return insertAdjacent(position, node, operation);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("Element", Element.class)
        .getter("namespaceURI", element -> element.tree().tag().namespace())
        .getter("localName", Element::localName)
        .getter("tagName", Element::nodeName)
        .operation("hasAttributes", (element, args) -> element.tree().attributesSize() > 0)
        .operation("getAttributeNames", (element, args) -> element.attributeNames())
        .operation(
            "getAttribute", (element, args) -> element.attribute(element.qualified(args.string(0))))
        .action("setAttribute", Element::setAttribute)
        .action(
            "removeAttribute",
            (element, args) -> element.removeAttribute(element.qualified(args.string(0))))
        .operation("toggleAttribute", Element::toggleAttribute)
        .operation(
            "hasAttribute",
            (element, args) -> element.attribute(element.qualified(args.string(0))) != null)
        .operation("closest", (element, args) -> element.closest(args.string(0)))
        .operation("matches", (element, args) -> element.matches(args.string(0), "matches"))
        .operation(
            "webkitMatchesSelector",
            (element, args) -> element.matches(args.string(0), "webkitMatchesSelector"))
        .operation(
            "getElementsByTagName",
            (element, args) -> HtmlCollection.byTagName(element, args.string(0)))
        .operation(
            "getElementsByClassName",
            (element, args) -> HtmlCollection.byClassName(element, args.string(0)))
        .operation(
            "insertAdjacentElement",
            (element, args) ->
                element.insertWhere(
                    args.string(0), args.object(1, Element.class), "insertAdjacentElement"))
        .action(
            "insertAdjacentText",
            (element, args) ->
                element.insertWhere(
                    args.string(0),
                    CharacterData.Text.of(element.document(), args.string(1)),
                    "insertAdjacentText"))
        .getter("innerHTML", element -> Markup.serializeChildren(element.tree()))
        .setter("innerHTML", (element, args) -> element.setInnerHtml(args.string(0)))
        .getter("outerHTML", element -> Markup.serialize(element.tree()))
        .setter("outerHTML", (element, args) -> element.setOuterHtml(args.string(0)))
        .action(
            "insertAdjacentHTML",
            (element, args) -> element.insertAdjacentHtml(args.string(0), args.string(1)));
  }
}
