/**
 * Expectations of tests in files written by users: the format, its validation, the judgement of
 * results, and the update of files from results. {@code wpt-harness/README.md} describes the
 * format.
 *
 * <p>{@link dev.weblocks.harness.wpt.expect.Expectations} reads the files and judges results;
 * {@link dev.weblocks.harness.wpt.expect.ExpectationWriter} rewrites them.
 */
@NullMarked
package dev.weblocks.harness.wpt.expect;

import org.jspecify.annotations.NullMarked;
