package dev.weblocks.idl;

/**
 * The <a href="https://webidl.spec.whatwg.org/#LegacyFactoryFunction">legacy factory functions</a>
 * of one identifier, for example {@code Image} of {@code HTMLImageElement}.
 *
 * @param name the identifier, a property of the global object
 * @param overloads their argument lists and overload sets; never empty
 */
public record LegacyFactoryFunction(
    String name, Overloads<ExtendedAttribute.Value.NamedArgumentList> overloads) {}
