/** Tests that inject faults. */
@NullMarked
package dev.weblocks.fault;

import org.jspecify.annotations.NullMarked;
