/** URLs, below and above the binding. */
@NullMarked
package dev.weblocks.url;

import org.jspecify.annotations.NullMarked;
