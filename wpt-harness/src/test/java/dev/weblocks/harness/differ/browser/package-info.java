/** Tests of browsers as engines. */
@NullMarked
package dev.weblocks.harness.differ.browser;

import org.jspecify.annotations.NullMarked;
