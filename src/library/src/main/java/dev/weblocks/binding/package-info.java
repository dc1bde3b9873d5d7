/**
 * The Web IDL binding. It turns the model of {@code dev.weblocks.idl} into interface objects of a
 * realm, and calls from script into calls of Java.
 *
 * <p>Script gets ordinary JavaScript objects whose Java implementation is in a private slot. It
 * never gets a host object or a proxy object of Java. Brand checks, argument counts, overloads and
 * conversions happen in JavaScript, which {@link dev.weblocks.binding.InterfaceCode} generates from
 * the model and the prelude installs; behaviour is Java code, registered in {@link
 * dev.weblocks.binding.Implementations}. The entry from script to Java is {@link
 * dev.weblocks.binding.Seam}.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#javascript-binding">Web IDL</a>
 */
@NullMarked
package dev.weblocks.binding;

import org.jspecify.annotations.NullMarked;
