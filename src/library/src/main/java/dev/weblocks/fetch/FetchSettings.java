package dev.weblocks.fetch;

import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.ModuleResolver;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings for the fetches of a user agent.
 *
 * @param fetcher the source of resources
 * @param interceptors returns the interceptor of a user agent; called for each use
 * @param moduleResolver resolves bare module specifiers; null for none
 */
public record FetchSettings(
    Fetcher fetcher,
    Function<UserAgent, ? extends FetchInterceptor> interceptors,
    @Nullable ModuleResolver moduleResolver)
    implements Configuration.Part {

  /** Returns settings without service workers. */
  public static FetchSettings withoutInterceptor(Fetcher fetcher) {
    return new FetchSettings(fetcher, userAgent -> request -> null, null);
  }

  static FetchSettings of(UserAgent userAgent) {
    return userAgent.configuration().part(FetchSettings.class, () -> NONE);
  }

  private static final FetchSettings NONE =
      withoutInterceptor((userAgent, request) -> {
        throw new IllegalStateException("the user agent was made without a fetcher");
      });
}
