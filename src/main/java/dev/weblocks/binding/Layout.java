package dev.weblocks.binding;

import java.util.List;

/**
 * Where the converted arguments of a member lie: one slot each, but one slot per member for a
 * dictionary.
 *
 * @param offsets by argument, and the end of the last one
 * @param dictionaries by argument: the members in order, empty if it is no dictionary
 */
record Layout(List<Integer> offsets, List<List<String>> dictionaries) {

  static final Layout NONE = new Layout(List.of(0), List.of());

  Layout {
    offsets = List.copyOf(offsets);
    dictionaries = List.copyOf(dictionaries);
  }

  int offset(int argument) {
    return offsets.get(argument);
  }

  List<String> members(int argument) {
    return dictionaries.get(argument);
  }
}
