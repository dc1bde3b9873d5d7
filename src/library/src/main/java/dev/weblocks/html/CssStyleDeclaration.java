package dev.weblocks.html;

import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Implementations.Code;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code CSSStyleDeclaration} interface: the declarations in the {@code style} attribute of an
 * element. The attribute is read on each access, and values are plain text.
 *
 * @see <a href="https://drafts.csswg.org/cssom/#the-cssstyledeclaration-interface">CSSOM</a>
 */
final class CssStyleDeclaration extends PlatformObject {

  record Declaration(String value, boolean important) {}

  private static final Pattern IMPORTANT =
      Pattern.compile("!\\s*+important$", Pattern.CASE_INSENSITIVE);

  private final Element element;

  CssStyleDeclaration(Element element) {
    super(element.realm());
    this.element = element;
  }

  private Map<String, Declaration> declarations() {
    return parse(element.attributeOrEmpty("style"));
  }

  /**
   * <a href="https://drafts.csswg.org/cssom/#parse-a-css-declaration-block">parse a CSS declaration
   * block</a>; within values, the only syntax is strings, escapes, brackets and {@code !important}
   */
  static Map<String, Declaration> parse(String text) {
    Map<String, Declaration> declarations = new LinkedHashMap<>();
    for (String each : split(text)) {
      int colon = each.indexOf(':');
      if (colon <= 0) {
        continue;
      }
      String name = canonical(each.substring(0, colon).strip());
      String value = strip(each.substring(colon + 1));
      int mark = importantAt(value);
      boolean important = mark >= 0;
      value = important ? strip(value.substring(0, mark)) : value;
      if (!name.isEmpty() && !value.isEmpty()) {
        declarations.remove(name);
        declarations.put(name, new Declaration(value, important));
      }
    }
    return declarations;
  }

  /** Splits a text at the semicolons outside of strings and brackets. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    char quote = 0;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        part.append(c).append(text.charAt(++i));
        continue;
      }
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else {
        switch (c) {
          case '"', '\'' -> quote = c;
          case '(', '[', '{' -> depth++;
          case ')', ']', '}' -> depth = Math.max(0, depth - 1);
          case ';' -> {
            if (depth == 0) {
              parts.add(part.toString());
              part.setLength(0);
              continue;
            }
          }
          default -> {}
        }
      }
      part.append(c);
    }
    parts.add(part.toString());
    return parts;
  }

  /**
   * Strips white space that no backslash escapes. A backslash at the end of the text is U+FFFD, as
   * for the tokenizer of CSS.
   */
  private static String strip(String value) {
    String stripped = value.stripTrailing();
    int end = stripped.length();
    if (endsInBackslash(stripped)) {
      stripped =
          end < value.length()
              ? value.substring(0, end + 1)
              : value.substring(0, end - 1) + '\uFFFD';
    }
    return stripped.stripLeading();
  }

  /** Returns whether a text ends in a backslash that escapes what follows. */
  private static boolean endsInBackslash(String text) {
    int start = text.length();
    while (start > 0 && text.charAt(start - 1) == '\\') {
      start--;
    }
    return (text.length() - start) % 2 == 1;
  }

  /** Returns the index of {@code !important} at the end of a value; -1 if there is none. */
  private static int importantAt(String value) {
    Matcher important = IMPORTANT.matcher(value);
    return important.find() && !endsInBackslash(value.substring(0, important.start()))
        ? important.start()
        : -1;
  }

  /** Returns a property name in lower case; custom properties keep their case. */
  private static String canonical(String property) {
    return property.startsWith("--") ? property : property.toLowerCase(Locale.ROOT);
  }

  /** <a href="https://drafts.csswg.org/cssom/#serialize-a-css-declaration-block">serialize</a> */
  static String serialize(Map<String, Declaration> declarations) {
    StringBuilder text = new StringBuilder();
    declarations.forEach((name, declaration) ->
        text.append(text.isEmpty() ? "" : " ")
            .append(name)
            .append(": ")
            .append(declaration.value)
            .append(declaration.important ? " !important;" : ";"));
    return text.toString();
  }

  private void update(Map<String, Declaration> declarations) {
    element.setAttribute("style", serialize(declarations));
  }

  private String item(double index) {
    List<String> names = new ArrayList<>(declarations().keySet());
    return index < names.size() ? names.get((int) index) : "";
  }

  private String get(String property) {
    Declaration found = declarations().get(canonical(property));
    return found == null ? "" : found.value;
  }

  private String priority(String property) {
    Declaration found = declarations().get(canonical(property));
    return found != null && found.important ? "important" : "";
  }

  /**
   * <a href="https://drafts.csswg.org/cssom/#dom-cssstyledeclaration-setproperty">setProperty()</a>
   */
  private void set(String property, String value, String priority) {
    String stripped = strip(value);
    // 3.
    if (stripped.isEmpty()) {
      remove(property);
      return;
    }
    // 4.
    boolean important = priority.equalsIgnoreCase("important");
    if (!important && !priority.isEmpty()) {
      return;
    }
    // 5. more than one value is invalid
    if (split(stripped).size() > 1 || importantAt(stripped) >= 0) {
      return;
    }
    // 7. to 10.
    Map<String, Declaration> declarations = declarations();
    declarations.put(canonical(property), new Declaration(stripped, important));
    update(declarations);
  }

  private String remove(String property) {
    Map<String, Declaration> declarations = declarations();
    Declaration removed = declarations.remove(canonical(property));
    if (removed == null) {
      return "";
    }
    update(declarations);
    return removed.value;
  }

  /**
   * Derives the code of the attributes of properties, which are all that have none of their own.
   */
  private static @Nullable Code derive(IdlModel model, String owner, String key, Member member) {
    if (!owner.equals("CSSStyleDeclaration") || !(member instanceof Member.Attribute attribute)) {
      return null;
    }
    String property = idlAttributeToCssProperty(attribute.name());
    return Implementations.code(
        CssStyleDeclaration.class,
        (style, args) -> {
          if (key.startsWith("get ")) {
            return style.get(property);
          }
          style.set(property, args.string(0), "");
          return null;
        });
  }

  /**
   * <a href="https://drafts.csswg.org/cssom/#idl-attribute-to-css-property">IDL attribute to CSS
   * property</a>
   */
  private static String idlAttributeToCssProperty(String attribute) {
    return attribute.equals("cssFloat")
        ? "float"
        : attribute.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("CSSStyleDeclaration", CssStyleDeclaration.class)
        .getter("cssText", self -> serialize(self.declarations()))
        .setter("cssText", (self, args) -> self.update(parse(args.string(0))))
        .getter("length", self -> self.declarations().size())
        .operation("item", (self, args) -> self.item(args.number(0)))
        .operation("getPropertyValue", (self, args) -> self.get(args.string(0)))
        .operation("getPropertyPriority", (self, args) -> self.priority(args.string(0)))
        .action(
            "setProperty", (self, args) -> self.set(args.string(0), args.string(1), args.string(2)))
        .operation("removeProperty", (self, args) -> self.remove(args.string(0)));
    implementations.derive(CssStyleDeclaration::derive);
    implementations
        .mixin("ElementCSSInlineStyle", HtmlElement.class)
        .getter("style", HtmlElement::style);
  }
}
