package dev.weblocks.binding;

/**
 * A platform object in transit between realms.
 *
 * @param interfaceName the name of its interface
 * @param state the result of its serialization or transfer steps: independent of any context and
 *     usable on any thread; immutable if it is a copy
 * @see <a href="https://html.spec.whatwg.org/multipage/structured-data.html#serializable-objects">
 *     HTML</a>
 */
public record SerializedPlatformObject(String interfaceName, Object state) {}
