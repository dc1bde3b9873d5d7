package dev.weblocks.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The imports and exports of the prelude's files, which the engine does not check. */
@Tag("interpreting") // runs no script
class PreludeModulesTest {

  private static final Pattern IMPORT =
      Pattern.compile("import \\{([^}]*)} from '\\./([\\w-]+)\\.js';");

  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?m)^(export )?(?:async )?(?:(?:function|class|const|let) (\\w+)|const \\{([^}]*)})");

  /** Comments, texts, and names of properties and methods. */
  private static final Pattern NO_USE =
      Pattern.compile(
          "//.*|'(?:[^'\\\\\\n]|\\\\.)*'|\\.\\w+|\\b\\w+:|(?m:^ +(?:get |set )?\\w+(?=\\([^()]*\\) \\{$))");

  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");

  private final Map<String, String> texts = new TreeMap<>();

  PreludeModulesTest() {
    for (String file : Prelude.FILES) {
      texts.put(file, Resources.text(Prelude.class, "prelude/" + file + ".js"));
    }
    texts.put("embedder-realm", Resources.text(Prelude.class, "prelude/embedder-realm.js"));
  }

  private static Stream<MatchResult> find(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }

  /** Returns the names in the braces of an import or of a destructuring declaration. */
  private static List<String> names(String braces) {
    return Stream.of(braces.split(",", -1))
        .map(each -> each.replaceFirst(".*:", "").trim())
        .filter(each -> !each.isEmpty())
        .toList();
  }

  private List<String> declared(String file, boolean exportedOnly) {
    List<String> declared = new ArrayList<>();
    find(DECLARATION, texts.get(file))
        .filter(each -> !exportedOnly || each.group(1) != null)
        .forEach(each ->
            declared.addAll(each.group(2) == null ? names(each.group(3)) : List.of(each.group(2))));
    return declared;
  }

  /** Returns the words of a file that may be names of variables. */
  private TreeSet<String> used(String file) {
    String code = IMPORT.matcher(texts.get(file)).replaceAll("");
    TreeSet<String> words = new TreeSet<>();
    find(WORD, NO_USE.matcher(code.replace("...", " ").replace("? ", "?")).replaceAll(" "))
        .forEach(each -> words.add(each.group()));
    return words;
  }

  private Map<String, List<String>> imports(String file) {
    Map<String, List<String>> imports = new TreeMap<>();
    find(IMPORT, texts.get(file)).forEach(each -> imports.put(each.group(2), names(each.group(1))));
    return imports;
  }

  @Test
  void imported_names_are_exported_by_the_named_file() {
    List<String> missing = new ArrayList<>();
    for (String file : texts.keySet()) {
      imports(file)
          .forEach((from, names) ->
              names.stream()
                  .filter(name -> !declared(from, true).contains(name))
                  .forEach(name -> missing.add(file + ": " + name + " from " + from)));
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void names_of_other_files_are_used_only_if_imported() {
    List<String> wrong = new ArrayList<>();
    for (String file : texts.keySet()) {
      TreeSet<String> foreign = new TreeSet<>();
      texts.keySet().forEach(each -> foreign.addAll(declared(each, true)));
      foreign.removeAll(declared(file, false));
      foreign.retainAll(used(file));
      TreeSet<String> imported = new TreeSet<>();
      imports(file).values().forEach(imported::addAll);
      if (!foreign.equals(imported)) {
        wrong.add(file + ": uses " + foreign + "\nbut imports " + imported);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void names_are_exported_only_for_other_files() {
    List<String> useless = new ArrayList<>();
    TreeSet<String> imported = new TreeSet<>(List.of("api"));
    texts.keySet().forEach(file -> imports(file).values().forEach(imported::addAll));
    for (String file : texts.keySet()) {
      find(DECLARATION, texts.get(file))
          .filter(each -> each.group(1) != null)
          .map(each -> each.group(2) == null ? names(each.group(3)) : List.of(each.group(2)))
          .filter(names -> names.stream().noneMatch(imported::contains))
          .forEach(names -> useless.add(file + ": " + names));
    }
    assertEquals(List.of(), useless);
  }
}
