/** Untrusted text in a form that is harmless to display. */
@NullMarked
package dev.weblocks.explore.text;

import org.jspecify.annotations.NullMarked;
