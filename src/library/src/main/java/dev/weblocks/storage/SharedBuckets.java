package dev.weblocks.storage;

import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.UserAgent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The named buckets of a user agent that shares them with other user agents: their names, and when
 * each is deleted. Their data and options are not shared. All calls of a user agent take effect in
 * their order. Answers arrive on any thread, outside of monitors of this package. Thread-safe.
 */
public interface SharedBuckets {

  /** The part of a configuration that decides whether buckets are shared. */
  interface Source extends Configuration.Part {

    /** Returns the shared buckets of a user agent; null if it shares none. */
    @Nullable SharedBuckets sharedBuckets(UserAgent userAgent);
  }

  /**
   * The answer to a call.
   *
   * @param isOpen whether the bucket exists
   * @param refusal the reason why the call had no effect; null if it had
   */
  record Answer(boolean isOpen, @Nullable String refusal) {}

  /** Returns the number of a new bucket, unique in the user agent; at least 1. */
  long nextOpening();

  /**
   * Opens the current incarnation of a name, or a new one if there is none. The bucket is
   * {@linkplain Bucket#remove removed} when that incarnation is deleted, and {@linkplain
   * Bucket#refuse refused} if it cannot be opened.
   *
   * @param bucket with a new number
   * @param key the name with its storage key, equal in all user agents
   */
  void open(Bucket bucket, String key);

  /**
   * Checks whether a bucket still exists, for all user agents.
   *
   * @param answer gets the answer, which takes all earlier deletions by any user agent into account
   */
  void check(Bucket bucket, Consumer<Answer> answer);

  /**
   * Deletes the current incarnation of a name, if there is one.
   *
   * @param answer gets the answer when it is deleted for all user agents
   */
  void delete(String name, String key, Consumer<Answer> answer);

  /** Deletes the incarnation that a bucket has opened, because the bucket has expired. */
  void expire(Bucket bucket, String key);
}
