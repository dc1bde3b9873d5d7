/** Tests of events and aborting as pages see them. */
@NullMarked
package dev.weblocks.dom;

import org.jspecify.annotations.NullMarked;
