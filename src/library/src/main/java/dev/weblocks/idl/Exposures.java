package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The algorithms that determine where definitions and their members are exposed.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#Exposed">[Exposed]</a>
 */
final class Exposures {

  private Exposures() {}

  /** Returns the exposure of a definition, from its own extended attributes. */
  static Exposure of(Definition definition) {
    Exposure own = ownExposure(definition.extendedAttributes());
    if (own == null) {
      throw new IdlModelException(
          definition.position(),
          "%s \"%s\" has no [Exposed]; add it, for example [Exposed=Window] or [Exposed=*]"
              .formatted(definition.inWords(), definition.name()));
    }
    return conditionally(own, List.of(definition.extendedAttributes()));
  }

  /**
   * Returns the exposure of a member that {@code original} has, possibly through a partial or mixin
   * in {@code between}. The algorithms <a
   * href="https://webidl.spec.whatwg.org/#dfn-exposure-set">exposure set</a> and <a
   * href="https://webidl.spec.whatwg.org/#dfn-conditionally-exposed">conditionally exposed</a> both
   * examine first the member, then {@code between}, then {@code original}.
   */
  static Exposure ofMember(
      Member member, Definition original, List<Definition> between, @Nullable Exposure host) {
    List<ExtendedAttributes> wayUp = new ArrayList<>();
    wayUp.add(member.extendedAttributes());
    between.forEach(definition -> wayUp.add(definition.extendedAttributes()));
    if (member.extendedAttributes().has("Exposed")
        && !between.isEmpty()
        && !(between.getFirst() instanceof Definition.Mixin mixin && !mixin.partial())
        && between.getFirst().extendedAttributes().has("Exposed")) {
      throw new IdlModelException(
          member.position(),
          "[Exposed] is both on a member and on the partial \""
              + original.name()
              + "\" that declares it; drop one");
    }
    Exposure set = null;
    for (ExtendedAttributes attributes : wayUp) {
      Exposure own = ownExposure(attributes);
      if (own != null) {
        set = exposureSetIntersection(own, host);
        break;
      }
    }
    if (set == null) {
      set = of(original);
    }
    wayUp.add(original.extendedAttributes());
    return conditionally(set, wayUp);
  }

  /** Computes https://webidl.spec.whatwg.org/#exposure-set-intersection. */
  private static Exposure exposureSetIntersection(Exposure own, @Nullable Exposure host) {
    if (host == null || host.everywhere()) { // 3 and 5
      return own;
    }
    if (own.everywhere()) { // 4
      return host;
    }
    Set<String> both = new LinkedHashSet<>(own.globals()); // 6
    both.retainAll(host.globals());
    return new Exposure(false, both, false, false);
  }

  /** <a href="https://webidl.spec.whatwg.org/#own-exposure-set">own exposure set</a>, or null */
  private static @Nullable Exposure ownExposure(ExtendedAttributes attributes) {
    ExtendedAttribute exposed = attributes.get("Exposed");
    if (exposed == null) {
      return null;
    }
    if (exposed.value() instanceof ExtendedAttribute.Value.Wildcard) {
      return new Exposure(true, Set.of(), false, false);
    }
    if (exposed.identifiers().isEmpty()) {
      throw new IdlModelException(
          exposed.position(),
          "[Exposed] must take an identifier, a list of identifiers in parentheses, or *");
    }
    return new Exposure(false, new LinkedHashSet<>(exposed.identifiers()), false, false);
  }

  private static Exposure conditionally(Exposure set, List<ExtendedAttributes> wayUp) {
    return new Exposure(
        set.everywhere(),
        set.globals(),
        wayUp.stream().anyMatch(attributes -> attributes.has("SecureContext")),
        wayUp.stream().anyMatch(attributes -> attributes.has("CrossOriginIsolated")));
  }
}
