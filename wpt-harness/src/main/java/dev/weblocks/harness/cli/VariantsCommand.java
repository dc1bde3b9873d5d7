package dev.weblocks.harness.cli;

import dev.weblocks.model.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command that lists the variants, or describes one of them. */
@Command(
    name = "variants",
    description = {
      "List the variants: named deviations from the Working Draft of the Web Locks API, for"
          + " experiments. Locks follow only the variants that 'weblocks run --variant NAME' or"
          + " 'weblocks wpt --spec-variant NAME' names.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 success, 2 the variant does not exist.",
      "",
      "Examples:",
      "  weblocks variants                    all variants, and the named sets",
      "  weblocks variants settle-at-once     what a variant changes, and its origin",
      "  weblocks variants node               the variants that make up Node",
      "  weblocks variants compare --variants none,settle-at-once app.js",
      "                                       one scenario under both, side by side",
      "  weblocks variants measure stolen-error",
      "                                       the web-platform-tests that it changes"
    })
final class VariantsCommand extends CliCommand {

  private static final int WIDTH = 80;
  private static final String MARGIN = "            ";

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "The variant, or the set, to describe. Default: list all.")
  private @Nullable String name;

  @Mixin private final HelpOption help = new HelpOption();

  VariantsCommand(CliEnvironment cli) {
    super(cli);
  }

  @Override
  public Integer call() {
    String wanted = name;
    if (wanted == null) {
      cli.printLines(table(List.of(Variant.values())));
      cli.println("");
      Variant.sets().forEach((set, all) -> cli.printLines(wrapped(set, ids(all))));
      cli.printLines(wrapped("none", "The Working Draft as it stands, which is the default."));
      return Main.AS_EXPECTED;
    }
    Set<Variant> set = Variant.sets().get(wanted);
    if (set != null) {
      cli.printLines(table(set));
      return Main.AS_EXPECTED;
    }
    cli.printLines(all(named(wanted)));
    return Main.AS_EXPECTED;
  }

  private Variant named(String id) {
    Set<Variant> found;
    try {
      found = Variant.named(id).orElseGet(() -> VariantNames.together(List.of(id)));
    } catch (IllegalArgumentException unknown) {
      throw usage(String.valueOf(unknown.getMessage()));
    }
    return found.stream()
        .findFirst()
        .orElseThrow(() ->
            usage(
                "'"
                    + id
                    + "' is the Working Draft, not a variant: name a variant, or leave it out"));
  }

  private static String table(Collection<Variant> variants) {
    int width = variants.stream().mapToInt(each -> each.id().length()).max().orElse(0);
    return variants.stream()
        .map(each -> each.id() + " ".repeat(width - each.id().length() + 2) + each.title())
        .collect(Collectors.joining("\n"));
  }

  private static String ids(Collection<Variant> variants) {
    return variants.stream().map(Variant::id).collect(Collectors.joining(", "));
  }

  private static String all(Variant variant) {
    List<String> parts = new ArrayList<>();
    parts.add(variant.id() + ": " + variant.title());
    parts.add("");
    parts.add(wrapped("changes", variant.change()));
    parts.add(wrapped("comes from", variant.origin() + "."));
    parts.add(wrapped("not with", ids(variant.excludes())));
    String sets =
        Variant.sets().entrySet().stream()
            .filter(set -> set.getValue().contains(variant))
            .map(set -> set.getKey())
            .collect(Collectors.joining(", "));
    if (!sets.isEmpty()) {
      parts.add(wrapped("in sets", sets));
    }
    return String.join("\n", parts);
  }

  /** Returns a wrapped paragraph to the right of its heading. */
  private static String wrapped(String heading, String text) {
    StringBuilder lines = new StringBuilder();
    StringBuilder line =
        new StringBuilder(heading)
            .append(" ".repeat(Math.max(1, MARGIN.length() - heading.length())));
    boolean begun = false;
    for (String word : Arrays.asList(text.split(" ", -1))) {
      if (begun && line.length() + 1 + word.length() > WIDTH) {
        lines.append(line).append('\n');
        line = new StringBuilder(MARGIN);
        begun = false;
      }
      line.append(begun ? " " : "").append(word);
      begun = true;
    }
    return lines.append(line).toString();
  }
}
