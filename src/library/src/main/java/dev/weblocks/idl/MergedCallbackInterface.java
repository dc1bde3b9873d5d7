package dev.weblocks.idl;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A callback interface.
 *
 * @param constants its constants in IDL order, types resolved; immutable
 * @param operations its regular operations in IDL order, types resolved; immutable
 * @param exposure of its legacy callback interface object; null without {@code [Exposed]}
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

  /** Returns the result of {@link Exposure#exposedIn}; false without {@code [Exposed]}. */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure != null && exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }
}
