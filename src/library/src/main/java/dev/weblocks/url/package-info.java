/**
 * The URLs of the URL Standard: the record, its parser and serializer, and the interfaces {@code
 * URL} and {@code URLSearchParams}. Every URL from script, a page or the embedder is parsed here.
 *
 * @see <a href="https://url.spec.whatwg.org/">URL Standard</a>
 */
@NullMarked
package dev.weblocks.url;

import org.jspecify.annotations.NullMarked;
