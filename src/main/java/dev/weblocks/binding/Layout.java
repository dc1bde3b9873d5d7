package dev.weblocks.binding;

import java.util.List;

/**
 * Where the converted arguments of a member lie: one slot each, but one slot per member for a
 * dictionary.
 *
 * @param offsets by argument
 * @param dictionaries by argument: the members in order, empty if it is no dictionary
 */
record Layout(int[] offsets, List<List<String>> dictionaries) {

  static final Layout NONE = new Layout(new int[] {0}, List.of());

  int offset(int argument) {
    return offsets[argument];
  }

  List<String> members(int argument) {
    return dictionaries.get(argument);
  }
}
