import com.google.thirdparty.publicsuffix.PublicSuffixPatterns;
import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.lang.UCharacterEnums.ECharacterDirection;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Normalizer2;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Writes the tables of domain names, which the build adds to the resources of the library. ICU4J
 * and Guava contain the data; the library needs neither at run time. Argument: the folder.
 */
final class DomainTables {

  private static final Normalizer2 NFC = Normalizer2.getNFCInstance();

  /** The mapping of UTS #46 followed by NFC; U+FFFD for a disallowed code point. */
  private static final Normalizer2 UTS46 =
      Normalizer2.getInstance(null, "uts46", Normalizer2.Mode.COMPOSE);

  private DomainTables() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    write(folder.resolve("dev/weblocks/url/idna.txt"), idna());
    write(folder.resolve("dev/weblocks/url/public-suffixes.txt"), publicSuffixes());
  }

  /** Leaves an unchanged file alone, so that nothing that depends on it is built again. */
  private static void write(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!Files.exists(file) || !Arrays.equals(bytes, Files.readAllBytes(file))) {
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
    }
  }

  /** Returns the three parts that {@code dev.weblocks.url.IdnaTable} describes. */
  private static String idna() {
    StringBuilder properties = new StringBuilder();
    StringBuilder mappings = new StringBuilder();
    TreeSet<String> compositions = new TreeSet<>();
    String last = "";
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      String text = Character.toString(c);
      String mapped = c >= 0xD800 && c <= 0xDFFF ? "\uFFFD" : UTS46.normalize(text);
      String pair = NFC.getRawDecomposition(c);
      boolean isMapped = !mapped.equals(text) && !mapped.equals("\uFFFD");
      if (isMapped) {
        mappings.append(hex(c)).append(hex(mapped)).append('\n');
        continue; // its properties have no effect
      }
      boolean isHangul = c >= 0xAC00 && c <= 0xD7A3; // composed by arithmetic
      if (mapped.equals(text) && pair != null && !isHangul) {
        mappings.append(hex(c)).append(hex(pair)).append('\n');
        compositions.add(hex(pair) + hex(c) + '\n');
      }
      String now = mapped.equals(text) && c != 0xFFFD ? propertiesOf(c) : "-";
      if (!now.equals(last)) {
        properties.append(hex(c)).append(now).append('\n');
        last = now;
      }
    }
    return properties + "\n" + mappings + "\n" + String.join("", compositions);
  }

  private static String propertiesOf(int c) {
    char bidi =
        switch (UCharacter.getDirection(c)) {
          case ECharacterDirection.LEFT_TO_RIGHT -> 'L';
          case ECharacterDirection.RIGHT_TO_LEFT, ECharacterDirection.RIGHT_TO_LEFT_ARABIC -> 'R';
          case ECharacterDirection.ARABIC_NUMBER -> 'A';
          case ECharacterDirection.EUROPEAN_NUMBER -> 'E';
          case ECharacterDirection.EUROPEAN_NUMBER_SEPARATOR,
              ECharacterDirection.EUROPEAN_NUMBER_TERMINATOR,
              ECharacterDirection.COMMON_NUMBER_SEPARATOR,
              ECharacterDirection.OTHER_NEUTRAL,
              ECharacterDirection.BOUNDARY_NEUTRAL ->
              'N';
          case ECharacterDirection.DIR_NON_SPACING_MARK -> 'M';
          default -> 'X';
        };
    char joining =
        switch (UCharacter.getIntPropertyValue(c, UProperty.JOINING_TYPE)) {
          case UCharacter.JoiningType.DUAL_JOINING -> 'D';
          case UCharacter.JoiningType.LEFT_JOINING -> 'L';
          case UCharacter.JoiningType.RIGHT_JOINING -> 'R';
          case UCharacter.JoiningType.TRANSPARENT -> 'T';
          default -> 'U';
        };
    boolean isMark =
        switch (UCharacter.getType(c)) {
          case UCharacterCategory.NON_SPACING_MARK,
              UCharacterCategory.ENCLOSING_MARK,
              UCharacterCategory.COMBINING_SPACING_MARK ->
              true;
          default -> false;
        };
    return "" + bidi + joining + (isMark ? 'M' : '-') + NFC.getCombiningClass(c);
  }

  private static String hex(String text) {
    return text.codePoints().mapToObj(DomainTables::hex).collect(Collectors.joining());
  }

  private static String hex(int c) {
    return String.format("%06X", c);
  }

  /**
   * Returns the rules in the syntax of the Public Suffix List. Guava has the rules that are not
   * ASCII in their ASCII form too, and hosts are ASCII.
   */
  private static String publicSuffixes() {
    TreeSet<String> rules = new TreeSet<>();
    PublicSuffixPatterns.EXACT.keySet().forEach(rules::add);
    PublicSuffixPatterns.UNDER.keySet().forEach(rule -> rules.add("*." + rule));
    PublicSuffixPatterns.EXCLUDED.keySet().forEach(rule -> rules.add("!" + rule));
    rules.removeIf(rule -> rule.chars().anyMatch(c -> c > 0x7F));
    return String.join("\n", rules) + "\n";
  }
}
