package dev.weblocks.fetch;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A network error. Its message is for the host: script must not see why a fetch failed.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#concept-network-error">network error</a>
 */
public final class NetworkErrorException extends IOException {

  private static final long serialVersionUID = 1;

  public NetworkErrorException(String reason) {
    super(reason);
  }

  NetworkErrorException(String reason, @Nullable Throwable cause) {
    super(reason, cause);
  }

  /** Returns an exception whose message begins with the URL of the request. */
  static NetworkErrorException of(FetchRequest request, String reason) {
    return new NetworkErrorException(request.url() + ": " + reason);
  }
}
