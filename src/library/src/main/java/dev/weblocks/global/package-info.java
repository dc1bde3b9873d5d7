/**
 * The common part of windows and workers: the {@code WindowOrWorkerGlobalScope} mixin, timers,
 * reporting of exceptions and rejections, and {@code performance}.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webappapis.html">HTML: Web application
 *     APIs</a>
 */
@NullMarked
package dev.weblocks.global;

import org.jspecify.annotations.NullMarked;
