package dev.weblocks.html;

import dev.weblocks.binding.ScriptException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.select.Evaluator;
import org.jsoup.select.QueryParser;
import org.jspecify.annotations.Nullable;

/**
 * Selectors as jsoup implements them, without its extensions to the standard. As in jsoup, classes
 * and attribute values are compared case-insensitively, except by {@code ~=} and {@code |=}.
 *
 * @see <a href="https://www.w3.org/TR/selectors-4/">Selectors</a>
 */
final class Selectors {

  /** The standard pseudo-classes that jsoup implements. */
  private static final Set<String> PSEUDO_CLASSES =
      Set.of(
          """
          empty first-child first-of-type has is last-child last-of-type not nth-child
          nth-last-child nth-last-of-type nth-of-type only-child only-of-type root
          """
              .split("\\s+"));

  /**
   * The pattern of a string, an escape, an attribute selector, a bracket of none, or a
   * pseudo-class. Possessive quantifiers keep the time linear and the stack small.
   */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\]++|\\\\.)*+\"|'(?:[^'\\\\]++|\\\\.)*+'|\\\\."
              + "|(\\[[^\\]\"']*+(?:(?:\"[^\"]*+\"|'[^']*+')[^\\]]*+)?+\\])|\\[|(:+)([\\w-]*)",
          Pattern.DOTALL);

  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "\\[\\s*(NAME)\\s*(?:([~|^$*]?=)\\s*(\"[^\"]*\"|'[^']*'|NAME)\\s*)?\\]"
              .replace("NAME", "(?:[\\w\\x{80}-\\x{10ffff}-]|\\\\.)++"),
          Pattern.DOTALL);

  /** A limit of the parts of one selector of a list, so that none overflows the stack. */
  private static final int MAX_PARTS = 1_000;

  /** A limit of the pseudo-classes in one another, for the same reason. */
  private static final int MAX_DEPTH = 64;

  /** A limit of the parts of a list, for which jsoup needs quadratic time. */
  private static final int MAX_PARTS_OF_LIST = 5_000;

  /** The parts: names, combinators, brackets and other signs. */
  private static final Pattern PART = Pattern.compile("[\\w-]++|[^\\w\\s-]");

  private final Evaluator evaluator;

  private Selectors(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  /**
   * Parses selectors.
   *
   * @throws ScriptException a SyntaxError; also if there are too many parts
   */
  static Selectors parse(String text, String operation, String interfaceName) {
    try {
      return new Selectors(QueryParser.parse(translated(text)));
    } catch (IllegalArgumentException | IllegalStateException invalid) {
      throw ScriptException.dom(
          "SyntaxError",
          "Failed to execute '%s' on '%s': '%s' is not a valid selector."
              .formatted(operation, interfaceName, text));
    }
  }

  /** Translates the selectors for which jsoup has another syntax. */
  private static String translated(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("empty");
    }
    Matcher token = TOKEN.matcher(text);
    StringBuilder out = new StringBuilder();
    Parts parts = new Parts();
    int end = 0;
    while (token.find()) {
      parts.count(text.substring(end, token.start()));
      parts.countOne();
      end = token.end();
      String attribute = token.group(1);
      String replacement = token.group();
      if (attribute != null) {
        replacement = attributeSelector(attribute);
      } else if (replacement.equals("[")
          || token.group(2) != null
              && (!token.group(2).equals(":")
                  || !PSEUDO_CLASSES.contains(AsciiCase.lower(token.group(3))))) {
        throw new IllegalArgumentException(replacement);
      }
      token.appendReplacement(out, Matcher.quoteReplacement(replacement));
    }
    parts.count(text.substring(end));
    return token.appendTail(out).toString();
  }

  /** The number of parts read so far. */
  private static final class Parts {
    private int all;
    private int ofSelector;
    private int depth;

    void count(String text) {
      Matcher part = PART.matcher(text);
      while (part.find()) {
        countOne();
        switch (text.charAt(part.start())) {
          case '(' -> depth++;
          case ')' -> depth--;
          case ',' -> ofSelector = depth == 0 ? 0 : ofSelector;
          default -> {}
        }
      }
    }

    void countOne() {
      all++;
      ofSelector++;
      if (ofSelector > MAX_PARTS || all > MAX_PARTS_OF_LIST || depth > MAX_DEPTH) {
        throw new IllegalArgumentException("too many parts");
      }
    }
  }

  /** Translates an attribute selector; ~= and |= become regular expressions of jsoup. */
  private static String attributeSelector(String attribute) {
    Matcher parts = ATTRIBUTE.matcher(attribute);
    if (!parts.matches()) {
      throw new IllegalArgumentException(attribute);
    }
    String name = parts.group(1);
    String operator = parts.group(2);
    if (operator == null) {
      return "[" + name + "]";
    }
    String value = parts.group(3);
    if (value.startsWith("\"") || value.startsWith("'")) {
      value = value.substring(1, value.length() - 1);
    }
    return switch (operator) {
      case "~=" -> "[" + name + "~=(?:^|\\s)" + literal(value) + "(?:\\s|$)]";
      case "|=" -> "[" + name + "~=^" + literal(value) + "(?:-|$)]";
      default -> attribute;
    };
  }

  /**
   * Returns a regular expression for a text. It contains no bracket, which jsoup would take for a
   * bracket of the selector.
   */
  private static String literal(String text) {
    StringBuilder out = new StringBuilder();
    for (char c : text.toCharArray()) {
      if (Character.isLetterOrDigit(c) || c == '_' || c == '-') {
        out.append(c);
      } else {
        out.append("\\u%04x".formatted((int) c));
      }
    }
    return out.toString();
  }

  boolean matches(Element element) {
    return evaluator.matches(root(element), element.tree());
  }

  private static org.jsoup.nodes.Element root(Node node) {
    return (org.jsoup.nodes.Element) Node.rootOf(node.tree());
  }

  List<org.jsoup.nodes.Element> all(Node scope) {
    org.jsoup.nodes.Element root = root(scope);
    return scope
        .tree()
        .nodeStream(org.jsoup.nodes.Element.class)
        .filter(each -> each != scope.tree() && evaluator.matches(root, each))
        .toList();
  }

  org.jsoup.nodes.@Nullable Element first(Node scope) {
    org.jsoup.nodes.Element root = root(scope);
    return scope
        .tree()
        .nodeStream(org.jsoup.nodes.Element.class)
        .filter(each -> each != scope.tree() && evaluator.matches(root, each))
        .findFirst()
        .orElse(null);
  }
}
