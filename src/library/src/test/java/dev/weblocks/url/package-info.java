/** Tests of URLs, in Java and through the binding. */
@NullMarked
package dev.weblocks.url;

import org.jspecify.annotations.NullMarked;
