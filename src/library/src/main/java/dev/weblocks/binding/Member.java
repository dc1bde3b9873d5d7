package dev.weblocks.binding;

/**
 * One callable of an interface, in the form that the seam uses: a getter, a setter, a constructor
 * or one overload of an operation.
 *
 * @param label {@code Interface.member}, for reports of defects
 * @param overload index among the overloads of its operation
 * @param layout the slots of the converted arguments
 * @param code its code
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
