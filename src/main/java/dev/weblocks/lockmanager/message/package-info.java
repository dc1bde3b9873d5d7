/**
 * The written contract between agents and the lock task queue: what agents ask (commands) and what
 * the lock managers answer (effects).
 *
 * <p>Messages hold ids and values alone. Callbacks, promises and abort signals stay with the agent
 * that made the request, so that a message may cross threads, be recorded, or be sent elsewhere.
 * Everything here is immutable.
 *
 * <p>Section and step numbers are those of the draft that the package {@code
 * dev.weblocks.lockmanager} pins.
 */
@NullMarked
package dev.weblocks.lockmanager.message;

import org.jspecify.annotations.NullMarked;
