/** Tests of service workers. */
@NullMarked
package dev.weblocks.serviceworkers;

import org.jspecify.annotations.NullMarked;
