/**
 * The Web IDL binding: turns the model of {@code dev.weblocks.idl} into interface objects of a
 * realm, and calls from script into calls of Java.
 *
 * <p>Script gets ordinary JavaScript objects whose Java implementation sits in a private slot; no
 * host object and no proxy of ours is ever in its hands. Brand checks, argument counts, overloads
 * and conversions happen in the prelude, by tables that {@link dev.weblocks.binding.TypeTables}
 * writes from the model; behaviour is Java, registered by {@link
 * dev.weblocks.binding.Implementations}. The one seam from script to Java is {@link
 * dev.weblocks.binding.Seam}.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#javascript-binding">Web IDL</a>
 */
@NullMarked
package dev.weblocks.binding;

import org.jspecify.annotations.NullMarked;
