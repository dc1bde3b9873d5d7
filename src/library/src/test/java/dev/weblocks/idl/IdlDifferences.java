package dev.weblocks.idl;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A comparison of our IDL with that of the specifications. The differences have reasons in a text
 * file: a line with the reason, then indented lines with the differences, where an asterisk stands
 * for anything.
 */
final class IdlDifferences {

  /** Our IDL, from the root of the repository. */
  static final Path OURS = Path.of("src/library/src/main/resources/dev/weblocks");

  /** The reasons, from the root of the repository. */
  static final Path REASONS =
      Path.of("src/library/src/test/resources/dev/weblocks/idl/differences.txt");

  private final Map<Pattern, String> reasons = new LinkedHashMap<>();

  /**
   * @param reasons the lines of the text file; empty ones and those that begin with # are ignored
   * @throws IllegalArgumentException if a difference has no reason above it
   */
  IdlDifferences(List<String> reasons) {
    String reason = "";
    for (String line : reasons) {
      if (line.startsWith("  ")) {
        if (reason.isEmpty()) {
          throw new IllegalArgumentException("'" + line.strip() + "' has no reason above it");
        }
        String literals = "\\Q" + line.strip().replace("*", "\\E.*\\Q") + "\\E";
        this.reasons.put(Pattern.compile(literals), reason);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        reason = line;
      }
    }
  }

  /** Returns those of the differences without a reason, sorted. */
  Set<String> unexplained(Set<String> differences) {
    Set<String> rest = new TreeSet<>(differences);
    rest.removeIf(each -> reasons.keySet().stream().anyMatch(it -> it.matcher(each).matches()));
    return rest;
  }

  /** Returns the lines of the text file that none of the differences match. */
  List<String> stale(Set<String> differences) {
    return reasons.keySet().stream()
        .filter(it -> differences.stream().noneMatch(each -> it.matcher(each).matches()))
        .map(it -> it.pattern().replace("\\E.*\\Q", "*").replaceAll("\\\\[QE]", ""))
        .toList();
  }

  /** Returns the differences of each reason. */
  private Map<String, Set<String>> byReason(Set<String> differences) {
    Map<String, Set<String>> explained = new LinkedHashMap<>();
    reasons.forEach((pattern, reason) ->
        differences.stream()
            .filter(each -> pattern.matcher(each).matches())
            .forEach(each -> explained.computeIfAbsent(reason, r -> new TreeSet<>()).add(each)));
    return explained;
  }

  // ---- comparison ------------------------------------------------------------------------------

