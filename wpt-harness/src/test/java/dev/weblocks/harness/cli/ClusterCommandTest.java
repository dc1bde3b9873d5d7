package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.cluster.machine.EntryCodec;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.harness.cluster.TrialCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands {@code node} and {@code cluster}, and the option {@code --cluster}. */
class ClusterCommandTest extends CliBed {

  private static final String PEERS = "n1=127.0.0.1:1,n2=127.0.0.1:2,n3=127.0.0.1:3";

  @Test
  void trial_takes_a_lock_and_ends() {
    assertEquals(0, run("cluster", "trial", "--nodes", "1", "--once"), this::err);
    assertTrue(out().startsWith("Members: n1=127.0.0.1:"), this::out);
    assertTrue(out().contains("A lock was granted after "), this::out);
  }

  @Test
  void status_lists_sessions_and_locks() throws Exception {
    try (TrialCluster trial = TrialCluster.start(1);
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(trial.client()).build();
        LockClient client = userAgent.openLockClient("https://one.test");
        HeldLock lock = client.acquire("cart", Duration.ofSeconds(30))) {
      assertTrue(lock.isHeld());
      do {
        forget();
        assertEquals(0, run("cluster", "status", "--peers", trial.peers()), this::err);
      } while (out().contains("  ?  ")); // it joins a little later
      assertTrue(out().startsWith("Leader n1\nMEMBER  ADDRESS"), this::out);
      String address = trial.peers().substring(trial.peers().indexOf('=') + 1);
      assertTrue(
          out().contains("n1      " + address + "  " + EntryCodec.VERSION + "      runs\n"),
          this::out);
      assertTrue(out().contains("default"), this::out);
      assertTrue(out().contains("cart  exclusive  held"), this::out);
    }
  }

