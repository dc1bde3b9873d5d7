/** Tests of messaging: structured serialization within an agent. */
@NullMarked
package dev.weblocks.messaging;

import org.jspecify.annotations.NullMarked;
