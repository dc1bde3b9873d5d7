package dev.weblocks.lockmanager.message;

import org.jspecify.annotations.Nullable;

/**
 * Who asked for a lock, in words for people. Nothing of it counts for the lock managers.
 *
 * @param agent the name of the agent
 * @param url of the document or worker
 * @param origin serialized
 * @param bucket the name of the storage bucket
 * @param position of the call in a script, as {@code url:line:column}; null if it is not known
 */
public record LockAsker(
    String agent, String url, String origin, String bucket, @Nullable String position) {

  /** The same asker at another position. */
  public LockAsker at(@Nullable String newPosition) {
    return new LockAsker(agent, url, origin, bucket, newPosition);
  }
}
