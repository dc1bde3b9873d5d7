package dev.weblocks.harness.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A proxy between a client and a server that sends back each byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TcpProxyTest {

  private ServerSocket echo;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    proxy = new TcpProxy(echo.getLocalPort());
    Thread.ofPlatform().daemon().start(this::serve);
  }

  private void serve() {
    while (!echo.isClosed()) {
      try {
        Socket socket = echo.accept();
        Thread.ofPlatform().daemon().start(() -> sendBack(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void sendBack(Socket socket) {
    try (socket) {
      var unused = socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException cut) {
      // the end of the connection
    }
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    echo.close();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
  }

  private static int answer(Socket socket, int value) throws IOException {
    socket.getOutputStream().write(value);
    return socket.getInputStream().read();
  }

  /** Returns the next byte; -1 if the connection was cut. */
  private static int read(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException reset) {
      return -1;
    }
  }

  @Test
  void bytes_are_forwarded_in_both_directions() throws IOException {
    try (Socket one = connect();
        Socket two = connect()) {
      assertEquals(1, answer(one, 1));
      assertEquals(2, answer(two, 2));
      assertEquals(3, answer(one, 3));
    }
  }

  @Test
  void all_bytes_of_a_large_stream_arrive_in_order() throws Exception {
    byte[] sent = new byte[5_000_000];
    for (int i = 0; i < sent.length; i++) {
      sent[i] = (byte) (i % 251);
    }
    try (Socket socket = connect()) {
      Thread writer =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  socket.getOutputStream().write(sent);
                } catch (IOException cut) {
                  throw new AssertionError(cut);
                }
              });
      byte[] received = socket.getInputStream().readNBytes(sent.length);
      writer.join();
      assertArrayEquals(sent, received);
    }
  }

  @Test
  void end_of_the_stream_is_forwarded() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(1, answer(socket, 1));
      socket.shutdownOutput();
      assertEquals(-1, read(socket));
    }
  }

  @Test
  void delayed_bytes_arrive_no_earlier() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(1, answer(socket, 1));
      proxy.delay(Duration.ofMillis(50));
      long began = System.nanoTime();
      assertEquals(2, answer(socket, 2));
      assertTrue(System.nanoTime() - began >= 2 * Duration.ofMillis(50).toNanos());
      proxy.delay(Duration.ZERO);
      assertEquals(3, answer(socket, 3));
    }
  }

  @Test
  void cut_ends_open_connections_and_permits_new_ones() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(1, answer(socket, 1));
      proxy.cut();
      assertEquals(-1, read(socket));
    }
    try (Socket socket = connect()) {
      assertEquals(2, answer(socket, 2));
    }
  }

  @Test
  void black_hole_swallows_bytes_until_it_ends() throws IOException {
    try (Socket socket = connect()) {
      assertEquals(1, answer(socket, 1));
      proxy.beginBlackHole();
      socket.getOutputStream().write(2);
      proxy.endBlackHole();
      assertEquals(-1, read(socket));
    }
    try (Socket socket = connect()) {
      assertEquals(3, answer(socket, 3));
    }
  }

  @Test
  void connection_ends_if_the_target_does_not_listen() throws IOException {
    echo.close();
    try (Socket socket = connect()) {
      assertEquals(-1, read(socket));
    }
  }
}
