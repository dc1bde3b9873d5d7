package example;

import dev.weblocks.embed.CallerDrivenInstallation;
import dev.weblocks.embed.Globals;
import dev.weblocks.embed.InstalledGlobal;
import dev.weblocks.embed.UserAgent;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;

/**
 * Timers, events, abort signals and locks for a plain polyglot context, whose event loop the main
 * thread runs until nothing is left to do.
 *
 * <pre>
 * mvn package
 * java -jar target/polyfill.jar [SCRIPT]
 * </pre>
 */
public final class Polyfill {

  private static final String DEMONSTRATION =
      """
      const bus = new EventTarget();
      bus.addEventListener('saved', event => console.log('event: saved the', event.detail));

      navigator.locks.request('document', async lock => {
        console.log('first: has the lock', lock.name);
        await new Promise(resolve => setTimeout(resolve, 50));
        bus.dispatchEvent(new CustomEvent('saved', {detail: 'draft'}));
      });

      // waits for the first ...
      navigator.locks.request('document', () => console.log('second: has it now'));

      // ... and this one does not want to wait that long
      const patience = new AbortController();
      setTimeout(() => patience.abort(), 10);
      navigator.locks.request('document', {signal: patience.signal}, () => console.log('never'))
          .catch(error => console.log('third: gave up,', error.name));

      console.log('script: has asked three times');
      """;

  public static void main(String[] arguments) throws InterruptedException {
    Source script;
    try {
      script =
          switch (arguments.length) {
            case 0 -> Source.newBuilder("js", DEMONSTRATION, "demonstration.js").buildLiteral();
            case 1 -> Source.newBuilder("js", new File(arguments[0])).build();
            default -> throw new IOException("more than one SCRIPT");
          };
    } catch (IOException unreadable) {
      System.err.println(
          "polyfill: cannot read the script (java -jar polyfill.jar [SCRIPT]): " + unreadable);
      System.exit(2);
      return;
    }
    System.exit(run(script) ? 0 : 1);
  }

  private static boolean run(Source script) throws InterruptedException {
    AtomicBoolean failed = new AtomicBoolean();
    // Closed from last to first: the installation before its context, so that its locks pass on.
    try (Context context =
            Context.newBuilder("js")
                .option("js.unhandled-rejections", "handler") // or they would not be reported
                .build();
        UserAgent userAgent =
            UserAgent.newBuilder()
                .errorListener(error -> {
                  System.err.println(error.message());
                  failed.set(true);
                })
                .build();
        CallerDrivenInstallation installation =
            userAgent
                .installInto(context)
                .globals(Globals.TIMERS, Globals.EVENTS, Globals.ABORT, Globals.LOCKS)
                .install()) {
      System.out.println("installed: " + installed(installation));
      context.eval(script);
      runLoop(installation);
    } catch (PolyglotException thrown) {
      System.err.println(thrown.getMessage());
      failed.set(true);
    }
    return !failed.get();
  }

  private static String installed(CallerDrivenInstallation installation) {
    return installation.report().stream()
        .filter(global -> global.outcome() == InstalledGlobal.Outcome.INSTALLED)
        .map(InstalledGlobal::name)
        .collect(Collectors.joining(", "));
  }

  /**
   * Runs everything that is due, then waits for the next timer. Ends if there is neither: this
   * context shares its locks with no other client. A program in which other clients can wake it
   * would wait for {@code onWork} instead.
   */
  private static void runLoop(CallerDrivenInstallation installation) throws InterruptedException {
    installation.runUntilIdle();
    Optional<Duration> next = installation.untilNextTimer();
    while (next.isPresent()) {
      installation.run(next.get());
      installation.runUntilIdle();
      next = installation.untilNextTimer();
    }
  }

  private Polyfill() {}
}
