@NullMarked
package dev.weblocks.wpt.handlers;

import org.jspecify.annotations.NullMarked;
