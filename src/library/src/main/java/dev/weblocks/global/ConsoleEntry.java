package dev.weblocks.global;

import java.util.List;

/**
 * One message of the console.
 *
 * @param level the log level of the Console Standard, such as {@code warn} or {@code timeEnd}
 * @param text all parts, separated by spaces and indented according to {@code groupDepth}
 * @param groupDepth the number of groups that are open at the message
 * @param parts the texts of the arguments, without indentation
 */
public record ConsoleEntry(String level, String text, int groupDepth, List<String> parts) {

  public ConsoleEntry {
    parts = List.copyOf(parts);
  }
}
