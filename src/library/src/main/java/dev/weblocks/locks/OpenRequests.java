package dev.weblocks.locks;

import dev.weblocks.agent.Agent;
import dev.weblocks.agent.LimitExceeded;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.Limit;
import dev.weblocks.model.Limits;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The waiting requests and held locks of one client by their ids, with the limits of their number.
 * Used on the event loop, except {@link #clear}.
 *
 * @param <I> the ids
 * @param <R> the requests
 */
public final class OpenRequests<I, R> {

  /** The number of open requests of each origin of a user agent. */
  private record Origins(Map<String, OfOrigin> counts) {}

  /** The number of open requests of an origin, and of the clients that refer to it. */
  private static final class OfOrigin {
    final AtomicInteger requests = new AtomicInteger();

    /** Changed in atomic steps of the map only. */
    int clients;
  }

  private final Agent agent;
  private final Limits limits;
  private final Map<I, R> byId = new HashMap<>();

  private final Origins origins;
  private final String origin;

  /** The number of open requests of all clients of the origin. */
  private final AtomicInteger ofOrigin;

  /** The share of this client in {@link #ofOrigin}. */
  private int counted;

  private boolean isCleared;

  public OpenRequests(Realm realm) {
    agent = realm.agent();
    UserAgent userAgent = agent.userAgent();
    limits = userAgent.configuration().limits();
    origins =
        userAgent.supplements().get(Origins.class, () -> new Origins(new ConcurrentHashMap<>()));
    origin = realm.settings().origin().serialize();
    ofOrigin =
        origins.counts.compute(
                origin,
                (name, known) -> {
                  OfOrigin counted = known == null ? new OfOrigin() : known;
                  counted.clients++;
                  return counted;
                })
            .requests;
  }

  /**
   * Requires that another request is within the limits.
   *
   * @param operation the start of the message
   * @throws LimitExceeded a QuotaExceededError for script
   */
  public void requireRoom(String operation) {
    if (byId.size() >= limits.lockRequestsPerClient()) {
      throw agent.refusal(
          Limit.LOCK_REQUESTS_PER_CLIENT,
          operation
              + "There are "
              + limits.lockRequestsPerClient()
              + " locks and requests, which is the limit.");
    }
    if (ofOrigin.get() >= limits.lockRequestsPerOrigin()) {
      throw agent.refusal(
          Limit.LOCK_REQUESTS_PER_ORIGIN,
          operation
              + "There are "
              + limits.lockRequestsPerOrigin()
              + " locks and requests of this origin, which is the limit.");
    }
  }

  /**
   * Requires that the name of a lock is within the limit.
   *
   * @param operation the start of the message
   * @throws LimitExceeded a QuotaExceededError for script
   */
  public void requireLength(String name, String operation) {
    if (name.length() > limits.lockNameLength()) {
      throw agent.refusal(
          Limit.LOCK_NAME_LENGTH,
          operation + "The name is longer than " + limits.lockNameLength() + " code units.");
    }
  }

  /** Adds a request, whose id is not in use. */
  public void put(I id, R request) {
    if (byId.isEmpty()) {
      agent.freezing().becomesInvolved();
    }
    byId.put(id, request);
    count(1);
  }

  public @Nullable R get(I id) {
    return byId.get(id);
  }

  /** Removes a request; returns null if there is none. */
  public @Nullable R remove(I id) {
    R removed = byId.remove(id);
    if (removed != null) {
      count(-1);
    }
    return removed;
  }

  /** Removes a request if it is the one of that id; returns whether it was. */
  public boolean remove(I id, R request) {
    boolean removed = byId.remove(id, request);
    if (removed) {
      count(-1);
    }
    return removed;
  }

  private void count(int change) {
    counted += change;
    ofOrigin.addAndGet(change);
  }

  public boolean isEmpty() {
    return byId.isEmpty();
  }

  public Collection<R> all() {
    return byId.values();
  }

  /** Removes all requests. Called when no script of the client can run any more; idempotent. */
  public void clear() {
    count(-counted);
    byId.clear();
    if (!isCleared) {
      isCleared = true;
      origins.counts.computeIfPresent(origin, (name, known) -> --known.clients == 0 ? null : known);
    }
  }
}
