package dev.weblocks.idl;

import java.util.List;
import java.util.Set;

/**
 * The operations of one identifier, regular or static, of one interface or namespace. They become
 * one JavaScript function.
 *
 * @param name the identifier they share
 * @param isStatic whether they are static
 * @param overloads the operations and their overload sets; never empty
 * @param exposure where they are exposed; the same for all
 * @see <a href="https://webidl.spec.whatwg.org/#dfn-overloaded">overloaded</a>
 */
public record OperationGroup(
    String name, boolean isStatic, Overloads<Member.Operation> overloads, Exposure exposure) {

  /** Returns the operations in IDL order; never empty. */
  public List<Member.Operation> operations() {
    return overloads.callables();
  }

  /** Returns whether they return promises; overloads agree in that. */
  public boolean returnsPromise() {
    return operations().getFirst().returnType().isPromiseType();
  }

  /** Like {@link Exposure#exposedIn}. */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }
}
