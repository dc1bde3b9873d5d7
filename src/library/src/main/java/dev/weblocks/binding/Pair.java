package dev.weblocks.binding;

/**
 * One of the pairs that an object of an iterable interface iterates over.
 *
 * @param key a value that {@link ScriptValues#toScript} takes
 * @param value a value that {@link ScriptValues#toScript} takes
 * @see <a href="https://webidl.spec.whatwg.org/#dfn-value-pairs-to-iterate-over">Web IDL</a>
 */
public record Pair(Object key, Object value) {}
