package dev.weblocks.binding;

/**
 * A platform object between realms.
 *
 * @param interfaceName its interface
 * @param state what its serialization or transfer steps made: immutable, of no context, for any
 *     thread
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html#serializable-objects">
 *     HTML</a>
 */
public record SerializedPlatformObject(String interfaceName, Object state) {}
