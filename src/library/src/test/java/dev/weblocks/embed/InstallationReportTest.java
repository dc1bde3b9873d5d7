package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The reports of errors and messages that do not reach the user agent. */
class InstallationReportTest {

  private final List<String> logged = new ArrayList<>();
  private final long thread = Thread.currentThread().threadId();
  private final Logger logger = Logger.getLogger("dev.weblocks");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (record.getLongThreadID() != thread) {
            return; // of another test class
          }
          logged.add(record.getLevel() + " " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final UserAgent userAgent =
      UserAgent.newBuilder().environment(SharedEnvironment.ENVIRONMENT).build();
  @RegisterExtension private final EmbedderContexts contexts = new EmbedderContexts();

  InstallationReportTest() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    userAgent.close();
  }

  private static String reason(Installation installation, String name) {
    return installation.report().stream()
        .filter(global -> global.name().equals(name))
        .findFirst()
        .orElseThrow()
        .reason();
  }

  @Test
  void missing_option_for_rejections_is_logged_once_and_in_each_report() {
    List<Installation> installations = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      installations.add(
          userAgent
              .installInto(
                  contexts.open(builder -> builder.option("js.unhandled-rejections", "none")))
              .install());
    }
    assertEquals(
        List.of(
            "WARNING installation-1: unhandled rejections of promises are not reported, as the"
                + " context was made without option(\"js.unhandled-rejections\", \"handler\"); not"
                + " logged for other contexts"),
        logged);
    for (Installation installation : installations) {
      assertTrue(reason(installation, "onunhandledrejection").contains("js.unhandled-rejections"));
      assertTrue(reason(installation, "PromiseRejectionEvent").contains("js.unhandled-rejections"));
    }
  }

  @Test
  void handler_option_for_rejections_gives_no_warning() {
    Installation installation = userAgent.installInto(contexts.open()).install();
    assertEquals(List.of(), logged);
    assertEquals("", reason(installation, "onunhandledrejection"));
  }

  @Test
  void report_has_that_a_kept_console_does_not_reach_the_listener() {
    Installation installation = userAgent.installInto(contexts.open()).install();
    assertEquals(
        "the context already defines it, and its messages do not reach the console listener of the"
            + " user agent; name it in replace() to replace it",
        reason(installation, "console"));
  }
}
