package dev.weblocks.harness.cluster;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.embed.EvaluationOptions;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.LockMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a trial in a process of its own: a window and a Java client, which share the locks of
 * a cluster. Obeys lines of its input, and reports in lines of its output:
 *
 * <pre>
 * open           opens a window, and closes the one before:  done
 * close          closes the window:                          done
 * eval CODE      runs a script, in Base64, and awaits it:    done, or done PROBLEM
 * hold NAME      takes a shared lock, and uses it in turns:  held TOKEN
 * release        ends the turns and releases the lock:       released
 * </pre>
 *
 * <p>Each message of the console is a line {@code log NANOS TEXT}. Each turn begins with a check of
 * the lock and prints {@code turn NANOS DEADLINE}, the time of the check and the end of the lease;
 * after some work it prints {@code write TOKEN}. When the lock is lost, the turns end with {@code
 * lost NANOS}. Times are those of {@link System#nanoTime}, the same for all processes of a machine.
 */
public final class ClusterAgent {

  static final String ORIGIN = "https://agent.test";

  /** Between the check of the lock and the write that relies on it. */
  private static final int WORK_MILLIS = 50;

  private final LockCluster cluster;
  private final PrintStream out;
  private @Nullable Window window;
  private volatile boolean releasing;

  private ClusterAgent(LockCluster cluster, PrintStream out) {
    this.cluster = cluster;
    this.out = out;
  }

  /** Obeys the lines of an input until its end. */
  public static void serve(LockCluster cluster, InputStream in, PrintStream out)
      throws IOException {
    new ClusterAgent(cluster, out).serve(in);
  }

  private void serve(InputStream in) throws IOException {
    try (UserAgent userAgent =
            UserAgent.newBuilder()
                .lockBackend(cluster)
                .resourceLoader(
                    ResourceLoader.inMemory().put(ORIGIN + "/", "<!doctype html>").build())
                .consoleListener(message -> log(message.text()))
                .errorListener(error -> log("uncaught " + error.message()))
                .build();
        LockClient client = userAgent.openLockClient(ORIGIN)) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", 2);
        switch (words[0]) {
          case "open" -> {
            closeWindow();
            window = userAgent.open(ORIGIN + "/");
            window.loaded().join();
            print("done");
          }
          case "close" -> {
            closeWindow();
            var unused = client.query().join(); // comes behind the end of the window in the log
            print("done");
          }
          case "eval" ->
              evaluate(new String(Base64.getDecoder().decode(words[1]), StandardCharsets.UTF_8));
          case "hold" -> Thread.ofPlatform().daemon().start(() -> hold(client, words[1]));
          case "release" -> releasing = true;
          default -> throw new IOException("unknown line: " + line);
        }
      }
    }
  }

  private void closeWindow() {
    Window open = window;
    if (open != null) {
      open.close();
      var unused = open.ended().join();
      window = null;
    }
  }

  private void evaluate(String code) {
    Window open = window;
    if (open == null) {
      print("done no window is open");
      return;
    }
    var unused =
        open.evaluate(code, EvaluationOptions.newBuilder().await(true).build())
            .whenComplete((value, failure) -> print(failure == null ? "done" : "done " + failure));
  }

  private void hold(LockClient client, String name) {
    try (HeldLock lock = client.acquire(name, LockMode.SHARED)) {
      print("held " + lock.fencingToken());
      while (!releasing) {
        long now = System.nanoTime();
        if (!lock.isHeld()) {
          print("lost " + now);
          return;
        }
        long deadline = now + cluster.metrics().sessions().getFirst().leaseLeft().toNanos();
        print("turn " + now + " " + deadline);
        Thread.sleep(WORK_MILLIS);
        print("write " + lock.fencingToken());
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
    print("released");
  }

  private void log(String text) {
    print("log " + System.nanoTime() + " " + text.replace("\n", "\\n"));
  }

  private synchronized void print(String line) {
    out.println(line);
    out.flush();
  }
}