  /**
   * Returns the definitions in each file with a name that ends in {@code .idl}; none of a file that
   * is not IDL, which may be a draft.
   */
  static Map<Path, List<Definition>> parse(Path folder, Predicate<Path> which) throws IOException {
    Map<Path, List<Definition>> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".idl")).toList()) {
        if (which.test(file)) {
          try {
            all.put(file, IdlParser.parse(file.toString(), Files.readString(file)).definitions());
          } catch (IdlSyntaxException notIdl) {
            // what our IDL has of it is a difference then
          }
        }
      }
    }
    return all;
  }

  /** Returns our definitions with a counterpart in a specification; the early draft has none. */
  static List<Definition> ours() throws IOException {
    return parse(OURS, file -> !file.endsWith("early-draft.idl")).values().stream()
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Returns what our definitions have in another form than the specifications, or beyond them.
   *
   * @param theirs the definitions in each file
   */
  static Set<String> changed(List<Definition> ours, Map<Path, List<Definition>> theirs) {
    Map<String, List<Definition>> byName =
        theirs.values().stream().flatMap(List::stream).collect(groupingBy(Definition::name));
    Set<String> differences = new TreeSet<>();
    for (Definition our : ours) {
      List<Definition> same =
          byName.getOrDefault(our.name(), List.of()).stream()
              .filter(each -> each.getClass() == our.getClass())
              .toList();
      if (same.stream().noneMatch(each -> head(each).equals(head(our)))) {
        differences.add(our.getClass().getSimpleName() + " " + our.name());
      }
      int last = -1;
      List<String> all =
          same.stream()
              .flatMap(each -> members(each).stream().map(IdlDifferences::withoutPlace))
              .toList();
      for (Object member : members(our)) {
        int at = all.indexOf(withoutPlace(member));
        if (at <= last) {
          differences.add(our.name() + ": " + nameOf(member) + (at < 0 ? "" : ", its order"));
        }
        last = Math.max(last, at);
      }
    }
    return differences;
  }

  /**
   * Returns which members our definitions lack, of the specifications that define one of ours.
   *
   * @param theirs the definitions in each file
   */
  static Set<String> leftOut(List<Definition> ours, Map<Path, List<Definition>> theirs) {
    Map<String, Set<String>> members = new TreeMap<>();
    ours.forEach(our ->
        members(our)
            .forEach(member ->
                members.computeIfAbsent(key(our), name -> new TreeSet<>()).add(nameOf(member))));
    Set<String> known = ours.stream().map(IdlDifferences::key).collect(toSet());
    Set<String> differences = new TreeSet<>();
    for (List<Definition> file : theirs.values()) {
      if (file.stream().noneMatch(each -> !isPartial(each) && known.contains(key(each)))) {
        continue;
      }
      for (Definition their : file) {
        if (known.contains(key(their))) {
          members(their).stream()
              .map(IdlDifferences::nameOf)
              .filter(it -> !members.getOrDefault(key(their), Set.of()).contains(it))
              .forEach(it -> differences.add(their.name() + ": " + it + ", left out"));
        }
      }
    }
    return differences;
  }

  private static String key(Definition definition) {
    return definition.getClass().getSimpleName()
        + " "
        + definition.name()
        + (definition instanceof Definition.Includes it ? " " + it.mixin() : "");
  }

  private static boolean isPartial(Definition definition) {
    return switch (definition) {
      case Definition.Interface it -> it.partial();
      case Definition.Mixin it -> it.partial();
      case Definition.Dictionary it -> it.partial();
      case Definition.Namespace it -> it.partial();
      case Definition.Includes it -> true; // any specification includes a mixin of its own
      default -> false;
    };
  }

  private static List<?> members(Definition definition) {
    return switch (definition) {
      case Definition.Interface it -> it.members();
      case Definition.Mixin it -> it.members();
      case Definition.Dictionary it -> it.members();
      case Definition.CallbackInterface it -> it.members();
      case Definition.Namespace it -> it.members();
      default -> List.of();
    };
  }

  /** Returns the text of a definition without its members. */
  private static String head(Definition definition) {
    return withoutPlace(
        switch (definition) {
          case Definition.Interface it ->
              "interface " + it.name() + it.partial() + it.inherits() + it.extendedAttributes();
          case Definition.Mixin it -> "mixin " + it.name() + it.extendedAttributes();
          case Definition.Dictionary it ->
              "dictionary " + it.name() + it.inherits() + it.extendedAttributes();
          case Definition.CallbackInterface it ->
              "callback interface " + it.name() + it.extendedAttributes();
          case Definition.Namespace it -> "namespace " + it.name() + it.extendedAttributes();
          default -> definition;
        });
  }

  /**
   * Returns the text of an element without its place, and without the attributes that describe how
   * HTML reflects content attributes, which no binding uses.
   */
  private static String withoutPlace(Object element) {
    return element
        .toString()
        .replaceAll(", position=[^,\\]]*", "")
        .replaceAll("(, )?ExtendedAttribute\\[name=Reflect\\w*, value=\\w+\\[[^\\]]*]]", "")
        .replace("list=[, ", "list=[");
  }

  private static String nameOf(Object member) {
    return member.toString().replaceFirst("^(\\w+)\\[(name=(?!null)(\\w+))?.*", "$1 $3").strip();
  }

  // ---- the program of scripts/check-idl --------------------------------------------------------

  /**
   * Compares our IDL with that in a folder and prints the differences with their reasons. Exits
   * with 1 if a difference has no reason, or a reason no difference.
   *
   * @param arguments the folder
   */
  @SuppressWarnings("SystemExitOutsideMain")
  public static void main(String[] arguments) throws IOException {
    List<Definition> ours = ours();
    Map<Path, List<Definition>> theirs = parse(Path.of(arguments[0]), file -> true);
    Set<String> differences = new TreeSet<>(changed(ours, theirs));
    differences.addAll(leftOut(ours, theirs));
    IdlDifferences known = new IdlDifferences(Files.readAllLines(REASONS));
    known
        .byReason(differences)
        .forEach((reason, each) -> System.out.println(reason + "\n  " + String.join("\n  ", each)));
    List<String> problems = new ArrayList<>();
    known.unexplained(differences).forEach(each -> problems.add(each + " has no reason"));
    known.stale(differences).forEach(each -> problems.add(each + " is no difference any more"));
    problems.forEach(each -> System.out.println(REASONS.getFileName() + ": " + each));
    System.exit(problems.isEmpty() ? 0 : 1);
  }
}
