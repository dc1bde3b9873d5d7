package dev.weblocks.binding;

/**
 * One callable of an interface, in the form that the seam uses: a getter, a setter, a constructor
 * or one overload of an operation.
 *
 * @param label {@code Interface.member}, for reports of defects
 * @param overload the index among the overloads of its operation or constructor
 * @param layout the slots of the converted arguments
 * @param code the Java code
 * @param constructs whether the result implements the new object that is passed as {@code this}
 * @param offered whether the prelude creates a promise for its result before the call
 */
record SeamMember(
    String label,
    int overload,
    Layout layout,
    Implementations.Code code,
    boolean constructs,
    boolean offered) {}