  @Test
  void replace_adds_a_member_that_waits() throws Exception {
    String fourth;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fourth = "n4=127.0.0.1:" + socket.getLocalPort();
    }
    try (TrialCluster trial = TrialCluster.start(3)) {
      trial.client().status().join();
      String others = trial.peers().substring(0, trial.peers().lastIndexOf(','));
      try (LockCluster member =
          LockCluster.builder()
              .peers(others + "," + fourth)
              .member("n4", dir.resolve("n4"))
              .start()) {
        assertEquals(
            0,
            run("cluster", "replace", "--peers", trial.peers(), "--remove", "n3", "--add", fourth),
            this::err);
        assertEquals("The member " + fourth + " has replaced n3\n", out());
        assertTrue(member.metrics().member().isAdded());
      }
    }
  }

  @Test
  void run_shares_its_locks_with_other_processes() throws Exception {
    try (TrialCluster trial = TrialCluster.start(1);
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(trial.client()).build();
        LockClient client = userAgent.openLockClient("https://localhost");
        HeldLock lock = client.acquire("cart", Duration.ofSeconds(30))) {
      assertTrue(lock.isHeld());
      String code =
          "navigator.locks.request('cart', {ifAvailable: true}, lock => console.log(lock))";
      assertEquals(0, run("run", "--cluster", trial.peers(), "-e", code), this::err);
      assertEquals("null\n", out());
    }
  }

  @Test
  void script_waits_for_a_lock_of_another_process() throws Exception {
    try (TrialCluster trial = TrialCluster.start(1);
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(trial.client()).build();
        LockClient client = userAgent.openLockClient("https://localhost")) {
      HeldLock lock = client.acquire("cart", Duration.ofSeconds(30));
      Thread releaser =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                while (trial.client().locks().join().size() < 2) {
                  Thread.onSpinWait();
                }
                lock.close();
              });
      String code = "navigator.locks.request('cart', lock => console.log(lock.name))";
      assertEquals(0, run("run", "--cluster", trial.peers(), "-e", code), this::err);
      assertEquals("cart\n", out());
      releaser.join();
    }
  }

  @Test
  void secret_file_lets_a_command_connect() throws Exception {
    Path secret = dir.resolve("locks.secret");
    assertEquals(0, run("cluster", "secret", secret.toString()), this::err);
    assertEquals("Give members and clients of this machine: --secret " + secret + "\n", out());
    String peers;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      peers = "n1=127.0.0.1:" + socket.getLocalPort();
    }
    try (LockCluster member =
        LockCluster.builder().peers(peers).member("n1", dir.resolve("n1")).secret(secret).start()) {
      assertEquals("n1", member.status().join().leader());
      forget();
      assertEquals(
          0, run("cluster", "status", "--peers", peers, "--secret", secret.toString()), this::err);
      assertTrue(out().startsWith("Leader n1\n"), this::out);
    }
  }

  @Test
  void bad_options_give_one_clear_line() throws IOException {
    assertFails(
        "--peers 'n1': 'n1' is not a member; write n1=host1:7800,n2=host2:7800,n3=host3:7800"
            + " (weblocks node --help)",
        "node",
        "--id",
        "n1",
        "--peers",
        "n1",
        "--data",
        dir.resolve("data").toString());
    assertFails(
        "--id: 'n9' is not a member; the members are n1, n2, n3 (weblocks node --help)",
        "node",
        "--id",
        "n9",
        "--peers",
        PEERS,
        "--data",
        dir.resolve("data").toString());
    assertFails(
        "TLS needs --tls-key, --tls-cert and --tls-ca (weblocks cluster status --help)",
        "cluster",
        "status",
        "--peers",
        PEERS,
        "--tls-key",
        "key.pem");
    assertFails(
        "members are on other machines, or --listen is open to them: give --tls-key, --tls-cert and"
            + " --tls-ca, or --insecure in a closed network (weblocks cluster status --help)",
        "cluster",
        "status",
        "--peers",
        "n1=192.0.2.1:7800");
    assertFails(
        "members are on other machines, or --listen is open to them: give --tls-key, --tls-cert and"
            + " --tls-ca, or --insecure in a closed network (weblocks node --help)",
        "node",
        "--id",
        "n1",
        "--peers",
        PEERS,
        "--data",
        dir.resolve("open").toString(),
        "--listen",
        "0.0.0.0");
    assertFails(
        "--accept-members-without-role is about certificates: give --tls-key, --tls-cert and"
            + " --tls-ca, or leave it out (weblocks node --help)",
        "node",
        "--id",
        "n1",
        "--peers",
        PEERS,
        "--data",
        dir.resolve("open").toString(),
        "--accept-members-without-role");
    assertFails(
        "--secret and --tls-key exclude each other: leave one out (weblocks cluster status --help)",
        "cluster",
        "status",
        "--peers",
        PEERS,
        "--secret",
        "a",
        "--tls-key",
        "a",
        "--tls-cert",
        "a",
        "--tls-ca",
        "a");
    assertFails(
        "--nodes is 0: a number from 1 to 9 is needed (weblocks cluster trial --help)",
        "cluster",
        "trial",
        "--nodes",
        "0");
    assertFails(
        "--namespace needs --cluster: name the members (weblocks run --help)",
        "run",
        "--namespace",
        "x",
        "-e",
        "1");
    assertFails(
        "--cluster and --deterministic exclude each other: messages have no fixed order"
            + " (weblocks run --help)",
        "run",
        "--cluster",
        PEERS,
        "--deterministic",
        "-e",
        "1");
    assertFails(
        "--cluster is there: the only cluster for tests is trial (weblocks wpt --help)",
        "wpt",
        "--cluster",
        "there");
    assertFails(
        "--cluster is 10: a number from 1 to 9 is needed (weblocks explore --help)",
        "explore",
        "--cluster",
        "10",
        "-e",
        "1");
    assertFails(
        "--fault is fire: use one of kill-leader, kill-follower, kill-all, stop-leader,"
            + " stop-follower, restart-each, kill-holder, stop-holder, stop-holder-briefly,"
            + " terminate, delay, loss, black-hole, partition-leader, partition-follower,"
            + " partition-minority, partition-one-way, partition-client-from-leader,"
            + " partition-holder (weblocks stress cluster --help)",
        "stress",
        "cluster",
        "--fault",
        "fire");
    assertFails(
        "--fault partition-leader needs --namespaces (weblocks stress cluster --help)",
        "stress",
        "cluster",
        "--fault",
        "partition-leader");
    assertFails(
        "--fault delay and --namespaces exclude each other: leave one out"
            + " (weblocks stress cluster --help)",
        "stress",
        "cluster",
        "--namespaces",
        "--fault",
        "delay");
    for (List<String> option :
        List.of(List.of("--fault", "kill-leader"), List.of("--rounds", "5"))) {
      assertFails(
          "--upgrade-to needs a round with --fault restart-each (weblocks stress cluster --help)",
          "stress",
          "cluster",
          "--upgrade-to",
          "/bin/sh",
          option.getFirst(),
          option.getLast());
    }
  }

  @Test
  void member_on_the_folder_of_another_one_is_refused() throws IOException {
    Files.createDirectories(dir.resolve("data"));
    Files.writeString(
        dir.resolve("data/member.properties"),
        "cluster=weblocks\nmember=n2\nstorage=00000000-0000-0000-0000-000000000001\n");
    assertFails(
        "the folder "
            + dir.resolve("data")
            + " belongs to the member 'n2', not to 'n1'; use another folder",
        "node",
        "--id",
        "n1",
        "--peers",
        PEERS,
        "--data",
        dir.resolve("data").toString());
  }

  @Test
  void exploration_finds_a_script_that_never_expects_to_lose_its_lock() throws IOException {
    Files.writeString(
        dir.resolve("keeps.mjs"),
        """
        await navigator.locks.request('a', async () => {
          for (let i = 0; i < 10; i++) await new Promise(resolve => setTimeout(resolve));
        });
        """);
    String script = dir.resolve("keeps.mjs").toString();
    assertEquals(
        1, run("explore", "--cluster", "3", "--schedules", "100", script, script), this::err);
    assertTrue(out().contains("finding: assertion"), this::out);
    assertTrue(out().contains("Uncaught AbortError: The lock was lost"), this::out);
    assertTrue(out().contains("replay: weblocks explore --replay "), this::out);
  }
}
