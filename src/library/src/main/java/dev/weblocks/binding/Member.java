package dev.weblocks.binding;

/**
 * One callable of an interface, in the form that the seam uses: a getter, a setter, a constructor
 * or one overload of an operation.
 *
 * @param label {@code Interface.member}, for reports of defects
 * @param overload its index among the overloads
 * @param layout the slots of the converted arguments
 * @param code its code
 * @param constructs whether it creates the implementation of the new object in place of {@code
 *     this}
 * @param offered whether the prelude creates a promise for its result before the call
 */
record Member(
    String label,
    int overload,
    Layout layout,
    Implementations.Code code,
    boolean constructs,
    boolean offered) {}
