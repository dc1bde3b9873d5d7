package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.dom.Event;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import org.jspecify.annotations.Nullable;

/**
 * The {@code HTMLIFrameElement} interface: a frame that has its own navigable while it is
 * connected.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-iframe-element">HTML</a>
 */
final class HtmlIFrameElement extends HtmlElement implements Navigable.FrameOwner {

  private static final UrlRecord SRCDOC = UrlParser.parseAbsolute("about:srcdoc");

  private @Nullable Navigable content;
  private volatile Sandboxing sandboxing = Sandboxing.NONE;

  private boolean delaysLoad;

  HtmlIFrameElement(Document document, org.jsoup.nodes.Element tree) {
    super(document, tree);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-iframe-element:html-element-post-connection-steps">post-connection
   * steps</a>
   */
  @Override
  protected void inserted() {
    Window window = document().window();
    if (content != null
        || !window.isFullyActive()
        || window.document() != document()
        || !FrameLimit.haveRoom(window)) {
      return;
    }
    parseSandbox(); // before 1., because the initial document needs the flags
    // 1.
    Navigable child = new Navigable(window, this, attributeOrEmpty("name"));
    content = child;
    window.addChild(child);
    SessionHistory history = child.traversable().history();
    SessionHistory.Entry restored = history.entryToRestore(child.entries());
    InitialDocument.create(child, window);
    window.childrenChanged();
    // 2., unless the document is loaded again for history traversal
    if (restored == null) {
      processAttributes(true);
    } else {
      delayLoad();
      Navigation.to(child, restored, history.currentStep(), window.realm().settings()).start();
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-iframe-element:html-element-removing-steps">removing
   * steps</a>
   */
  @Override
  protected void removed() {
    Navigable child = content;
    if (child != null) {
      content = null;
      loadIsOver();
      child.destroyChild();
      child.traversable().history().removeFrame(child.entries());
    }
  }

  @Override
  protected void attributeChanged(
      String name, @Nullable String oldValue, @Nullable String newValue) {
    super.attributeChanged(name, oldValue, newValue);
    Navigable child = content;
    if (child == null) {
      return;
    }
    switch (name) {
      case "srcdoc" -> processAttributes(false);
      case "src" -> {
        if (newValue != null && attribute("srcdoc") == null) {
          processAttributes(false);
        }
      }
      case "sandbox" -> parseSandbox();
      case "name" -> child.setTargetName(newValue == null ? "" : newValue);
      default -> {}
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/iframe-embed-object.html#process-the-iframe-attributes">process
   * the iframe attributes</a>
   */
  private void processAttributes(boolean initialInsertion) {
    Navigable child = content;
    if (child == null) {
      return;
    }
    Window window = document().window();
    Window shown = child.activeWindow();
    boolean replace = initialInsertion || shown == null || !shown.isCompletelyLoaded();
    // 1.
    String srcdoc = attribute("srcdoc");
    if (srcdoc != null) {
      delayLoad();
      Navigation.of(child, SRCDOC, window.navigation().asInitiator(), srcdoc, replace).start();
      return;
    }
    // 2.
    UrlRecord url = sharedAttributeProcessing();
    if (url == null) {
      if (initialInsertion) {
        loadIsOver();
      }
      return;
    }
    // 2.3.
    if (initialInsertion && url.href().equals("about:blank") && shown != null) {
      loaded();
      return;
    }
    delayLoad();
    if (url.scheme().equals("javascript")) {
      window
          .navigation()
          .navigateToJavascript(child, url, initialInsertion ? this::loaded : this::loadIsOver);
    } else {
      window.navigation().navigate(child, url, replace);
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/iframe-embed-object.html#shared-attribute-processing-steps-for-iframe-and-frame-elements">shared
   * attribute processing steps</a>
   *
   * @return the URL to load; null if an ancestor already shows the document of that URL
   */
  private @Nullable UrlRecord sharedAttributeProcessing() {
    // 1. and 2.
    String src = attributeOrEmpty("src");
    UrlRecord parsed = src.isEmpty() ? null : document().encodingParse(src);
    UrlRecord url = parsed == null ? InitialDocument.BLANK : parsed;
    // 3.
    for (Window above = document().window(); above != null; ) {
      if (!url.scheme().equals("about")
          && above.realm().agent() == realm().agent()
          && above.document().isSameDocument(url)) {
        return null;
      }
      above = above.navigable().parentWindow();
    }
    return url;
  }

  private void delayLoad() {
    if (!delaysLoad) {
      delaysLoad = true;
      document().loading().delayLoadEvent();
    }
  }

  private void loadIsOver() {
    if (delaysLoad) {
      delaysLoad = false;
      document().loading().loadEventMayCome();
    }
  }

  /** Runs the iframe load event steps. Called on the event loop of this element. */
  @Override
  public void loaded() {
    if (content != null) {
      fire(new Event(realm(), "load", false, false));
    }
    loadIsOver();
  }

  private void parseSandbox() {
    sandboxing = Sandboxing.parse(attribute("sandbox"));
  }

  @Override
  public Sandboxing sandboxing() {
    return sandboxing;
  }

  private @Nullable PlatformObject contentWindow() {
    return WindowProxy.orNull(document().window().realm(), content);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsers.html#concept-bcc-content-document">content
   * document</a>
   */
  private @Nullable Document contentDocument() {
    Navigable child = content;
    Window window = child == null ? null : child.activeWindow();
    return window == null || window.realm().agent() != realm().agent() ? null : window.document();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("HTMLIFrameElement", HtmlIFrameElement.class)
        .getter("contentDocument", HtmlIFrameElement::contentDocument)
        .getter("contentWindow", HtmlIFrameElement::contentWindow);
  }
}
