package dev.weblocks.idl;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A callback interface.
 *
 * @param constants its constants in IDL order, types resolved; immutable
 * @param operations its regular operations in IDL order, types resolved; immutable
 * @param exposure where its legacy callback interface object is exposed; null without {@code
 *     [Exposed]}, which is required if there are constants
 */
public record MergedCallbackInterface(
    String name,
    List<MergedMember> constants,
    List<Member.Operation> operations,
    @Nullable Exposure exposure,
    ExtendedAttributes extendedAttributes,
    SourcePosition position)
    implements NamedDefinition {

  public MergedCallbackInterface {
    constants = List.copyOf(constants);
    operations = List.copyOf(operations);
  }

  /**
   * Returns whether the callback interface is exposed in a realm; false without {@code [Exposed]}.
   * See {@link Exposure#exposedIn}.
   */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure != null && exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }
}
