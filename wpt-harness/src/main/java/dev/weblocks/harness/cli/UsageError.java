package dev.weblocks.harness.cli;

import dev.weblocks.explore.text.HarmlessText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The description, in one line, of an error in a command line. */
final class UsageError {

  /** The maximum length of a word; longer ones are shortened in the middle. */
  private static final int MAX_WORD = 200;

  private static final int MAX_LINE = 1500;
  private static final int SHOWN_OF_TAIL = 20;

  private UsageError() {}

  /** Returns a description of the problem, and the help command to use. */
  static String of(ParameterException problem, List<String> arguments) {
    CommandSpec command = problem.getCommandLine().getCommandSpec();
    return line(message(problem, command, arguments) + " (" + command.qualifiedName() + " --help)");
  }

  /** Returns a message as one line of limited length, without terminal control characters. */
  static String line(String message) {
    StringBuilder line = new StringBuilder();
    for (String word : HarmlessText.line(message).split("(?<= )", -1)) {
      line.append(shortened(word, MAX_WORD));
    }
    return shortened(line.toString(), MAX_LINE);
  }

  private static String shortened(String text, int limit) {
    return text.length() <= limit
        ? text
        : text.substring(0, limit / 2) + "…" + text.substring(text.length() - SHOWN_OF_TAIL);
  }

  private static String message(
      ParameterException problem, CommandSpec command, List<String> arguments) {
    ArgSpec subject = problem.getArgSpec();
    return switch (problem) {
      case UnmatchedArgumentException unmatched ->
          unknown(unmatched.getUnmatched().getFirst(), command);
      case MissingParameterException missing when !missing.getMissing().isEmpty() ->
          name(missing.getMissing().getFirst())
              + " needs a value: "
              + missing.getMissing().getFirst().paramLabel();
      case OverwrittenOptionException twice ->
          name(twice.getOverwritten()) + " is given twice: name it once";
      case MaxValuesExceededException twice -> twice(command, arguments) + ": name it once";
      case ParameterException bad
          when subject != null && bad.getValue() != null && bad.getCause() != null ->
          subject.isOption() && subject.arity().max() == 0
              ? name(subject) + " takes no value, but has '" + bad.getValue() + "'"
              : name(subject) + " '" + bad.getValue() + "': " + bad.getCause().getMessage();
      default -> String.valueOf(problem.getMessage());
    };
  }

  private static String name(ArgSpec subject) {
    return subject instanceof OptionSpec option ? option.longestName() : subject.paramLabel();
  }

  private static String unknown(String argument, CommandSpec command) {
    boolean option = argument.startsWith("-") && argument.length() > 1;
    if (option) {
      String name = argument.replaceFirst("=.*", "");
      return "unknown option " + name + meant(name, command.optionsMap().keySet());
    }
    if (command.subcommands().isEmpty()) {
      return "unexpected argument '" + argument + "'";
    }
    return unknownCommand(argument, command);
  }

  /** Returns the message for a word that is not the name of a subcommand. */
  static String unknownCommand(String word, CommandSpec command) {
    String meant = meant(word, commandsOf(command));
    return "unknown command '%s'%s"
        .formatted(
            word,
            meant.isEmpty() ? "; commands are " + String.join(", ", commandsOf(command)) : meant);
  }

  /**
   * Returns the message for an option given twice. If the option is in a group, picocli reports
   * only that the group is given twice.
   */
  private static String twice(CommandSpec command, List<String> arguments) {
    Set<OptionSpec> seen = new HashSet<>();
    for (String argument : arguments) {
      OptionSpec option = command.findOption(argument.replaceFirst("(?s)=.*", ""));
      if (option != null && !option.isMultiValue() && !seen.add(option)) {
        return name(option) + " is given twice";
      }
    }
    return "an option is given twice";
  }

  /**
   * Returns a question that suggests the names closest to the typed one; empty if none is close.
   */
  static String meant(String typed, Collection<String> names) {
    List<String> near = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    String lower = typed.toLowerCase(Locale.ROOT);
    for (String name : names) {
      if (Math.min(typed.length(), name.length()) < 3) {
        continue; // all short words are close to each other
      }
      boolean begun = lower.length() > 3 && name.startsWith(lower);
      int distance = begun ? 1 : distance(lower, name);
      if (distance > Math.max(1, Math.min(typed.length(), name.length()) / 3)) {
        continue;
      }
      if (distance < least) {
        least = distance;
        near.clear();
      }
      if (distance == least) {
        near.add(name);
      }
    }
    return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
  }

  /** Returns the edit distance of two words; swapping adjacent letters counts as one edit. */
  private static int distance(String from, String to) {
    if (from.length() > MAX_WORD) {
      return Integer.MAX_VALUE;
    }
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int best = Math.min(steps[i - 1][j], steps[i][j - 1]) + 1;
        best = Math.min(best, steps[i - 1][j - 1] + (same ? 0 : 1));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          best = Math.min(best, steps[i - 2][j - 2] + 1);
        }
        steps[i][j] = best;
      }
    }
    return steps[from.length()][to.length()];
  }

  /** Returns the names of all commands that are not hidden. */
  static Set<String> commandsOf(CommandSpec spec) {
    Set<String> names = new LinkedHashSet<>(spec.subcommands().keySet());
    names.removeIf(name -> {
      CommandLine command = spec.subcommands().get(name);
      return command != null && command.getCommandSpec().usageMessage().hidden();
    });
    return names;
  }
}
