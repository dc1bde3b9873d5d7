package dev.weblocks.harness.cli;

import dev.weblocks.cluster.LockCluster;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which lock cluster is meant, and how to connect to it. */
final class ClusterOptions {

  @Option(
      names = "--cluster-id",
      paramLabel = "NAME",
      description = "The name of the cluster, the same everywhere. Default: weblocks.")
  private String clusterId = "weblocks";

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The private key of this process, in PEM format (PKCS #8).")
  private @Nullable Path tlsKey;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "The certificate of the key with its chain, in PEM format.")
  private @Nullable Path tlsCertificate;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "The certificates of the authorities that are trusted, in PEM format. Members and clients"
              + " accept only connections with a certificate of these.")
  private @Nullable Path tlsAuthorities;

  @Option(
      names = "--insecure",
      description =
          "Connect to other machines without TLS: every process that reaches a member can take locks.")
  private boolean insecure;

  /**
   * Returns a builder with these options.
   *
   * @param peers the members
   * @throws IllegalArgumentException if the options do not fit together, or a file cannot be read
   */
  LockCluster.Builder builder(String peers) {
    LockCluster.Builder builder = LockCluster.builder().clusterId(clusterId).peers(peers);
    if (tlsKey != null && tlsCertificate != null && tlsAuthorities != null) {
      builder.tls(tlsKey, tlsCertificate, tlsAuthorities);
    } else if (tlsKey != null || tlsCertificate != null || tlsAuthorities != null) {
      throw new IllegalArgumentException("TLS needs --tls-key, --tls-cert and --tls-ca");
    }
    if (insecure) {
      builder.insecure();
    }
    return builder;
  }
}
