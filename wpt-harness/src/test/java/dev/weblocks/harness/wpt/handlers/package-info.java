@NullMarked
package dev.weblocks.harness.wpt.handlers;

import org.jspecify.annotations.NullMarked;
