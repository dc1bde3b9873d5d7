package dev.weblocks.model;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step in the life of a lock request and of the lock that it becomes.
 *
 * @param requestId the same in all events of one request and its lock; unique in its user agent
 * @param origin serialized, such as {@code https://one.test}
 * @param bucket the name of the storage bucket; {@code default} for that of {@code navigator.locks}
 * @param name the resource name, any UTF-16 string
 * @param mode the mode of the request or lock
 * @param clientId the id of the document, worker or {@link dev.weblocks.embed.LockClient}, as
 *     {@code clientId} of {@code query()}
 * @param agent the name of the agent, such as {@code window-1}, or of the {@link
 *     dev.weblocks.embed.LockClient}
 * @param url of the document or worker; empty for a {@link dev.weblocks.embed.LockClient}
 * @param age by the clock of the driver: for a grant or abort, the time for which the request
 *     waited; for a release or steal, the time for which the lock was held; zero otherwise
 * @param clientEnded whether the request was aborted or the lock released because its document,
 *     worker or {@link dev.weblocks.embed.LockClient} has ended
 * @param stolenBy the id of the client that stole the lock; null unless it was stolen
 */
public record LockEvent(
    long requestId,
    String origin,
    String bucket,
    String name,
    LockMode mode,
    String clientId,
    String agent,
    String url,
    Duration age,
    boolean clientEnded,
    @Nullable String stolenBy) {

  public LockEvent {
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(clientId, "clientId");
    Objects.requireNonNull(agent, "agent");
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(age, "age");
  }
}
