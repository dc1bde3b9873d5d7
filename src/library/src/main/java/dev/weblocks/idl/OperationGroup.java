package dev.weblocks.idl;

import java.util.List;
import java.util.Set;

/**
 * The operations of an interface or namespace with one identifier, either all static or all
 * non-static. They become one JavaScript function.
 *
 * @param name the identifier they share
 * @param isStatic whether they are static
 * @param overloads the operations and their overload sets; never empty
 * @param exposure where all of them are exposed
 * @see <a href="https://webidl.spec.whatwg.org/#dfn-overloaded">overloaded</a>
 */
public record OperationGroup(
    String name, boolean isStatic, Overloads<Member.Operation> overloads, Exposure exposure) {

  /** Returns the operations in IDL order; never empty. */
  public List<Member.Operation> operations() {
    return overloads.callables();
  }

  /** Returns whether the operations return promises: all of them do, or none. */
  public boolean returnsPromise() {
    return operations().getFirst().returnType().isPromiseType();
  }

  /** Returns whether the operations are exposed in a realm; see {@link Exposure#exposedIn}. */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }
}
