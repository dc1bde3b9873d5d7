package dev.weblocks.cluster.ratis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class RatisOptionsTest {

  private static final String NETTY = "org.apache.ratis.thirdparty.io.grpc.netty.";

  @Test
  void clients_that_go_while_they_are_answered_are_not_logged() throws ClassNotFoundException {
    assertNotNull(Class.forName(NETTY + "NettyServerHandler")); // it names its logger
    RatisOptions.ofClient();
    assertFalse(Logger.getLogger(NETTY + "NettyServerHandler").isLoggable(Level.WARNING));
    assertTrue(Logger.getLogger(NETTY + "NettyClientHandler").isLoggable(Level.WARNING));
  }

  @Test
  void log_levels_of_the_application_are_kept() {
    Logger logger = Logger.getLogger("org.apache.ratis.thirdparty");
    Level before = logger.getLevel();
    logger.setLevel(Level.FINE);
    try {
      RatisOptions.ofClient();
      assertEquals(Level.FINE, logger.getLevel());
    } finally {
      logger.setLevel(before);
    }
  }
}
