package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.binding.ScriptException;
import dev.weblocks.testing.FuzzTarget;
import java.util.List;
import java.util.Map;

/**
 * Selectors, style attributes and window features. Selectors throw a SyntaxError, nothing else
 * throws, and a serialized style has the same properties.
 */
class CssFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    String text = text(input);
    try {
      Selectors.parse(text, "querySelector", "Document");
    } catch (ScriptException syntaxError) {
      // documented
    }
    Map<String, CssStyleDeclaration.Declaration> style = CssStyleDeclaration.parse(text);
    String serialized = CssStyleDeclaration.serialize(style);
    assertEquals(
        List.copyOf(style.keySet()),
        List.copyOf(CssStyleDeclaration.parse(serialized).keySet()),
        serialized);
    WindowFeatures.parse(text);
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("", "[", ""),
        new Shape("[", "a", "]"),
        new Shape("[a='", "b", "']"),
        new Shape("[a~=", "b", "]"),
        new Shape("", "[a]", ""),
        new Shape("\"", "a", "\""),
        new Shape("\"", "a", ""),
        new Shape("", "\"", ""),
        new Shape("'", "\\", "'"),
        new Shape("", "\\", ""),
        new Shape("", ":not(", "a"),
        new Shape("", ":not(a)", ""),
        new Shape("", ":", ""),
        new Shape("", "(", ""),
        new Shape("a", " ", "b"),
        new Shape("a", ",a", ""),
        new Shape("a", ">a", ""),
        new Shape("", ".a", ""),
        new Shape("", ".", ""),
        new Shape("a:", " ", "b"),
        new Shape("a: b", " ", "!x"),
        new Shape("a: b", "!important ", "c"),
        new Shape("", "a:b;", ""),
        new Shape("a:", "{", ";"),
        new Shape("noopener=", "1", ""),
        new Shape("", "a=", ""),
        new Shape(":nth-child(", "1", "n)"),
        new Shape(":nth-child(", "n", ")"));
  }
}
