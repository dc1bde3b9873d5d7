package dev.weblocks.harness.differ;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Weblocks: each program runs in a user agent of its own. */
public final class WeblocksEngine implements Engine {

  /** The name of this engine. */
  public static final String NAME = "weblocks";

  private static final String ORIGIN = "https://differ.test";

  /** Stack of a thread that runs agents; deeply recursive scripts need it. */
  private static final long STACK_BYTES = 16L << 20;

  private final EngineSettings settings;
  private final Environment environment;
  private final @Nullable Driver pool;

  /**
   * Creates an engine with, in real time, a driver of its own.
   *
   * @param environment not closed with the engine
   */
  public WeblocksEngine(EngineSettings settings, Environment environment) {
    this.settings = settings;
    this.environment = environment;
    this.pool =
        settings.seed() == null ? Driver.threadPool(Math.max(4, 2 * settings.jobs())) : null;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Observation> run(List<ProgramFiles> programs) {
    List<Observation> observations = new ArrayList<>();
    Driver driver = pool;
    for (int from = 0; from < programs.size(); from += settings.jobs()) {
      List<ProgramFiles> some =
          programs.subList(from, Math.min(programs.size(), from + settings.jobs()));
      if (driver != null) {
        List<Page> pages = some.stream().map(files -> new Page(files, driver)).toList();
        pages.forEach(page -> observations.add(page.await()));
      } else {
        some.forEach(files -> observations.add(stepByStep(files)));
      }
    }
    return observations;
  }

  /** Runs a program in virtual time on a thread of its own. */
  private Observation stepByStep(ProgramFiles files) {
    long seed = settings.seed() == null ? 1 : settings.seed();
    CompletableFuture<Observation> result = new CompletableFuture<>();
    CompletableFuture<UserAgent> running = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("weblocks-differ")
            .stackSize(STACK_BYTES)
            .start(() -> {
              try (DeterministicDriver driver = Driver.deterministic(seed);
                  Page page = new Page(files, driver)) {
                running.complete(page.userAgent);
                while (!page.report.isDone() && driver.runOne()) {}
                result.complete(page.report.getNow(Observation.NOTHING));
              } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
              }
            });
    try {
      return result.get(settings.limit().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      running.thenAccept(UserAgent::cancelScripts);
      return Observation.NOTHING;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a program cannot run: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return Observation.NOTHING;
    }
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.close();
    }
  }

  /** A program that is running. */
  private final class Page implements ResourceLoader {
    private final ProgramFiles files;
    private final CompletableFuture<Observation> report = new CompletableFuture<>();
    private final UserAgent userAgent;

    Page(ProgramFiles files, Driver driver) {
      this.files = files;
      this.userAgent =
          UserAgent.newBuilder()
              .driver(driver)
              .environment(environment)
              .resourceLoader(this)
              .errorListener(error -> {}) // programs leave rejections unhandled
              .build();
      userAgent.open(ORIGIN + settings.address());
    }

    Observation await() {
      try (this) {
        return report.get(settings.limit().toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        return Observation.NOTHING;
      } catch (ExecutionException e) {
        throw new IllegalStateException("the report cannot be read", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Observation.NOTHING;
      }
    }

    @Override
    public CompletionStage<ResourceResponse> load(ResourceRequest request) {
      String path = URI.create(request.url()).getPath();
      if (path.equals(ProgramFiles.REPORT)) {
        report.complete(Observation.ofReport(new String(request.body(), StandardCharsets.UTF_8)));
        return response(request, 204, "text/plain", "");
      }
      String text = files.files().get(path);
      return text == null
          ? response(request, 404, "text/plain", "no file " + path)
          : response(request, 200, path.endsWith(".js") ? "text/javascript" : "text/html", text);
    }

    private CompletionStage<ResourceResponse> response(
        ResourceRequest request, int status, String type, String text) {
      ResourceResponse whole = ResourceResponse.of(request.url(), type + ";charset=utf-8", text);
      return CompletableFuture.completedFuture(
          new ResourceResponse(whole.url(), status, "", whole.headers(), whole.body()));
    }

    @Override
    public void close() {
      userAgent.close();
    }
  }
}
