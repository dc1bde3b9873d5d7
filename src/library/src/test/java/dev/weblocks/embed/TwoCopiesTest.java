package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.BiFunction;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/** Copies of the library in two class loaders, and one context. */
class TwoCopiesTest {

  /** A copy of the library; each class loader has a copy of this class. */
  public static final class Copy implements BiFunction<Context, String, Object> {
    private final UserAgent userAgent =
        UserAgent.newBuilder().environment(Environment.newBuilder().warmUp(false).build()).build();

    private AutoCloseable installation;

    /** Installs into a context, or ends everything. Returns the refusal, null if there is none. */
    @Override
    public Object apply(Context context, String what) {
      try {
        if (what.equals("install")) {
          installation = userAgent.installInto(context).install();
        } else if (what.equals("close")) {
          installation.close();
        } else {
          userAgent.close();
        }
        return null;
      } catch (Exception refused) {
        return refused.getMessage();
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static BiFunction<Context, String, Object> copy() throws Exception {
    Class<?> copied =
        new Deployments.ApplicationLoader(List.of("dev.weblocks.", "org.jsoup."))
            .loadClass(Copy.class.getName());
    return (BiFunction<Context, String, Object>)
        assertInstanceOf(BiFunction.class, copied.getConstructor().newInstance());
  }

  @Test
  void second_copy_is_refused_until_the_installation_of_the_first_is_closed() throws Exception {
    BiFunction<Context, String, Object> one = copy();
    BiFunction<Context, String, Object> two = copy();
    try (Context context =
        Context.newBuilder("js").option("js.unhandled-rejections", "handler").build()) {
      assertNull(one.apply(context, "install"));
      assertEquals(
          "the context already has the installation installation-1 of another copy of this library;"
              + " use it, or close it first",
          two.apply(context, "install"));
      assertNull(one.apply(context, "close"));
      assertNull(two.apply(context, "install"));
      assertTrue(
          context.eval("js", "new AbortController() instanceof AbortController").asBoolean());
      assertNull(one.apply(context, "end"));
      assertNull(two.apply(context, "end"));
    }
  }
}
