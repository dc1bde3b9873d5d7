/**
 * Storage: keys and sites, shelves and buckets, {@code localStorage}, {@code sessionStorage},
 * {@code navigator.storage} and {@code navigator.storageBuckets}. All data is in memory and ends
 * with the user agent, or the window, that it belongs to.
 *
 * <p>The steps that the specifications run on a parallel queue are synchronized methods of {@link
 * dev.weblocks.storage.StorageShelf} or {@link dev.weblocks.storage.Bucket}, called directly by the
 * API; promises are settled by tasks of the storage task source. With {@link
 * dev.weblocks.storage.SharedBuckets}, {@code open()} and {@code delete()} wait for their answer.
 *
 * @see <a href="https://storage.spec.whatwg.org/">Storage Standard</a>
 * @see <a href="https://html.spec.whatwg.org/multipage/webstorage.html">HTML: Web storage</a>
 * @see <a href="https://wicg.github.io/storage-buckets/">Storage Buckets</a>
 */
@NullMarked
package dev.weblocks.storage;

import org.jspecify.annotations.NullMarked;
