/**
 * Messages between agents: structured serialization and {@code MessageEvent}.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/comms.html">HTML: Communication</a>
 */
@NullMarked
package dev.weblocks.messaging;

import org.jspecify.annotations.NullMarked;
