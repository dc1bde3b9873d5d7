package dev.weblocks.lockmanager.earlydraft;

import dev.weblocks.lockmanager.message.LockRequester;
import org.jspecify.annotations.Nullable;

/**
 * The source of a request, for diagnoses.
 *
 * @param position of the call in a script, as {@code url:line:column}; null if it is not known
 */
public record RequestSource(LockRequester requester, @Nullable String position) {}
