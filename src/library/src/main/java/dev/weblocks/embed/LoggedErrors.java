package dev.weblocks.embed;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import dev.weblocks.model.ErrorListener;
import dev.weblocks.model.UncaughtError;

/** The default error listener, which logs errors. */
final class LoggedErrors implements ErrorListener {

  @Override
  public void uncaught(UncaughtError error) {
    System.Logger logger = System.getLogger("dev.weblocks");
    System.Logger.Level level =
        switch (error.kind()) {
          case SCRIPT, PRELOAD, LIMIT -> WARNING;
          case DEFECT -> ERROR;
        };
    if (logger.isLoggable(level)) {
      logger.log(level, text(error));
    }
  }

  private static String text(UncaughtError error) {
    StringBuilder text = new StringBuilder(error.agent()).append(": ").append(error.message());
    if (error.stack() != null && !error.stack().isEmpty()) {
      text.append('\n').append(error.stack());
    } else if (!error.url().isEmpty()) {
      text.append(" at ").append(error.url());
      if (error.line() > 0) {
        text.append(':').append(error.line()).append(':').append(error.column());
      }
    }
    return text.toString();
  }
}
