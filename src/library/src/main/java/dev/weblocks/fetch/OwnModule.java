package dev.weblocks.fetch;

import dev.weblocks.agent.ModuleFile;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** An internal or inline module, whose text is not fetched. */
class OwnModule implements ModuleFile {
  static final URI NO_URI = URI.create("about:invalid");

  private final String path;
  private final URI uri;
  private final String text;

  OwnModule(String path, URI uri, String text) {
    this.path = path;
    this.uri = uri;
    this.text = text;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public boolean isJson() {
    return false;
  }

  @Override
  public String text() throws IOException {
    return text;
  }

  static String quoted(String text) {
    StringBuilder literal = new StringBuilder("'");
    text.chars().forEach(each -> literal.append("\\u%04x".formatted(each)));
    return literal.append('\'').toString();
  }

  /** Returns the text of a module that throws the realm's original {@code TypeError}. */
  static String throwing(String message) {
    return rethrowing("null.x", "TypeError", message);
  }

  /** Returns the text of a module that throws what an expression throws, with another message. */
  static String rethrowing(String expression, String name, String message) {
    return "try { %s } catch (e) { e.message = %s; e.stack = '%s: ' + e.message; throw e }"
        .formatted(expression, quoted(message), name);
  }

  /**
   * Returns a module with the default export of a JSON module.
   *
   * @param notJson the error of the JSON module, to throw with this message; null if it is JSON
   */
  static OwnModule ofJson(String path, String specifier, @Nullable Value notJson) {
    String seen = quoted(specifier);
    return new OwnModule(
        path,
        NO_URI,
        notJson == null
            ? "export {default} from " + seen + " with {type: 'json'}"
            : rethrowing(
                "await import(" + seen + ", {with: {type: 'json'}})",
                "SyntaxError",
                notJson.getMember("message").asString()));
  }

  /** Returns a URL as a {@link URI}; characters that are not allowed are percent-encoded. */
  static URI asUri(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException notAsJavaHasIt) {
      StringBuilder encoded = new StringBuilder();
      for (char each : url.toCharArray()) {
        boolean plain = each > ' ' && each < 0x7F && "\"<>\\^`{|}%[]#".indexOf(each) < 0;
        encoded.append(plain ? each : "%%%02X".formatted((int) each));
      }
      return URI.create(encoded.toString());
    }
  }
}
