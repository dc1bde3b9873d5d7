package dev.weblocks.html;

import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code DOMTokenList} interface: the set of tokens in an attribute of an element. The
 * attribute is read on each access.
 *
 * @see <a href="https://dom.spec.whatwg.org/#interface-domtokenlist">DOM</a>
 */
final class DomTokenList extends PlatformObject {

  private final Element element;
  private final String attribute;
  private final @Nullable Set<String> supported;

  DomTokenList(Element element, String attribute) {
    super(element.realm());
    this.element = element;
    this.attribute = attribute;
    this.supported = supportedTokens(attribute);
  }

  /**
   * <a href="https://dom.spec.whatwg.org/#concept-supported-tokens">supported tokens</a>
   *
   * @return the implemented ones; null if the attribute defines none
   */
  private static @Nullable Set<String> supportedTokens(String attribute) {
    return switch (attribute) {
      case "class" -> null;
      case "sandbox" -> Sandboxing.TOKENS;
      default -> Set.of();
    };
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-ordered-set-parser">ordered set parser</a> */
  static Set<String> parse(String text) {
    Set<String> tokens = new LinkedHashSet<>();
    for (String token : text.split("[\\t\\n\\f\\r ]+")) {
      if (!token.isEmpty()) {
        tokens.add(token);
      }
    }
    return tokens;
  }

  private Set<String> tokens() {
    return parse(element.attributeOrEmpty(attribute));
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-dtl-update">update steps</a> */
  private void update(Set<String> tokens) {
    // 1.
    if (element.attribute(attribute) == null && tokens.isEmpty()) {
      return;
    }
    // 2.
    element.setAttribute(attribute, String.join(" ", tokens));
  }

  private @Nullable String item(double index) {
    List<String> tokens = new ArrayList<>(tokens());
    return index < tokens.size() ? tokens.get((int) index) : null;
  }

  private static void validate(String operation, String token) {
    String prefix = "Failed to execute '" + operation + "' on 'DOMTokenList': ";
    if (token.isEmpty()) {
      throw ScriptException.dom("SyntaxError", prefix + "The token provided must not be empty.");
    }
    if (token.chars().anyMatch(c -> "\t\n\f\r ".indexOf(c) >= 0)) {
      throw ScriptException.dom(
          "InvalidCharacterError",
          prefix
              + "The token provided ('"
              + token
              + "') contains HTML space characters, which are not valid in tokens.");
    }
  }

  private static List<String> given(String operation, Arguments args) {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < args.variadicCount(0); i++) {
      tokens.add(args.variadic(0, i).asString());
    }
    // an empty token is reported before one with a space
    tokens.stream().filter(String::isEmpty).forEach(token -> validate(operation, token));
    tokens.forEach(token -> validate(operation, token));
    return tokens;
  }

  private void add(Arguments args) {
    List<String> given = given("add", args);
    Set<String> tokens = tokens();
    tokens.addAll(given);
    update(tokens);
  }

  private void remove(Arguments args) {
    List<String> given = given("remove", args);
    Set<String> tokens = tokens();
    given.forEach(tokens::remove);
    update(tokens);
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-domtokenlist-toggle">toggle()</a> */
  private boolean toggle(Arguments args) {
    String token = args.string(0);
    // 1. and 2.
    validate("toggle", token);
    Set<String> tokens = tokens();
    // 3.
    if (tokens.contains(token)) {
      if (!args.isPresent(1) || !args.bool(1)) {
        tokens.remove(token);
        update(tokens);
        return false;
      }
      return true;
    }
    // 4.
    if (!args.isPresent(1) || args.bool(1)) {
      tokens.add(token);
      update(tokens);
      return true;
    }
    return false;
  }

  /** <a href="https://dom.spec.whatwg.org/#dom-domtokenlist-replace">replace()</a> */
  private boolean replace(String token, String newToken) {
    // 1. and 2.
    if (token.isEmpty() || newToken.isEmpty()) {
      validate("replace", "");
    }
    validate("replace", token);
    validate("replace", newToken);
    // 3.
    Set<String> tokens = tokens();
    if (!tokens.contains(token)) {
      return false;
    }
    // 4.: https://infra.spec.whatwg.org/#set-replace
    Set<String> replaced = new LinkedHashSet<>();
    for (String each : tokens) {
      replaced.add(each.equals(token) ? newToken : each);
    }
    // 5. and 6.
    update(replaced);
    return true;
  }

  /** <a href="https://dom.spec.whatwg.org/#concept-domtokenlist-validation">validation steps</a> */
  private boolean supports(String token) {
    if (supported == null) { // 1
      throw ScriptException.typeError(
          "Failed to execute 'supports' on 'DOMTokenList': DOMTokenList has no supported tokens.");
    }
    return supported.contains(AsciiCase.lower(token)); // 2 to 4
  }

  static void define(Implementations implementations) {
    implementations
        .implement("DOMTokenList", DomTokenList.class)
        .getter("length", list -> list.tokens().size())
        .operation("item", (list, args) -> list.item(args.number(0)))
        .operation("contains", (list, args) -> list.tokens().contains(args.string(0)))
        .action("add", DomTokenList::add)
        .action("remove", DomTokenList::remove)
        .operation("toggle", DomTokenList::toggle)
        .operation("replace", (list, args) -> list.replace(args.string(0), args.string(1)))
        .operation("supports", (list, args) -> list.supports(args.string(0)))
        .operation("toString", (list, args) -> list.element.attributeOrEmpty(list.attribute))
        .getter("value", list -> list.element.attributeOrEmpty(list.attribute))
        .setter("value", (list, args) -> list.element.setAttribute(list.attribute, args.string(0)));
  }
}
