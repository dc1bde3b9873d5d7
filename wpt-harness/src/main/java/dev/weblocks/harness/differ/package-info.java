/**
 * Generated programs of Web Locks that run in engines and in a model of the Working Draft, for
 * {@code weblocks differ}.
 *
 * <p>A seed gives a {@code Program}: statements of several realms. It is rendered to files that any
 * engine runs, and interpreted by the model without JavaScript. An observation conforms if some
 * schedule of the model gives the same lines.
 */
@NullMarked
package dev.weblocks.harness.differ;

import org.jspecify.annotations.NullMarked;
