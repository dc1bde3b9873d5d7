package dev.weblocks.model;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A held lock, or a request that waits for a lock.
 *
 * @param origin serialized, such as {@code https://one.test}
 * @param bucket the name of the storage bucket of the lock manager; {@code default} for the bucket
 *     of {@code navigator.locks}
 * @param manager an opaque id of the lock manager: one origin has several, such as one for each
 *     top-level site
 * @param name the resource name, any UTF-16 string
 * @param mode the mode of the lock or request
 * @param place 0 for a held lock; for a request, its place in the queue of the name, from 1
 * @param requestId unique in the user agent; a request keeps it when it becomes a lock. In the
 *     early draft, a lock or request with several names has several entries with this id
 * @param reentrant whether this is a reentrant lock, or a request for one; always false without
 *     {@link Variant#REENTRANT}
 * @param clientId the id of the document, worker or {@link dev.weblocks.embed.LockClient}, as
 *     {@code clientId} of {@code query()}
 * @param agent the name of the agent, such as {@code window-1}, or of the {@link
 *     dev.weblocks.embed.LockClient}
 * @param url of the document or worker; empty for a {@link dev.weblocks.embed.LockClient}
 * @param age the time since a lock was granted, or since a request was made, by the clock of the
 *     driver
 * @param position of the call of {@code request()} in a script, as {@code url:line:column}; null if
 *     no script called it or positions are not recorded, see {@link
 *     dev.weblocks.embed.UserAgent.Builder#lockPositions}
 */
public record LockEntry(
    String origin,
    String bucket,
    String manager,
    String name,
    LockMode mode,
    int place,
    long requestId,
    boolean reentrant,
    String clientId,
    String agent,
    String url,
    Duration age,
    @Nullable String position) {

  public LockEntry {
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(manager, "manager");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(clientId, "clientId");
    Objects.requireNonNull(agent, "agent");
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(age, "age");
  }

  /** Returns whether this is a held lock rather than a waiting request. */
  public boolean isHeld() {
    return place == 0;
  }
}
