/**
 * Tests that run scripts in many orders of their steps. {@link dev.weblocks.explore.Explore} makes
 * a JUnit test of a method that sets up a {@link dev.weblocks.explore.Scene}; {@link
 * dev.weblocks.explore.Exploration} does the same without JUnit.
 */
@NullMarked
package dev.weblocks.explore;

import org.jspecify.annotations.NullMarked;
