package dev.weblocks.embed;

import dev.weblocks.binding.Resources;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** A program that uses every feature of the engine, at the end of the stack or as usual. */
public final class EveryFeature {

  private static final Source SCRIPT =
      Source.newBuilder(
              "js",
              Resources.text(dev.weblocks.agent.EngineWarmUp.class, "every-feature.js"),
              "every-feature.js")
          .buildLiteral();

  private static final long STACK_BYTES = 1 << 20;
  private static final int TURNS = 10_000; // the features set intervals, so it never becomes idle

  private EveryFeature() {}

  /** Its initialization marks the end of the warm-up in the log of the JVM. */
  static final class Warm {
    static final Object END = new Object();
  }

  /**
   * Uses each feature in a window and in an installed context, as a list of initialized classes
   * needs it. The argument is "warm" or, without warm-up, "cold".
   */
  public static final class Training {
    public static void main(String[] arguments) throws Exception {
      String page = "<script>(" + SCRIPT.getCharacters() + ").use(0)</script>";
      boolean warm = arguments[0].equals("warm");
      try (Environment environment = Environment.newBuilder().warmUp(warm).build();
          UserAgent userAgent =
              UserAgent.newBuilder()
                  .environment(environment)
                  .resourceLoader(request ->
                      CompletableFuture.completedFuture(
                          ResourceResponse.of(request.url(), "text/html", page)))
                  .errorListener(error -> {})
                  .consoleListener(message -> {})
                  .build()) {
        Object unused = warm ? Warm.END : null;
        userAgent.open("https://\u00e9.example/").loaded().get(60, TimeUnit.SECONDS);
        installed(
            environment,
            features -> {
              for (int i = 0; i < features.getMember("size").asInt(); i++) {
                quietly(features, "use", i);
              }
            });
      }
      bystander(new ArrayList<>());
      MessageDigest.getInstance("SHA-256").digest(); // of sources, by engines from 25.1 on
      // the frames of a stack trace as text, which prints module names
      new Throwable(new Throwable())
          .printStackTrace(new java.io.PrintWriter(new java.io.StringWriter()));
    }
  }

  /**
   * Overflows the stack in each feature, then uses each in another engine, and prints the failures.
   * The arguments are the step from feature to feature, and the number of frames.
   */
  static final class Overflow {
    public static void main(String[] arguments) throws Exception {
      int step = Integer.parseInt(arguments[0]), offsets = Integer.parseInt(arguments[1]);
      Thread evil =
          new Thread(
              null,
              () ->
                  installed(
                      null,
                      features -> {
                        for (int i = 0; i < features.getMember("size").asInt(); i += step) {
                          for (int shape = 0; shape < 4; shape++) {
                            quietly(features, "overflow", i, shape, offsets);
                          }
                        }
                      }),
              "evil",
              STACK_BYTES);
      evil.start();
      evil.join();
      List<String> broken = new ArrayList<>();
      int uses = bystander(broken);
      broken.forEach(System.out::println);
      System.out.println(uses > 500 ? "all used" : "only " + uses);
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  private static void installed(
      @org.jspecify.annotations.Nullable Environment environment,
      java.util.function.Consumer<Value> steps) {
    UserAgent.Builder builder = UserAgent.newBuilder().errorListener(error -> {});
    if (environment != null) {
      builder.environment(environment);
    }
    try (UserAgent userAgent = builder.build();
        Context context =
            Context.newBuilder("js")
                .option("js.unhandled-rejections", "handler") // or a warning is logged
                .build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
      steps.accept(context.eval(SCRIPT));
      for (int turn = 0; turn < TURNS && installation.runOne(); turn++) {}
    } catch (PolyglotException broken) {
      // the bystander shows whether it concerns others
    }
  }

  private static void quietly(Value features, String member, Object... arguments) {
    try {
      features.invokeMember(member, arguments);
    } catch (PolyglotException broken) {
      // the bystander shows whether it concerns others
    }
  }

  /** Uses each feature in a new engine; adds what only a broken class explains. */
  private static int bystander(List<String> broken) {
    try (Context context = Context.create("js")) {
      Value features = context.eval(SCRIPT);
      int size = features.getMember("size").asInt();
      for (int i = 0; i < size; i++) {
        try {
          features.invokeMember("use", i);
        } catch (PolyglotException failure) {
          if (failure.isInternalError() || failure.isHostException()) {
            broken.add(features.invokeMember("name", i) + ": " + failure.getMessage());
          }
        }
      }
      return size;
    } catch (PolyglotException failure) {
      broken.add("no context: " + failure.getMessage());
      return 0;
    }
  }
}
