package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.OtherJvm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/** The first installation of a JVM on a thread with a small stack. */
class SmallStackTest {

  private static String output(String stack) throws Exception {
    List<String> command =
        OtherJvm.command(
            List.of("@scripts/jvm.options", "-XX:TieredStopAtLevel=1", "-Xss" + stack),
            Installing.class);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output.replace("\r\n", "\n");
  }

  @Test
  void installation_names_the_thread_whose_stack_is_too_small() throws Exception {
    assertEquals(
        "thread main has too little stack left for an installation, which takes up to 512 kB; use"
            + " a thread with a larger stack, or start the JVM with -Xss1m\n",
        output("320k"));
  }

  @Test
  void installation_fits_the_stack_that_the_message_names() throws Exception {
    assertEquals("installed\n", output("512k"));
  }

  /** Installs on the main thread. */
  static final class Installing {
    public static void main(String[] arguments) {
      try (UserAgent userAgent = UserAgent.newBuilder().build();
          Context context =
              Context.newBuilder("js").option("js.unhandled-rejections", "handler").build()) {
        userAgent.installInto(context).install().close();
        System.out.println("installed");
      } catch (IllegalStateException refused) {
        System.out.println(refused.getMessage());
      }
    }
  }
}
