package dev.weblocks.html;

/**
 * Case conversion of ASCII letters only.
 *
 * @see <a href="https://infra.spec.whatwg.org/#ascii-lowercase">Infra</a>
 */
final class AsciiCase {

  private AsciiCase() {}

  static String lower(String text) {
    return mapped(text, 'A', 'Z', 'a' - 'A');
  }

  static String upper(String text) {
    return mapped(text, 'a', 'z', 'A' - 'a');
  }

  private static String mapped(String text, char first, char last, int distance) {
    char[] chars = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= first && c <= last) {
        chars = chars == null ? text.toCharArray() : chars;
        chars[i] = (char) (c + distance);
      }
    }
    return chars == null ? text : new String(chars);
  }
}
