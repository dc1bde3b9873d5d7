/** Tests of messaging: channels, ports and structured serialization. */
@NullMarked
package dev.weblocks.messaging;

import org.jspecify.annotations.NullMarked;
