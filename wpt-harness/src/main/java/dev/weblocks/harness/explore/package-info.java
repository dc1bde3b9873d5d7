/**
 * The scenarios of {@code weblocks explore}: scripts of the user, and web-platform-tests; and its
 * report as JSON. The module {@code weblocks-explore} runs them under many schedules.
 */
@NullMarked
package dev.weblocks.harness.explore;

import org.jspecify.annotations.NullMarked;
