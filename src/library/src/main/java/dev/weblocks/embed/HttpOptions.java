package dev.weblocks.embed;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/**
 * The limits of a loader of {@link ResourceLoader#http(HttpOptions)}. Immutable.
 *
 * {@snippet file="dev/weblocks/embed/WindowExamplesTest.java" region="httpOptions"}
 */
public final class HttpOptions {

  final Duration connectTimeout;
  final Duration timeout;
  final int maxBodyBytes;

  /** Returns the predicate of a loader; the default one has a state for each loader. */
  final Supplier<BiPredicate<? super ResourceRequest, ? super InetAddress>> addresses;

  private HttpOptions(Builder builder) {
    connectTimeout = builder.connectTimeout;
    timeout = builder.timeout;
    maxBodyBytes = builder.maxBodyBytes;
    addresses = builder.addresses;
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /** A builder for the options of a loader. Not thread-safe. */
  public static final class Builder {
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration timeout = Duration.ofSeconds(60);
    private int maxBodyBytes = 1 << 28;
    private Supplier<BiPredicate<? super ResourceRequest, ? super InetAddress>> addresses =
        AddressRule::new;

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

    /**
     * Sets which addresses requests may reach. By default a request reaches the address space of
     * the pages and redirects that it {@linkplain ResourceRequest#origins comes from}, and more
     * public ones: loopback pages reach all addresses, pages of a local network reach local and
     * public addresses, and public pages reach public addresses only. A page whose address is
     * unknown is public. Requests of the embedder reach all addresses.
     *
     * <p>The JDK resolves the host of each request before the predicate is called, and again for
     * the connection. Both get the same addresses while the JDK caches them, by default for 30
     * seconds. For a host that only a proxy can resolve, the predicate is not called.
     *
     * @param allowed called for each address of the host of each request, also after a redirect, on
     *     any thread, possibly on several at once; a request is a network error if it returns false
     *     for one address or throws. {@code (request, address) -> true} allows all addresses
     */
    public Builder addresses(BiPredicate<? super ResourceRequest, ? super InetAddress> allowed) {
      Objects.requireNonNull(allowed, "allowed");
      this.addresses = () -> allowed;
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
