package dev.weblocks.harness.stress;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.LockEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A run that creates and removes hundreds of frames, navigates hundreds of times, and checks for
 * memory leaks.
 *
 * <p>Of every four frames, two are empty, one has a document of the page's origin and one of
 * another origin; both documents request a lock. Navigations alternate between two origins. Some of
 * the documents that they replace hold a lock; all others may stay in the back/forward cache.
 */
public final class FramesRun {

  private static final String ONE = "https://one.test";
  private static final String OTHER = "https://other.test";

  /** The number of frames, and of navigations, before the first sample of each, as a warm-up. */
  private static final int WARM_UP = 100;

  private static final int MAX_KEPT = 6;

  private static final String FRAME =
      "<!doctype html><script>navigator.locks.request('frame' + location.search, () => new Promise(() => {}))</script>";

  private static final String FRAMES =
      """
      <!doctype html><body><script>
      const load = url => new Promise(resolve => {
        const frame = document.createElement('iframe');
        if (url) frame.src = url;
        frame.onload = () => resolve(frame);
        document.body.append(frame);
      });
      (async () => {
        let [from, count] = location.search.slice(1).split(',').map(Number);
        for (let i = from; i < from + count; i++) {
          const frame = await load(i %% 4 === 1 ? '%s/frame?' + i : i %% 2 ? '/frame?' + i : '');
          if (i %% 3) frame.src = 'about:blank';
          frame.remove();
        }
        console.log('done ' + (await navigator.locks.query()).held.length);
      })();
      </script>\
      """
          .formatted(OTHER);

  private static final String STEP =
      """
      <!doctype html><script>
      const [left, locks] = location.search.slice(1).split(',').map(Number);
      onload = async () => {
        if (left %% 5 === 0) navigator.locks.request('page', () => new Promise(() => {}));
        await new Promise(resolve => setTimeout(resolve));
        if (left === 0) console.log('done 0');
        else location.href = (left %% 2 ? '%s' : '%s') + '/step?' + (left - 1);
      };
      </script>\
      """
          .formatted(OTHER, ONE);

  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final List<String> complaints = new ArrayList<>();
  private final KillRun.Listener listener;
  private List<LockEntry> locks = List.of();

  private FramesRun(KillRun.Listener listener) {
    this.listener = listener;
  }

  /**
   * The result of a run.
   *
   * @param samples four: after a few frames in one window, after many in another, and the same for
   *     navigations; the window is still open each time
   * @param realms counted before the run and after its end
   * @param complaints empty if all is well
   * @param locks held and requested locks at the first complaint about a page; empty if there is
   *     none
   */
  public record Report(
      List<KillReport.Sample> samples,
      RealmCount realms,
      List<String> complaints,
      List<LockEntry> locks) {}

  /**
   * Carries out the run on a thread pool, which takes some seconds.
   *
   * @param frames number of frames to create and remove
   * @param navigations number of successive navigations in one window
   * @param listener receives each sample and a supplier of the locks
   */
  public static Report run(
      int frames, int navigations, Environment environment, KillRun.Listener listener) {
    FramesRun run = new FramesRun(listener);
    RealmCount.Around<List<KillReport.Sample>> samples =
        RealmCount.around(() -> run.run(frames, navigations, environment));
    List<String> complaints = new ArrayList<>(run.complaints);
    if (!samples.realms().isClean()) {
      complaints.add("realms leaked");
    }
    return new Report(samples.result(), samples.realms(), List.copyOf(complaints), run.locks);
  }

  private List<KillReport.Sample> run(int frames, int navigations, Environment environment) {
    List<KillReport.Sample> samples = new ArrayList<>();
    try (Driver driver = Driver.threadPool(2);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(FramesRun::load)
                .consoleListener(message -> messages.add(message.text()))
                .errorListener(error -> messages.add("uncaught: " + error.message()))
                .build()) {
      listener.began(userAgent::locks);
      frames(userAgent, 0, WARM_UP, () -> samples.add(sample(WARM_UP)));
      frames(userAgent, WARM_UP, frames, () -> samples.add(sample(frames)));
      navigate(userAgent, WARM_UP, () -> samples.add(sample(WARM_UP)));
      navigate(userAgent, navigations, () -> samples.add(sample(navigations)));
    }
    return List.copyOf(samples);
  }

  private void frames(UserAgent userAgent, int from, int count, Runnable afterwards) {
    finish(userAgent, ONE + "/frames?" + from + "," + count, afterwards);
  }

  private void navigate(UserAgent userAgent, int count, Runnable afterwards) {
    finish(userAgent, ONE + "/step?" + count, afterwards);
  }

  /** Opens a page, waits for its message, runs {@code afterwards}, and closes the page. */
  private void finish(UserAgent userAgent, String url, Runnable afterwards) {
    try (Window window = userAgent.open(url)) {
      String said = messages.poll(120, TimeUnit.SECONDS);
      if (said == null || !said.equals("done 0")) {
        keepLocks(userAgent);
        complaints.add(url + ": " + (said == null ? "no message for two minutes" : said));
      }
      afterwards.run();
      window.close();
      window.ended().get(120, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      complaints.add("interrupted");
    } catch (ExecutionException | TimeoutException e) {
      keepLocks(userAgent);
      complaints.add(url + ": waiting for the end of the window failed: " + e);
    }
  }

  private void keepLocks(UserAgent userAgent) {
    if (locks.isEmpty()) {
      locks = userAgent.locks();
    }
  }

  /** Takes a sample. Reports a complaint if more realms are reachable than expected. */
  private KillReport.Sample sample(int done) {
    KillReport.Sample sample = Vitals.sample(done, 1);
    for (int i = 0; i < 50 && sample.realms() > allowed(sample); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)); // agents may be about to end
      sample = Vitals.sample(done, 1);
    }
    if (sample.realms() > allowed(sample)) {
      complaints.add(
          "%s realms exist after %s documents; at most %s are expected"
              .formatted(sample.realms(), done, allowed(sample)));
    }
    listener.sampled(sample);
    return sample;
  }

  /**
   * Returns the maximum number of realms without a leak: one for the current document, one for each
   * in the back/forward cache, and one for each thread, because the JVM retains its last exception.
   */
  private static int allowed(KillReport.Sample sample) {
    return 1 + MAX_KEPT + sample.threads();
  }

  private static CompletionStage<ResourceResponse> load(ResourceRequest request) {
    String url = request.url();
    String page = url.contains("/frames?") ? FRAMES : url.contains("/step?") ? STEP : FRAME;
    return CompletableFuture.completedFuture(ResourceResponse.of(url, "text/html", page));
  }
}
