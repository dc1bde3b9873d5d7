package dev.weblocks.embed;

import com.sun.net.httpserver.HttpServer;
import dev.weblocks.model.Limits;
import java.io.File;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;

/**
 * A program that deploys and drops applications, and prints the use of each that is not collected.
 * The engine is in the class loader that they share. The last one shares the library, too, and the
 * driver of the server; the others have copies of the library.
 */
public final class Deployments {

  private Deployments() {}

  /** The driver of the server, for applications that share the library. */
  public static final class OfServer {
    public static final Driver DRIVER = Driver.threadPool(2);

    private OfServer() {}
  }

  /** A class loader of one application, with copies of some classes. */
  static final class ApplicationLoader extends URLClassLoader {
    private final List<String> prefixes;

    ApplicationLoader(List<String> prefixes) throws MalformedURLException {
      super("application", classPath(), Deployments.class.getClassLoader());
      this.prefixes = prefixes;
    }

    private static URL[] classPath() throws MalformedURLException {
      List<URL> urls = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (prefixes.stream().noneMatch(name::startsWith)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }

  /** The applications; each application loader has a copy of this class. */
  static final class Application {

    private Application() {}

    static void run(String use, int port) throws Exception {
      switch (use) {
        case "installation" -> installation();
        case "executor" -> executor();
        case "windows" -> windows();
        case "http" -> http(port);
        case "deterministic" -> deterministic();
        case "stuck" -> stuck();
        case "driver of the server" -> driver();
        default -> throw new IllegalArgumentException(use);
      }
    }

    private static Context context() {
      return Context.newBuilder("js").option("js.unhandled-rejections", "handler").build();
    }

    private static void installation() throws Exception {
      try (UserAgent userAgent = UserAgent.newBuilder().build();
          Context context = context()) {
        CallerDrivenInstallation installation = userAgent.installInto(context).install();
        context.eval("js", "navigator.locks.request('a', () => {})");
        installation.runUntilIdle();
        installation.close(Duration.ofSeconds(60));
      }
    }

    private static void executor() throws Exception {
      ExecutorService executor = Executors.newSingleThreadExecutor();
      CompletableFuture<String> fired = new CompletableFuture<>();
      try (UserAgent userAgent =
              UserAgent.newBuilder()
                  .limits(Limits.newBuilder().turnLimit(Duration.ofSeconds(60)).build())
                  .consoleListener(message -> fired.complete(message.text()))
                  .build();
          Context context = context()) {
        Installation installation =
            userAgent.installInto(context).replace("console").install(executor);
        CompletableFuture<Boolean> unused =
            installation.submit(() -> {
              context.eval("js", "setTimeout(() => console.log(1), 5)");
              return true;
            });
        String unusedText = fired.get(60, TimeUnit.SECONDS);
        installation.close(Duration.ofSeconds(60));
      } finally {
        executor.shutdown();
      }
    }

    private static void windows() throws Exception {
      CompletableFuture<String> received = new CompletableFuture<>();
      ResourceLoader pages =
          ResourceLoader.inMemory()
              .put(
                  ResourceResponse.of(
                      "https://app.test/",
                      "text/html",
                      "<script>new Worker('w.js').onmessage = () => console.log('in page')</script>"))
              .put(
                  ResourceResponse.of(
                      "https://app.test/w.js",
                      "text/javascript",
                      "navigator.locks.request('a', {signal: AbortSignal.timeout(60000)},"
                          + " () => postMessage(1))"))
              .build();
      try (UserAgent userAgent =
          UserAgent.newBuilder()
              .resourceLoader(pages)
              .consoleListener(message -> received.complete(message.text()))
              .build()) {
        userAgent.open("https://app.test/");
        String unused = received.get(60, TimeUnit.SECONDS);
      }
    }

    private static void http(int port) throws Exception {
      HttpOptions options = HttpOptions.newBuilder().addresses((request, address) -> true).build();
      try (ResourceLoader pages = ResourceLoader.http(options);
          UserAgent userAgent = UserAgent.newBuilder().resourceLoader(pages).build()) {
        userAgent.open("http://localhost:" + port + "/").loaded().get(60, TimeUnit.SECONDS);
      }
    }

    private static void deterministic() {
      try (DeterministicDriver driver = Driver.deterministic(1);
          UserAgent userAgent = UserAgent.newBuilder().driver(driver).build()) {
        userAgent.open("about:blank");
        driver.runUntilIdle(10_000);
      }
    }

    /** Cuts off a turn of an installation that ends only then. */
    private static void stuck() throws Exception {
      ExecutorService executor = Executors.newSingleThreadExecutor();
      CompletableFuture<Void> inside = new CompletableFuture<>();
      CompletableFuture<Void> leave = new CompletableFuture<>();
      try (UserAgent userAgent =
              UserAgent.newBuilder()
                  .errorListener(error -> {})
                  .limits(Limits.newBuilder().endLimit(Duration.ofMillis(50)).build())
                  .build();
          Context context = context()) {
        Installation installation = userAgent.installInto(context).install(executor);
        CompletableFuture<Boolean> unused =
            installation.submit(() -> {
              inside.complete(null);
              leave.join();
              return true;
            });
        inside.get(60, TimeUnit.SECONDS);
        installation.close(Duration.ofSeconds(60));
        leave.complete(null);
        executor.shutdown();
        boolean unusedEnd = executor.awaitTermination(60, TimeUnit.SECONDS);
      }
    }

    private static void driver() throws Exception {
      try (UserAgent userAgent = UserAgent.newBuilder().driver(OfServer.DRIVER).build()) {
        userAgent.open("about:blank").loaded().get(60, TimeUnit.SECONDS);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (Context ofServer = Context.newBuilder("js").build()) { // starts the engine
      ofServer.eval("js", "1");
    }
    HttpServer pages =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    pages.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    pages.start();
    int port = pages.getAddress().getPort();
    Map<WeakReference<ClassLoader>, String> left = new LinkedHashMap<>();
    ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
    for (String use :
        List.of("installation", "executor", "windows", "http", "deterministic", "stuck")) {
      left.put(deploy(List.of("dev.weblocks.", "org.jsoup."), use, port, collected), use);
    }
    int unused = OfServer.DRIVER.runningAgents(); // made by the server
    left.put(
        deploy(List.of(Application.class.getName()), "driver of the server", port, collected),
        "driver of the server");
    for (int i = 0; i < 240 && !left.isEmpty(); i++) {
      System.gc();
      Reference<?> next = collected.remove(250);
      while (next != null) {
        left.remove(next);
        next = collected.poll();
      }
    }
    if (Authenticator.getDefault() != null) {
      System.out.println("the authenticator of the JVM is " + Authenticator.getDefault());
    }
    left.forEach((application, use) ->
        System.out.println("'" + use + "' is kept" + holders(application.get())));
    System.exit(0);
  }

  private static String holders(ClassLoader application) {
    StringBuilder text = new StringBuilder();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (application != null && thread.getContextClassLoader() == application) {
        text.append(" by thread ").append(thread.getName());
      }
    }
    return text.toString();
  }

  /** Runs an application on a thread of its own, as a server does. */
  private static WeakReference<ClassLoader> deploy(
      List<String> prefixes, String use, int port, ReferenceQueue<ClassLoader> collected)
      throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    ApplicationLoader loader = new ApplicationLoader(prefixes);
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              try {
                Class<?> application = loader.loadClass(Application.class.getName());
                var run = application.getDeclaredMethod("run", String.class, int.class);
                run.setAccessible(true);
                run.invoke(null, use, port);
                done.complete(null);
              } catch (Exception | LinkageError failure) {
                done.completeExceptionally(failure);
              }
            });
    thread.setContextClassLoader(loader);
    thread.start();
    done.get();
    thread.join();
    loader.close();
    return new WeakReference<>(loader, collected);
  }
}
