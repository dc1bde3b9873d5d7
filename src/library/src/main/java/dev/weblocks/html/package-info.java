/**
 * Windows and documents: {@code Window}, {@code Navigator}, {@code Location}, and a small DOM over
 * jsoup's tree.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/">HTML</a>
 */
@NullMarked
package dev.weblocks.html;

import org.jspecify.annotations.NullMarked;
