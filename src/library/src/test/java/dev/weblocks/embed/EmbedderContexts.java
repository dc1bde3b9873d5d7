package dev.weblocks.embed;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The contexts of a test, which are closed after its methods that run after each test. */
final class EmbedderContexts implements AfterEachCallback {

  private final List<Context> contexts = new CopyOnWriteArrayList<>();

  /** Returns a new context whose rejections an installation reports. */
  Context open() {
    return open(builder -> builder);
  }

  /** Returns a new context, with further options or others than {@link #open()} sets. */
  Context open(UnaryOperator<Context.Builder> options) {
    Context context =
        options
            .apply(
                Context.newBuilder("js")
                    .option("engine.WarnInterpreterOnly", "false")
                    .option("js.unhandled-rejections", "handler"))
            .build();
    contexts.add(context);
    return context;
  }

  /** Defines a global function, and returns the latch that its first call opens. */
  static CountDownLatch latch(Context context, String name) {
    CountDownLatch latch = new CountDownLatch(1);
    context
        .getBindings("js")
        .putMember(
            name,
            (ProxyExecutable)
                none -> {
                  latch.countDown();
                  return null;
                });
    return latch;
  }

  @Override
  public void afterEach(ExtensionContext test) {
    contexts.forEach(context -> context.close(true));
  }
}
