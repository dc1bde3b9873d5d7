/**
 * Events and abort signals: the interfaces of the DOM Standard that do not concern documents.
 *
 * @see <a href="https://dom.spec.whatwg.org/">DOM Standard</a>
 */
@NullMarked
package dev.weblocks.dom;

import org.jspecify.annotations.NullMarked;
