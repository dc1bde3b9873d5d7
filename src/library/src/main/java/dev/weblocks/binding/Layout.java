package dev.weblocks.binding;

import java.util.List;

/**
 * The slots of the converted arguments of a callable: one slot for each argument, but for a
 * dictionary one slot for each of its members.
 *
 * @param offsets the first slot of each argument, then the end of the last argument
 * @param dictionaries for each argument the members of its dictionary type; empty for other types
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
