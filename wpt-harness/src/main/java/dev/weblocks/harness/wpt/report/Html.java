package dev.weblocks.harness.wpt.report;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.explore.trace.PageText;

/**
 * A builder for the text of a page. All text from reports goes through {@link #text}. As a second
 * guard, the page's Content Security Policy allows only the page's own script.
 */
final class Html {

  private static final String STYLE = "/dev/weblocks/harness/wpt/report.css";
  private static final String SCRIPT = "/dev/weblocks/harness/wpt/report.js";

  private final StringBuilder page = new StringBuilder();
  private final String script = PageText.resource(Html.class, SCRIPT);

  /** Appends trusted markup. */
  Html raw(String markup) {
    page.append(markup);
    return this;
  }

  /** Appends untrusted text, as content or as the value of a quoted attribute. */
  Html text(String text) {
    String visible = HarmlessText.lines(text);
    for (int i = 0; i < visible.length(); i++) {
      char c = visible.charAt(i);
      switch (c) {
        case '&' -> page.append("&amp;");
        case '<' -> page.append("&lt;");
        case '>' -> page.append("&gt;");
        case '"' -> page.append("&quot;");
        case '\'' -> page.append("&#39;");
        default -> page.append(c);
      }
    }
    return this;
  }

  Html element(String name, String text) {
    return raw("<" + name + ">").text(text).raw("</" + name + ">\n");
  }

  Html head(String scope, String text) {
    return raw("<th scope=\"" + scope + "\">").text(text).raw("</th>");
  }

  /**
   * Appends a cell of a table.
   *
   * @param kind a trusted class name; may be empty
   */
  Html cell(String kind, String text) {
    return raw(kind.isEmpty() ? "<td>" : "<td class=\"" + kind + "\">").text(text).raw("</td>");
  }

  void begin(String title) {
    raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
        .raw(" style-src 'unsafe-inline'; script-src 'sha256-" + PageText.hash(script) + "'\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">\n")
        .element("title", HarmlessText.line(title))
        .raw("<style>\n" + PageText.resource(Html.class, STYLE) + "</style>\n</head>\n<body>\n");
  }

  void end() {
    raw("<script>" + script + "</script>\n</body>\n</html>\n");
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
