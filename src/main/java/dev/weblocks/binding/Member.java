package dev.weblocks.binding;

/**
 * One callable of an interface as the seam knows it: a getter, a setter, a constructor or one
 * overload of an operation.
 *
 * @param label {@code Interface.member}, for failures of ours
 * @param overload index among the overloads of its operation
 * @param layout where the converted arguments lie
 * @param code what it does
 * @param constructs whether it makes the implementation of the object in the place of {@code this}
 * @param offered whether script has made a promise for its result
 */
record Member(
    String label,
    int overload,
    Layout layout,
    Implementations.Code code,
    boolean constructs,
    boolean offered) {}
