/**
 * The messages between agents and the lock task queue: commands of agents, and effects as answers
 * of the lock managers.
 *
 * <p>Messages contain only ids and values. Callbacks, promises and abort signals stay with the
 * agent that made the request, so a message can cross threads, be recorded, or be sent to another
 * process. Everything here is immutable.
 *
 * <p>Section and step numbers are those of the draft that the package {@code
 * dev.weblocks.lockmanager} pins.
 */
@NullMarked
package dev.weblocks.lockmanager.message;

import org.jspecify.annotations.NullMarked;
