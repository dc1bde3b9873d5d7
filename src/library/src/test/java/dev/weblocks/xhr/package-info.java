@NullMarked
package dev.weblocks.xhr;

import org.jspecify.annotations.NullMarked;
