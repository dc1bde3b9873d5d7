/**
 * The interfaces of the DOM Standard for events and abort signals.
 *
 * @see <a href="https://dom.spec.whatwg.org/">DOM Standard</a>
 */
@NullMarked
package dev.weblocks.dom;

import org.jspecify.annotations.NullMarked;
