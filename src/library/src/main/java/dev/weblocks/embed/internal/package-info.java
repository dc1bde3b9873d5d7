/** Extensions of the public API for the tools of this project: not exported by the module. */
@NullMarked
package dev.weblocks.embed.internal;

import org.jspecify.annotations.NullMarked;
