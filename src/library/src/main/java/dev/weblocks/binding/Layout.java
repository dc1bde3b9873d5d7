package dev.weblocks.binding;

import java.util.List;

/**
 * The slots of the converted arguments of a member: one slot each, but one slot per member for a
 * dictionary.
 *
 * @param offsets by argument, followed by the end of the last one
 * @param dictionaries by argument: the members in order, empty if it is not a dictionary
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
