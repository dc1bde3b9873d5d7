/**
 * The {@code crypto} object: random values from the user agent's {@link
 * dev.weblocks.agent.RandomSource}.
 *
 * @see <a href="https://w3c.github.io/webcrypto/">Web Cryptography</a>
 */
@NullMarked
package dev.weblocks.crypto;

import org.jspecify.annotations.NullMarked;
