package dev.weblocks.harness.wpt;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.model.LockEntry;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stage that runs its page step by step on its own thread, in an order determined by a seed and
 * in virtual time. The timers of the test and the server's answers are steps, too. The page stops
 * after the step that decides the test.
 */
final class SteppedStage implements Stage, Browser {

  @FunctionalInterface
  interface Opener {
    UserAgent open(
        Driver driver,
        String url,
        List<PreloadScript> scripts,
        ResourceLoader loader,
        PageListener listener);
  }

  /**
   * The stack size of the thread, the same as for other drivers. Deeply recursive scripts need it.
   */
  private static final long STACK_BYTES = 16L << 20;

  /** Maximum real time for a step to end on close; after that, its script is cancelled. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final DeterministicDriver driver;
  private final SplittableRandom random;
  private final Opener opener;
  private final @Nullable Function<List<LockEntry>, String> lockTable;
  private final CompletableFuture<Void> still = new CompletableFuture<>();
  private final AtomicLong steps = new AtomicLong();
  private volatile boolean opened;
  private volatile boolean over;

  SteppedStage(long seed, Opener opener, @Nullable Function<List<LockEntry>, String> lockTable) {
    this.driver = Driver.deterministic(seed);
    this.random = new SplittableRandom(seed);
    this.opener = opener;
    this.lockTable = lockTable;
  }

  @Override
  public Browser browser() {
    return this;
  }

  @Override
  public Timers timers() {
    return (delay, action) -> {
      Driver.Timer timer = driver.schedule(delay, "timer of the harness", action);
      return timer::cancel;
    };
  }

  @Override
  public Supplier<UUID> ids() {
    return () -> {
      synchronized (random) {
        return new UUID(
            (random.nextLong() & ~0xF000L) | 0x4000L,
            (random.nextLong() & ~(3L << 62)) | (1L << 63));
      }
    };
  }

  @Override
  public boolean isVirtual() {
    return true;
  }

  @Override
  public long steps() {
    return steps.get();
  }

  @Override
  public void decided(Runnable then) {
    over = true;
    if (opened) {
      CompletableFuture<Void> unused = still.thenRun(then);
    } else {
      then.run();
    }
  }

  /** Opens the page. To be called once. */
  @Override
  public OpenPage open(
      String url, List<PreloadScript> scripts, ResourceLoader loader, PageListener listener) {
    opened = true;
    Page page = new Page(() -> opener.open(driver, url, scripts, loader, listener), listener);
    page.thread.start();
    return page;
  }

  private final class Page implements OpenPage {
    private final Supplier<UserAgent> maker;
    private final PageListener listener;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable UserAgent userAgent;
    private volatile @Nullable Throwable failure;

    Page(Supplier<UserAgent> maker, PageListener listener) {
      this.maker = maker;
      this.listener = listener;
      this.thread =
          Thread.ofPlatform()
              .daemon()
              .name("weblocks-wpt-steps")
              .stackSize(STACK_BYTES)
              .unstarted(this::run);
    }

    private void run() {
      try {
        userAgent = maker.get();
        while (!over && driver.runOne()) {
          steps.incrementAndGet();
        }
      } catch (RuntimeException | Error broken) {
        listener.crashed(broken);
      } finally {
        still.complete(null);
      }
      try {
        closing.await();
        UserAgent made = userAgent;
        if (made != null) {
          made.close();
        }
        driver.close();
      } catch (InterruptedException | RuntimeException | Error broken) {
        failure = broken;
      }
    }

    @Override
    public void close() {
      over = true;
      closing.countDown();
      boolean interrupted = false;
      boolean cancelled = false;
      while (thread.isAlive()) {
        try {
          if (!thread.join(PATIENCE) && !cancelled) {
            UserAgent made = userAgent;
            if (made != null) {
              made.cancelScripts();
            }
            cancelled = true;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      Throwable broken = failure;
      if (broken != null) {
        throw new IllegalStateException(broken.toString(), broken);
      }
    }

    @Override
    public String locks() {
      UserAgent made = userAgent;
      return made == null || lockTable == null ? "" : lockTable.apply(made.locks());
    }
  }
}
