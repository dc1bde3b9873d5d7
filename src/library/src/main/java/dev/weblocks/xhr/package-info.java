/**
 * {@code XMLHttpRequest}, {@code FileReader} and their progress events, and {@code FileReaderSync}.
 *
 * <p>{@code FormData} is in {@link dev.weblocks.fetch}, since the bodies of requests and responses
 * can be forms. {@code FileReader} is here and not beside {@code Blob}, since it fires progress
 * events and reads MIME types.
 *
 * @see <a href="https://xhr.spec.whatwg.org/">XMLHttpRequest Standard</a>
 */
@NullMarked
package dev.weblocks.xhr;

import org.jspecify.annotations.NullMarked;
