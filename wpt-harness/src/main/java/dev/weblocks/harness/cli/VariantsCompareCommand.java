package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.run.LineDiff;
import dev.weblocks.harness.run.Program;
import dev.weblocks.harness.run.Recording;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.run.Site;
import dev.weblocks.model.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that runs one scenario under several variants. */
@Command(
    name = "compare",
    description = {
      "Run scripts under several variants, as 'weblocks run --deterministic' does and with the same"
          + " seed, and show the differences: in their output, in the locks and requests at the"
          + " end, and in their steps. Each variant is compared with the first.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Lines that only the first variant has begin with -, those of the other with +; line"
          + " numbers precede them. The seed decides which agent runs next at each choice. So where"
          + " a variant takes more or fewer steps, the later order may differ, too: try several"
          + " seeds.",
      "",
      "Exit status: 0 nothing differs, 1 something does, 2 the scripts could not be run.",
      "",
      "Examples:",
      "  weblocks variants compare --variants none,settle-at-once app.js",
      "  weblocks variants compare --variants node,deno writer.js reader.js",
      "  weblocks variants compare --variants none,reentrant+stolen-error --seed 7 app.mjs",
      "  weblocks variants compare --variants none,callback-less \\",
      "      -e \"navigator.locks.request('a').then(l => console.log(l), e => console.log(e.name))\""
    })
final class VariantsCompareCommand extends CliCommand {

  private static final int MAX_STEPS = 1_000_000;
  private static final int MAX_CONTEXT = 1_000;

  private final RunEnvironment own;

  @Mixin private final ScriptArguments arguments = new ScriptArguments();

