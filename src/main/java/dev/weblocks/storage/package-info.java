/**
 * Storage as far as it decides who shares what: storage keys and buckets.
 *
 * @see <a href="https://storage.spec.whatwg.org/">Storage Standard</a>
 */
@NullMarked
package dev.weblocks.storage;

import org.jspecify.annotations.NullMarked;
