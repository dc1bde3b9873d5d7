package dev.weblocks.harness.cluster;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the processes of a trial connect: without TLS, or with a certificate for each role. */
public final class TrialSecurity implements AutoCloseable {

  private static final String AUTHORITY = "authority";

  /** Null without TLS. */
  private final @Nullable TemporaryDirectory folder;

  /**
   * Makes certificates.
   *
   * @param hasTls whether there is TLS; without it, there are no certificates
   */
  TrialSecurity(boolean hasTls, TrialNetwork network) throws IOException {
    if (!hasTls) {
      folder = null;
      return;
    }
    folder = new TemporaryDirectory("weblocks-certificates");
    try (Keytool keytool = new Keytool()) {
      keytool.generate(AUTHORITY, "-ext", "bc:c");
      Files.writeString(path(AUTHORITY + ".crt"), keytool.certificate(AUTHORITY));
      for (String role : List.of("member", "client")) {
        keytool.generate(
            role,
            "-signer",
            AUTHORITY,
            "-ext",
            "san=" + addresses(network) + ",uri:weblocks:" + role);
        Files.writeString(path(role + ".key"), keytool.key(role));
        Files.writeString(path(role + ".crt"), keytool.certificate(role));
      }
    } catch (IOException | RuntimeException failed) {
      close();
      throw failed;
    }
  }

  private static String addresses(TrialNetwork network) {
    Set<String> hosts = new LinkedHashSet<>();
    for (String each : (network.peers() + "," + network.peersOfClients()).split(",", -1)) {
      hosts.add(each.substring(each.indexOf('=') + 1, each.lastIndexOf(':')));
    }
    return hosts.stream().map(host -> "ip:" + host).collect(Collectors.joining(","));
  }

  private Path path(String file) {
    return Objects.requireNonNull(folder).path().resolve(file);
  }

  /** Returns the options of weblocks node. */
  List<String> optionsOfMember() {
    return folder == null
        ? List.of("--insecure")
        : List.of(
            "--tls-key",
            path("member.key").toString(),
            "--tls-cert",
            path("member.crt").toString(),
            "--tls-ca",
            path(AUTHORITY + ".crt").toString());
  }

  /** Returns the files of a client: its key, its certificate, the authority; none without TLS. */
  List<String> filesOfClient() {
    return folder == null
        ? List.of()
        : List.of(
            path("client.key").toString(),
            path("client.crt").toString(),
            path(AUTHORITY + ".crt").toString());
  }

  /**
   * Sets how a client connects.
   *
   * @param files its key, its certificate and the authority; empty for no TLS
   */
  public static LockCluster.Builder secured(LockCluster.Builder builder, List<String> files) {
    return files.isEmpty()
        ? builder.insecure()
        : builder.tls(Path.of(files.get(0)), Path.of(files.get(1)), Path.of(files.get(2)));
  }

  @Override
  public void close() {
    if (folder != null) {
      folder.close();
    }
  }
}
