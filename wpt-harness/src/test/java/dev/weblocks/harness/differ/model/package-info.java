/** Tests of the model. */
@NullMarked
package dev.weblocks.harness.differ.model;

import org.jspecify.annotations.NullMarked;