  @Option(
      names = "--variants",
      paramLabel = "A,B,…",
      description =
          "The variants to compare: names of variants or sets, or none for the Working Draft. A+B"
              + " means both at once. A single name is compared with none.")
  private @Nullable String variants;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The seed of all runs, a whole number of 64 bits. Default: 1.")
  private long seed = 1;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description =
          "End a run after N steps of its trace, for scripts that do not end by themselves."
              + " Default: 100000.")
  private int steps = 100_000;

  @Option(
      names = "--context",
      paramLabel = "N",
      description = "Show N common lines around each difference. Default: 2.")
  private int context = 2;

  @Mixin private final HelpOption help = new HelpOption();

  VariantsCompareCommand(CliEnvironment cli, RunEnvironment own) {
    super(cli);
    this.own = own;
  }

  @Override
  public Integer call() throws CommandFailure {
    arguments.check();
    requireRange("--steps", steps, 1, MAX_STEPS);
    requireRange("--context", context, 0, MAX_CONTEXT);
    Map<String, Set<Variant>> sides = sides();
    List<Program> programs = arguments.programs(own);
    try {
      Site unused = site(programs, note -> {});
    } catch (IllegalArgumentException apart) {
      throw new CommandFailure(apart.getMessage() + ": compare them separately");
    }
    Map<String, Recording> recordings = new LinkedHashMap<>();
    for (Map.Entry<String, Set<Variant>> side : sides.entrySet()) {
      if (cli.terminal()) {
        cli.note("running under " + side.getKey());
      }
      recordings.put(side.getKey(), record(programs, side.getValue()));
    }
    return print(recordings) ? Main.AS_EXPECTED : Main.UNEXPECTED;
  }

  /** Returns the sets of variants to compare, by the names that the user typed; at least two. */
  private Map<String, Set<Variant>> sides() {
    String given = variants;
    if (given == null) {
      throw usage("no variant is given; name some, as in --variants none,settle-at-once");
    }
    List<String> names = new ArrayList<>(List.of(given.split(",", -1)));
    if (names.size() == 1) {
      names.addFirst("none");
    }
    Map<String, Set<Variant>> sides = new LinkedHashMap<>();
    for (String each : names) {
      Set<Variant> side;
      try {
        side = VariantNames.together(List.of(each.split("[+]", -1)));
      } catch (IllegalArgumentException wrong) {
        throw usage("--variants '" + given + "': " + wrong.getMessage());
      }
      if (sides.containsValue(side)) {
        throw usage(
            "--variants '" + given + "': '" + each + "' equals an earlier one: leave it out");
      }
      sides.put(each, side);
    }
    return sides;
  }

  private Recording record(List<Program> programs, Set<Variant> side) {
    return Recording.of(
        new Recording.Plan(
            notes -> site(programs, notes), programs, own.environments().get(), seed, side, steps),
        VariantsCompareCommand::locks);
  }

  private Site site(List<Program> programs, Consumer<String> notes) {
    return new Site(
        Addresses.DEFAULT_ORIGIN,
        Site.directoriesOf(programs),
        own.workingDirectory(),
        Set.of(),
        request ->
            CompletableFuture.failedFuture(new IOException("a comparison cannot use the network")),
        ForkJoinPool.commonPool(),
        note -> notes.accept("weblocks: " + note));
  }

  private static List<String> locks(ScriptRun run) {
    return LockTable.of(run, run.locks(), /* atRest= */ true).text().lines().toList();
  }

  // ---- differences -----------------------------------------------------------------------------

  /** Prints the differences. Returns whether all recordings are equal to the first. */
  private boolean print(Map<String, Recording> recordings) {
    List<String> names = List.copyOf(recordings.keySet());
    List<Recording> all = List.copyOf(recordings.values());
    boolean same = true;
    for (int i = 1; i < names.size(); i++) {
      if (i > 1) {
        cli.println("");
      }
      same &= print(names.getFirst(), all.getFirst(), names.get(i), all.get(i));
    }
    return same;
  }

  private boolean print(String left, Recording one, String right, Recording other) {
    cli.println(
        cli.red("- " + left).plus("   ").plus(cli.green("+ " + right)).plus("   seed " + seed));
    boolean same = print("output", one.output(), other.output());
    if (one.cutOff() || other.cutOff()) {
      for (String cut : cutOff(left, one, right, other)) {
        cli.println(cut + " was ended after " + steps + " steps (--steps)");
      }
      same &= one.cutOff() && other.cutOff();
    } else {
      same &= print("locks at the end", one.locks(), other.locks());
    }
    same &= print("steps", one.trace(), other.trace());
    return same;
  }

  private static List<String> cutOff(String left, Recording one, String right, Recording other) {
    List<String> names = new ArrayList<>();
    if (one.cutOff()) {
      names.add(left);
    }
    if (other.cutOff()) {
      names.add(right);
    }
    return names;
  }

  /** Compares one part of two recordings, and prints the result. Returns whether it is equal. */
  private boolean print(String what, List<String> left, List<String> right) {
    List<LineDiff.Line> lines = LineDiff.of(left, right);
    long differing = lines.stream().filter(line -> !line.isCommon()).count();
    if (differing == 0) {
      cli.println(what + ": the same, " + HarmlessText.count(left.size(), "line"));
      return true;
    }
    cli.println(
        what
            + ": "
            + HarmlessText.count(left.size(), "line")
            + " and "
            + HarmlessText.count(right.size(), "line"));
    int digits = Math.max(4, String.valueOf(Math.max(left.size(), right.size())).length() + 1);
    int last = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (isNearDifference(lines, i)) {
        if (i > last + 1) {
          cli.println(" ".repeat(2 * digits + 2) + "…");
        }
        cli.println(shown(lines.get(i), digits));
        last = i;
      }
    }
    if (last < lines.size() - 1) {
      cli.println(" ".repeat(2 * digits + 2) + "…");
    }
    return false;
  }

  private boolean isNearDifference(List<LineDiff.Line> lines, int index) {
    int from = Math.max(0, index - context);
    int to = Math.min(lines.size(), index + context + 1);
    return lines.subList(from, to).stream().anyMatch(line -> !line.isCommon());
  }

  private Shown shown(LineDiff.Line line, int digits) {
    String numbers = number(line.left(), digits) + number(line.right(), digits);
    String text = (line.isCommon() ? "  " : line.left() > 0 ? "- " : "+ ") + line.text();
    String all = numbers + "  " + UsageError.line(text);
    return line.isCommon() ? Shown.of(all) : line.left() > 0 ? cli.red(all) : cli.green(all);
  }

  private static String number(int number, int digits) {
    String text = number == 0 ? "" : String.valueOf(number);
    return " ".repeat(digits - text.length()) + text;
  }
}
