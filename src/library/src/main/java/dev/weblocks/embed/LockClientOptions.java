package dev.weblocks.embed;

import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link LockClient}: its lock manager, name and executor. Immutable.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="lockClientOptions"}
 */
public final class LockClientOptions {

  final String origin;
  final String topLevelOrigin;
  final @Nullable String bucket;
  final String name;
  final @Nullable Executor executor;

  private LockClientOptions(Builder builder) {
    origin = builder.origin;
    topLevelOrigin = builder.topLevelOrigin;
    bucket = builder.bucket;
    name = builder.name;
    executor = builder.executor;
  }

  /**
   * Returns a builder. By default the client uses the locks of {@code navigator.locks} in top-level
   * windows of the origin.
   *
   * @param origin as {@code location.origin} shows it, such as {@code https://shop.test}. Script
   *     has locks only in secure contexts: https, or an origin of this machine, such as localhost.
   *     {@link UserAgent#openLockClient(LockClientOptions)} refuses any other
   */
  public static Builder newBuilder(String origin) {
    return new Builder(Objects.requireNonNull(origin, "origin"));
  }

  /** A builder for the options of a lock client. Not thread-safe. */
  public static final class Builder {
    private final String origin;
    private String topLevelOrigin;
    private @Nullable String bucket;
    private String name = "";
    private @Nullable Executor executor;

    private Builder(String origin) {
      this.origin = origin;
      this.topLevelOrigin = origin;
    }

    /**
     * Sets the origin of the top-level page; default is the origin of the client. If that page is
     * of another site, the client uses the separate locks that frames of the client's origin have
     * in pages of that site.
     */
    public Builder topLevelOrigin(String topLevelOrigin) {
      this.topLevelOrigin = Objects.requireNonNull(topLevelOrigin, "topLevelOrigin");
      return this;
    }

    /**
     * Sets the name of a storage bucket, which is opened as by {@code
     * navigator.storageBuckets.open(name)}; default is the bucket of {@code navigator.locks}. Once
     * the bucket is deleted, in a lock cluster by any user agent, requests fail with an {@link
     * IllegalStateException}.
     */
    public Builder bucket(String bucket) {
      this.bucket = Objects.requireNonNull(bucket, "bucket");
      return this;
    }

    /**
     * Sets the name of the client in {@link dev.weblocks.model.LockEntry#agent()} and events;
     * default is a generated name.
     */
    public Builder name(String name) {
      this.name = Objects.requireNonNull(name, "name");
      return this;
    }

    /**
     * Sets the executor for dependents of the futures of the client, see {@link LockClient}; by
     * default the driver runs them.
     *
     * @param executor must not run a task on the submitting thread; a rejected task runs on the
     *     driver
     * @throws IllegalArgumentException if the executor runs a task on the submitting thread, such
     *     as {@code Runnable::run}; an empty task is submitted to find out
     */
    public Builder executor(Executor executor) {
      DirectExecutors.refuse(executor);
      this.executor = executor;
      return this;
    }

    public LockClientOptions build() {
      return new LockClientOptions(this);
    }
  }
}
