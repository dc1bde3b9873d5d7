/**
 * What is expected of tests, as files that people write: the format, what makes no sense in it, how
 * a result is judged by it, and how the files are brought in line with results. {@code
 * wpt-harness/README.md} describes the format.
 *
 * <p>{@link dev.weblocks.wpt.expect.Expectations} read the files and judge; {@link
 * dev.weblocks.wpt.expect.ExpectationWriter} rewrites them.
 */
@NullMarked
package dev.weblocks.wpt.expect;

import org.jspecify.annotations.NullMarked;
