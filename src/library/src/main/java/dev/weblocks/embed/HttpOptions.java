package dev.weblocks.embed;

import java.time.Duration;

/**
 * The options of {@link ResourceLoader#http}.
 *
 * @param connectTimeout the timeout for a connection; positive
 * @param timeout the timeout for the whole response with its body; positive
 * @param maxBodyBytes the maximum size of the body of a response; a longer one is a network error;
 *     at least 0
 */
public record HttpOptions(Duration connectTimeout, Duration timeout, int maxBodyBytes) {

  /** Ten seconds for a connection, a minute and 256 MiB for a response. */
  public static final HttpOptions DEFAULT =
      new HttpOptions(Duration.ofSeconds(10), Duration.ofSeconds(60), 1 << 28);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public HttpOptions {
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("timeout", timeout);
    if (maxBodyBytes < 0) {
      throw new IllegalArgumentException("maxBodyBytes is " + maxBodyBytes + "; use at least 0");
    }
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + "; use a positive time");
    }
  }

  public HttpOptions withConnectTimeout(Duration value) {
    return new HttpOptions(value, timeout, maxBodyBytes);
  }

  public HttpOptions withTimeout(Duration value) {
    return new HttpOptions(connectTimeout, value, maxBodyBytes);
  }

  public HttpOptions withMaxBodyBytes(int value) {
    return new HttpOptions(connectTimeout, timeout, value);
  }
}
