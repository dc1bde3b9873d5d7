package dev.weblocks.harness.compare;

import dev.weblocks.embed.Installation;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;

/**
 * Java programs that use the library as embedders do. They do what {@code adapters/seconds.js} does
 * until they are killed.
 */
public final class JavaUse {

  private static final int LOCKS = 20;

  private JavaUse() {}

  /**
   * Runs a program.
   *
   * @param arguments the use, one of {@code window}, {@code installed-context} and {@code
   *     java-client}, and the directory with the script
   */
  public static void main(String... arguments) throws Exception {
    Path adapters = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "window" -> window(adapters);
      case "installed-context" ->
          installedContext(Files.readString(adapters.resolve("seconds.js")));
      case "java-client" -> javaClient();
      default -> throw new IllegalArgumentException("no use " + arguments[0]);
    }
  }

  private static UserAgent.Builder printing() {
    return UserAgent.newBuilder()
        .consoleListener(message -> System.out.println(message.text()))
        .errorListener(error -> System.err.println(error.message()));
  }

  private static void window(Path adapters) throws Exception {
    ResourceLoader loader = ResourceLoader.directory("https://localhost/", adapters);
    try (UserAgent userAgent = printing().resourceLoader(loader).build()) {
      userAgent.open("https://localhost/seconds.html").ended().get();
    }
  }

  private static void installedContext(String script) throws Exception {
    try (UserAgent userAgent = printing().build();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Context context = Context.newBuilder("js").allowHostAccess(HostAccess.NONE).build();
        Installation installation = userAgent.installInto(context).install(executor)) {
      installation.execute(() -> context.eval("js", script));
      installation.ended().get();
    }
  }

  private static void javaClient() throws Exception {
    Duration patience = Duration.ofSeconds(60);
    try (UserAgent userAgent = UserAgent.newBuilder().build();
        LockClient client = userAgent.openLockClient(Installation.DEFAULT_ORIGIN)) {
      while (true) {
        long start = System.nanoTime();
        long count = 0;
        double passed = 0;
        while (passed < 1) {
          for (int i = 0; i < LOCKS; i++) {
            client.acquire("seconds", patience).close();
          }
          count += LOCKS;
          passed = (System.nanoTime() - start) / 1e9;
        }
        System.out.println(count / passed + " locks/s");
      }
    }
  }
}
