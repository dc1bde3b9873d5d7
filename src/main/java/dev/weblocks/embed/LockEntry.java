package dev.weblocks.embed;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held, or a request that waits for one.
 *
 * @param origin serialized, such as {@code https://one.test}
 * @param bucket the name of the storage bucket whose lock manager it is; {@code default} for that
 *     of {@code navigator.locks}
 * @param manager tells lock managers apart, such as those of one origin below different top-level
 *     sites; opaque
 * @param name the resource name, any UTF-16 string
 * @param mode held or asked for
 * @param place 0 for a lock that is held; of a request, its place in the queue of the name, from 1
 * @param request tells requests of one user agent apart, and the locks that they become; entries
 *     with the same number are one lock of the early draft, or one request, with several names
 * @param reentrant whether the client may enter the name again by this lock, or asks for such a
 *     one; never without {@link Variant#REENTRANT}
 * @param clientId the document, worker or {@link LockClient}, as {@code clientId} of {@code
 *     query()} has it
 * @param agent the name of its agent, such as {@code window-1}, or of the {@link LockClient}
 * @param url of the document or worker; empty for a {@link LockClient}
 * @param time for how long it has been held or has waited, by the clock of the driver
 * @param position where a script called {@code request()}, as {@code url:line:column}; null if no
 *     script did or positions are not taken, see {@link UserAgent.Builder#lockPositions}
 */
public record LockEntry(
    String origin,
    String bucket,
    String manager,
    String name,
    Mode mode,
    int place,
    long request,
    boolean reentrant,
    String clientId,
    String agent,
    String url,
    Duration time,
    @Nullable String position) {

  /** The modes of locks. */
  public enum Mode {
    /** Many may hold the name at once. */
    SHARED,
    /** One holds the name. */
    EXCLUSIVE
  }

  /** Whether it is held; it waits otherwise. */
  public boolean isHeld() {
    return place == 0;
  }
}
