package dev.weblocks.stress;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceRequest;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes and removes frames, and navigates, by the hundred, and looks at what stays in memory.
 *
 * <p>Every second frame has a document of the page's origin that holds a lock, every fourth one of
 * another origin. Navigations lead from origin to origin; some of the documents that are left hold
 * a lock, all others may be kept for going back.
 */
public final class FramesRun {

  private static final String ONE = "https://one.test";
  private static final String OTHER = "https://other.test";

  /**
   * Each part takes its first round before memory is looked at, and then as many as were asked for.
   */
  private static final int WARM_UP = 100;

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

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final List<String> complaints = new ArrayList<>();
  private final Consumer<KillReport.Sample> listener;

  private FramesRun(Consumer<KillReport.Sample> listener) {
    this.listener = listener;
  }

  /**
   * What was seen: before, after the frames, after the navigations.
   *
   * @param complaints empty if all is well
   */
  public record Report(List<KillReport.Sample> samples, List<String> complaints) {}

  /**
   * Runs on a thread pool; takes some seconds.
   *
   * @param frames how many are made and removed
   * @param navigations how many follow one another in one window
   * @param listener hears each sample
   */
  public static Report run(
      int frames,
      int navigations,
      UserAgent.Environment environment,
      Consumer<KillReport.Sample> listener) {
    return new FramesRun(listener).run(frames, navigations, environment);
  }

  private Report run(int frames, int navigations, UserAgent.Environment environment) {
    List<KillReport.Sample> samples = new ArrayList<>();
    try (Driver driver = Driver.threadPool(2);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(FramesRun::load)
                .consoleListener(message -> heard.add(message.text()))
                .errorListener(error -> heard.add("uncaught: " + error.message()))
                .build()) {
      frames(userAgent, 0, WARM_UP);
      navigate(userAgent, WARM_UP);
      samples.add(sample(0, Integer.MAX_VALUE));
      int before = samples.getFirst().realms();
      frames(userAgent, WARM_UP, frames);
      samples.add(sample(frames, before));
      navigate(userAgent, navigations);
      samples.add(sample(frames + navigations, before));
    }
    return new Report(List.copyOf(samples), List.copyOf(complaints));
  }

  private void frames(UserAgent userAgent, int from, int count) {
    finish(userAgent, ONE + "/frames?" + from + "," + count);
  }

  private void navigate(UserAgent userAgent, int count) {
    finish(userAgent, ONE + "/step?" + count);
  }

  /** Opens a page, waits until it says that it is done, and closes it. */
  private void finish(UserAgent userAgent, String url) {
    try (Window window = userAgent.open(url)) {
      String said = heard.poll(120, TimeUnit.SECONDS);
      if (said == null || !said.equals("done 0")) {
        complaints.add(url + ": " + (said == null ? "nothing is heard for two minutes" : said));
      }
      window.close();
      window.ended().toCompletableFuture().get(120, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      complaints.add("interrupted");
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      complaints.add(url + ": the window does not end: " + e);
    }
  }

  private KillReport.Sample sample(int done, int realmsBefore) {
    KillReport.Sample sample = Vitals.sample(done, 0);
    for (int i = 0; i < 50 && sample.realms() > realmsBefore; i++) {
      java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      sample = Vitals.sample(done, 0);
    }
    if (sample.realms() > realmsBefore) {
      complaints.add((sample.realms() - realmsBefore) + " contexts are left behind after " + done);
    }
    listener.accept(sample);
    return sample;
  }

  private static CompletionStage<ResourceResponse> load(ResourceRequest request) {
    String url = request.url();
    String page = url.contains("/frames?") ? FRAMES : url.contains("/step?") ? STEP : FRAME;
    return CompletableFuture.completedFuture(ResourceResponse.of(url, "text/html", page));
  }
}
