/** Tests of documents as pages see them. */
@NullMarked
package dev.weblocks.html;

import org.jspecify.annotations.NullMarked;
