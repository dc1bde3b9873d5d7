package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The overloads of an operation, constructor or legacy factory function, with their effective
 * overload sets. Overloads that no argument distinguishes are rejected when the model is built.
 *
 * @param <C> the type of the overloads
 */
public final class Overloads<C> {

  private final List<C> callables;
  private final List<List<Argument>> arguments = new ArrayList<>();
  private final EffectiveOverloadSet declared;
  private final boolean variadic;
  private final Map<Integer, Integer> distinguishingIndexes = new HashMap<>();

  /**
   * Checks and prepares the overloads.
   *
   * @param callables the overloads in IDL order, types resolved
   * @param argumentsOf returns the arguments of an overload
   * @param what the name of the overloads in an error message
   * @param position the position for an error message
   * @param types decides which types are distinguishable
   */
  Overloads(
      List<C> callables,
      Function<C, List<Argument>> argumentsOf,
      String what,
      SourcePosition position,
      TypeTable types) {
    this.callables = List.copyOf(callables);
    for (C callable : callables) {
      arguments.add(argumentsOf.apply(callable));
    }
    declared = EffectiveOverloadSet.computeTheEffectiveOverloadSet(arguments, 0);
    variadic = arguments.stream().anyMatch(list -> !list.isEmpty() && list.getLast().variadic());
    // One past the longest declaration: beyond it only variadic overloads remain, and each repeats
    // its last type. An index that distinguishes them there does so for every larger number of
    // arguments.
    EffectiveOverloadSet checked = effectiveOverloadSet(declared.maxArgumentCount() + 1);
    for (int count = 0; count <= checked.maxArgumentCount(); count++) {
      List<EffectiveOverloadSet.Item> items = checked.withArgumentCount(count);
      if (items.size() > 1) {
        int index = distinguish(items, types);
        checkDistinguished(items, index, what + " with " + count + " arguments", position);
        distinguishingIndexes.put(count, index);
      }
    }
  }

  /** Returns the overloads in IDL order; immutable, empty if there are none. */
  public List<C> callables() {
    return callables;
  }

  /** Returns whether there are no overloads, as for an interface without constructor. */
  public boolean isEmpty() {
    return callables.isEmpty();
  }

  /**
   * Returns the value of the function's {@code length} property: the smallest number of required
   * arguments of any overload; 0 if there are no overloads.
   */
  public int length() {
    return declared.minArgumentCount();
  }

  /** Returns the largest number of declared arguments, an ellipsis counting as one. */
  public int declaredMaxArgumentCount() {
    return declared.maxArgumentCount();
  }

  /** Returns whether an overload takes any number of arguments. */
  public boolean isVariadic() {
    return variadic;
  }

  /**
   * Returns the effective overload set for a number of arguments. Without a variadic overload,
   * returns one object for all numbers; otherwise one object for all numbers up to {@link
   * #declaredMaxArgumentCount()}.
   *
   * @param argumentCount the number of arguments passed; at least 0
   */
  public EffectiveOverloadSet effectiveOverloadSet(int argumentCount) {
    return !variadic || argumentCount <= declared.maxArgumentCount()
        ? declared
        : EffectiveOverloadSet.computeTheEffectiveOverloadSet(arguments, argumentCount);
  }

  /**
   * Returns the index of the argument that distinguishes overloads, or -1 if at most one overload
   * takes this many arguments.
   *
   * @param argumentCount the length of the type lists in the overload set
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-distinguishing-argument-index">distinguishing
   *     argument index</a>
   */
  public int distinguishingArgumentIndex(int argumentCount) {
    int count = variadic ? Math.min(argumentCount, declared.maxArgumentCount() + 1) : argumentCount;
    return distinguishingIndexes.getOrDefault(count, -1);
  }

  /** Returns the first index at which the types of every two items are distinguishable; else -1. */
  private static int distinguish(List<EffectiveOverloadSet.Item> items, TypeTable types) {
    for (int i = 0; i < items.getFirst().types().size(); i++) {
      boolean allPairs = true;
      for (int a = 0; a < items.size() && allPairs; a++) {
        for (int b = a + 1; b < items.size() && allPairs; b++) {
          allPairs =
              types.distinguishable(items.get(a).types().get(i), items.get(b).types().get(i));
        }
      }
      if (allPairs) {
        return i;
      }
    }
    return -1;
  }

  private static void checkDistinguished(
      List<EffectiveOverloadSet.Item> items, int index, String what, SourcePosition position) {
    if (index < 0) {
      throw new IdlModelException(
          position,
          "no argument distinguishes the overloads of "
              + what
              + "; give them types that are distinguishable at one index");
    }
    EffectiveOverloadSet.Item first = items.getFirst();
    for (EffectiveOverloadSet.Item item : items) {
      for (int j = 0; j < index; j++) {
        if (!item.types().get(j).equals(first.types().get(j))
            || item.optionalities().get(j) != first.optionalities().get(j)) {
          throw new IdlModelException(
              position,
              ("overloads of %s must agree in type and optionality at index %s, before"
                      + " the distinguishing argument index %s")
                  .formatted(what, j, index));
        }
      }
    }
    boolean bigint = items.stream().anyMatch(item -> TypeTable.isBigint(item.types().get(index)));
    boolean numeric = items.stream().anyMatch(item -> TypeTable.isNumeric(item.types().get(index)));
    if (bigint && numeric) {
      throw new IdlModelException(
          position,
          "overloads of %s take a bigint and a number at index %s, which are not distinguishable"
              .formatted(what, index));
    }
  }
}
