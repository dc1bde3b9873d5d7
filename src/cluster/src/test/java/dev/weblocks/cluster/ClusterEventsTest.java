package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.observe.ClusterEvents;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of a lock cluster in a flight recording. */
@Tag("alone")
@Timeout(value = 10, unit = TimeUnit.MINUTES) // a slow machine is no failure
class ClusterEventsTest {

  private static final String PREFIX = "dev.weblocks.Cluster";

  @Test
  void a_recording_has_sessions_leaders_restarts_and_appends(@TempDir Path folder)
      throws Exception {
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      for (String each :
          List.of(
              "SessionOpen",
              "SessionDisconnect",
              "SessionLost",
              "LeaderChange",
              "MemberRestart",
              "Append")) {
        recording.enable(PREFIX + each).withoutThreshold();
      }
      recording.start();
      loseALock(folder.resolve("n1"));
      Objects.requireNonNull(ClusterEvents.memberFailed("n1", new IOException("disk full")))
          .end("runs again");
      recording.stop();
      Path file = folder.resolve("cluster.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }
    RecordedEvent opened = first(events, "SessionOpen");
    assertEquals("here", opened.getString("userAgent"));
    assertEquals("shop", opened.getString("namespace"));
    RecordedEvent lost = first(events, "SessionLost");
    assertEquals(opened.getLong("session"), lost.getLong("session"));
    assertFalse(lost.getDuration("lived").isZero());
    RecordedEvent silence = first(events, "SessionDisconnect");
    assertEquals(opened.getLong("session"), silence.getLong("session"));
    assertEquals("lost", silence.getString("end"));
    assertFalse(silence.getDuration().isZero());
    RecordedEvent leader = first(events, "LeaderChange");
    assertEquals("n1", leader.getString("member"));
    assertEquals("n1", leader.getString("leader"));
    assertTrue(leader.getLong("term") > 0);
    assertEquals(
        "java.io.IOException: disk full", first(events, "MemberRestart").getString("cause"));
    assertTrue(
        events.stream()
            .filter(each -> each.getEventType().getName().equals(PREFIX + "Append"))
            .anyMatch(each ->
                each.getLong("session") == opened.getLong("session")
                    && each.getInt("commands") > 0
                    && each.getString("end").equals("answered")));
  }

  private static RecordedEvent first(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(each -> each.getEventType().getName().equals(PREFIX + name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no event " + name));
  }

  /** Takes a lock, and stops the only member until the lock is lost. */
  private static void loseALock(Path data) throws Exception {
    String peers = RatisClusterTest.freePeers(1);
    CompletableFuture<String> lost = new CompletableFuture<>();
    try (LockCluster member = LockCluster.builder().peers(peers).member("n1", data).start();
        LockCluster client =
            LockCluster.builder()
                .peers(peers)
                .namespace("shop")
                .name("here")
                .lease(Duration.ofSeconds(4)) // a slow machine must not lose it earlier
                .listener(
                    new ClusterListener() {
                      @Override
                      public void lost(String userAgent, long session, String reason) {
                        lost.complete(reason);
                      }
                    })
                .start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(client).build();
        LockClient locks = userAgent.openLockClient("https://shop.test")) {
      HeldLock lock = locks.acquire("cart");
      member.close();
      assertEquals("the cluster has not answered for as long as the lease", lost.get());
      assertFalse(lock.isHeld());
    }
  }

  /** The program for a JVM without the flight recorder. */
  static final class WithoutFlightRecorder {
    private WithoutFlightRecorder() {}

    public static void main(String... args) {
      ClusterEvents.sessionOpened("here", "shop", 1);
      ClusterEvents.leaderChanged("n1", "n1", 1);
      System.out.println(ClusterEvents.appends(1, 1));
    }
  }

  @Test
  void without_the_flight_recorder_nothing_is_recorded() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.base",
                "-cp",
                System.getProperty("java.class.path"),
                WithoutFlightRecorder.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("null", output.strip());
    assertEquals(0, process.waitFor());
  }
}
