/**
 * The interfaces of the DOM Standard that are not documents: events and aborting.
 *
 * @see <a href="https://dom.spec.whatwg.org/">DOM Standard</a>
 */
@NullMarked
package dev.weblocks.dom;

import org.jspecify.annotations.NullMarked;
