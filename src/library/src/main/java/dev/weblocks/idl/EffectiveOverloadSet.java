package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The allowable invocations of the overloads of one identifier.
 *
 * @param items the tuples in the order of the algorithm in the standard; immutable
 * @see <a href="https://webidl.spec.whatwg.org/#dfn-effective-overload-set">effective overload
 *     set</a>
 */
public record EffectiveOverloadSet(List<Item> items) {

  /** An <a href="https://webidl.spec.whatwg.org/#dfn-optionality-value">optionality value</a>. */
  public enum Optionality {
    /** The argument must be given. */
    REQUIRED,
    /** The argument is marked {@code optional}. */
    OPTIONAL,
    /** The argument is a final argument with an ellipsis, or a repetition of it. */
    VARIADIC
  }

  /**
   * One allowable invocation.
   *
   * @param callable index of the overload in IDL order, from 0
   * @param types the types of the arguments, resolved; immutable
   * @param optionalities one optionality value per argument; immutable
   */
  public record Item(int callable, List<IdlType> types, List<Optionality> optionalities) {
    public Item {
      types = List.copyOf(types);
      optionalities = List.copyOf(optionalities);
    }
  }

  public EffectiveOverloadSet {
    items = List.copyOf(items);
  }

  /** Returns the length of the longest type list, or 0 if there are no items. */
  public int maxArgumentCount() {
    return items.stream().mapToInt(item -> item.types().size()).max().orElse(0);
  }

  /** Returns the length of the shortest type list, or 0 if there are no items. */
  public int minArgumentCount() {
    return items.stream().mapToInt(item -> item.types().size()).min().orElse(0);
  }

  /** Returns the items whose type list has this length, in order. */
  public List<Item> withArgumentCount(int argumentCount) {
    return items.stream().filter(item -> item.types().size() == argumentCount).toList();
  }

  /**
   * Computes the set.
   *
   * @param callables the set F: the argument lists of the overloads, with resolved types
   * @param argumentCount N, the number of arguments to be passed; at least 0
   * @see <a href="https://webidl.spec.whatwg.org/#compute-the-effective-overload-set">compute the
   *     effective overload set</a>
   */
  static EffectiveOverloadSet computeTheEffectiveOverloadSet(
      List<List<Argument>> callables, int argumentCount) {
    // 1. Let S be an ordered set.
    Set<Item> s = new LinkedHashSet<>();
    // 2 and 3. F is given; maxarg is the longest declaration in it.
    int maxArg = callables.stream().mapToInt(List::size).max().orElse(0);
    // 4. Let max be max(maxarg, N).
    int max = Math.max(maxArg, argumentCount);
    // 5. For each X in F:
    for (int x = 0; x < callables.size(); x++) {
      // 5.1 and 5.2. Its arguments and their number.
      List<Argument> arguments = callables.get(x);
      int n = arguments.size();
      // 5.3 to 5.5. Types and optionality values.
      List<IdlType> types = new ArrayList<>();
      List<Optionality> optionalities = new ArrayList<>();
      for (Argument argument : arguments) {
        types.add(argument.type());
        optionalities.add(
            argument.variadic()
                ? Optionality.VARIADIC
                : argument.optional() ? Optionality.OPTIONAL : Optionality.REQUIRED);
      }
      // 5.6. Append (X, types, optionalityValues).
      s.add(new Item(x, types, optionalities));
      // 5.7. A variadic X: one item for each further number of arguments up to max.
      if (n > 0 && arguments.getLast().variadic()) {
        for (int i = n; i <= max - 1; i++) {
          List<IdlType> t = new ArrayList<>(types);
          List<Optionality> o = new ArrayList<>(optionalities);
          for (int j = n; j <= i; j++) {
            t.add(types.get(n - 1));
            o.add(Optionality.VARIADIC);
          }
          s.add(new Item(x, t, o));
        }
      }
      // 5.8 and 5.9. One item for each number of optional arguments left out.
      for (int i = n - 1; i >= 0 && arguments.get(i).mayBeOmitted(); i--) {
        s.add(new Item(x, types.subList(0, i), optionalities.subList(0, i)));
      }
    }
    // 6. Return S.
    return new EffectiveOverloadSet(new ArrayList<>(s));
  }
}
