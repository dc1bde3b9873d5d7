package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An interface with its partials and included mixins.
 *
 * @param parent the interface it inherits from, or null
 * @param members its own members, then those of its partials, then those of each mixin and its
 *     partials in the order of the includes statements; types resolved; immutable
 * @param operations its regular and static operations, and special operations with an identifier;
 *     grouped by identifier, in order of first appearance; immutable
 * @param constructors its constructor operations; empty if script cannot construct the interface
 * @param legacyFactoryFunctions its legacy factory functions by identifier; immutable
 */
public record MergedInterface(
    String name,
    @Nullable MergedInterface parent,
    List<MergedMember> members,
    List<OperationGroup> operations,
    Overloads<Member.Constructor> constructors,
    List<LegacyFactoryFunction> legacyFactoryFunctions,
    Exposure exposure,
    ExtendedAttributes extendedAttributes,
    SourcePosition position)
    implements NamedDefinition {

  public MergedInterface {
    members = List.copyOf(members);
    operations = List.copyOf(operations);
    legacyFactoryFunctions = List.copyOf(legacyFactoryFunctions);
  }

  /** Returns whether the interface is exposed in a realm; see {@link Exposure#exposedIn}. */
  public boolean exposedIn(
      Set<String> globalNames, boolean secureContext, boolean crossOriginIsolated) {
    return exposure.exposedIn(globalNames, secureContext, crossOriginIsolated);
  }

  /**
   * Returns the operations of one identifier, or null if there are none.
   *
   * @param identifier the unescaped identifier
   * @param isStatic whether to return the static operations
   */
  public @Nullable OperationGroup operation(String identifier, boolean isStatic) {
    for (OperationGroup group : operations) {
      if (group.name().equals(identifier) && group.isStatic() == isStatic) {
        return group;
      }
    }
    return null;
  }

  /** Returns the attribute with the given identifier, static or not, or null if there is none. */
  public @Nullable MergedMember attribute(String identifier) {
    for (MergedMember each : members) {
      if (each.member() instanceof Member.Attribute attribute
          && attribute.name().equals(identifier)) {
        return each;
      }
    }
    return null;
  }

  /** Returns whether the interface has an attribute, inherited ones included. */
  public boolean hasAttribute(String identifier) {
    return attribute(identifier) != null || parent != null && parent.hasAttribute(identifier);
  }

  /**
   * Returns the inherited interfaces, the nearest first.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-inherited-interfaces">inherited
   *     interfaces</a>
   */
  public List<MergedInterface> inheritedInterfaces() {
    List<MergedInterface> ancestors = new ArrayList<>();
    for (MergedInterface ancestor = parent; ancestor != null; ancestor = ancestor.parent) {
      ancestors.add(ancestor);
    }
    return List.copyOf(ancestors);
  }

  /**
   * Returns the names by which {@code [Exposed]} refers to globals of this interface; empty if it
   * is not a {@code [Global]} interface.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-global-name">global name</a>
   */
  public Set<String> globalNames() {
    ExtendedAttribute global = extendedAttributes.get("Global");
    List<String> names = global == null ? List.of() : global.identifiers();
    return Collections.unmodifiableSet(new LinkedHashSet<>(names));
  }

  /** Returns the name and position; the full record would repeat every ancestor. */
  @Override
  public String toString() {
    return "interface " + name + " (" + position + ")";
  }
}
