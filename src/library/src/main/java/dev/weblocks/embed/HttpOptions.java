package dev.weblocks.embed;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of a loader of {@link ResourceLoader#http(HttpOptions)}. Immutable.
 *
 * {@snippet file="dev/weblocks/embed/WindowExamplesTest.java" region="httpOptions"}
 */
public final class HttpOptions {

  final Duration connectTimeout;
  final Duration timeout;
  final int maxBodyBytes;

  private HttpOptions(Builder builder) {
    connectTimeout = builder.connectTimeout;
    timeout = builder.timeout;
    maxBodyBytes = builder.maxBodyBytes;
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /** A builder for the options of a loader. Not thread-safe. */
  public static final class Builder {
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration timeout = Duration.ofSeconds(60);
    private int maxBodyBytes = 1 << 28;

    private Builder() {}

    /**
     * Sets the timeout for a connection; default is ten seconds.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = positive("connectTimeout", connectTimeout);
      return this;
    }

    /**
     * Sets the timeout for the whole response with its body; default is one minute.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder timeout(Duration timeout) {
      this.timeout = positive("timeout", timeout);
      return this;
    }

    /**
     * Sets the maximum size of the body of a response; a longer body causes a network error.
     * Default is 256 MiB.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Builder maxBodyBytes(int maxBodyBytes) {
      if (maxBodyBytes < 0) {
        throw new IllegalArgumentException("maxBodyBytes is " + maxBodyBytes + "; use at least 0");
      }
      this.maxBodyBytes = maxBodyBytes;
      return this;
    }

    private static Duration positive(String name, Duration value) {
      if (Objects.requireNonNull(value, name).isNegative() || value.isZero()) {
        throw new IllegalArgumentException(name + " is " + value + "; use a positive time");
      }
      return value;
    }

    public HttpOptions build() {
      return new HttpOptions(this);
    }
  }
}
