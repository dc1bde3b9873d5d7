/**
 * Messages within agents and between them: structured serialization, message ports, broadcast
 * channels and {@code MessageEvent}.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/comms.html">HTML: Communication</a>
 */
@NullMarked
package dev.weblocks.messaging;

import org.jspecify.annotations.NullMarked;
