package dev.weblocks.harness.cli;

import dev.weblocks.cluster.LockCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options that say which lock cluster is meant, and how to connect to it. */
final class ClusterOptions {

  /** The message for a command without members. */
  static final String NO_PEERS =
      "--peers is missing: name the members, such as n1=HOST1:7800,n2=HOST2:7800,n3=HOST3:7800";

  /** The message for other machines without encryption. */
  static final String NO_TLS =
      "members are on other machines, or --listen is open to them: give --tls-key, --tls-cert and"
          + " --tls-ca, or --insecure in a closed network";

  @Option(
      names = "--cluster-id",
      paramLabel = "NAME",
      converter = Id.class,
      description = "The name of the cluster, the same everywhere. Default: weblocks.")
  private @Nullable String clusterId;

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
              + " accept only connections with a certificate of these. The certificate of a client"
              + " has the URI weblocks:client in its subjectAltName; that of a member, or for"
              + " 'weblocks cluster replace', has weblocks:member.")
  private @Nullable Path tlsAuthorities;

  @Option(
      names = "--secret",
      paramLabel = "FILE",
      description =
          "A file of 'weblocks cluster secret' instead of --tls-key, --tls-cert and --tls-ca, for"
              + " members and clients on the loopback interface.")
  private @Nullable Path secret;

  @Option(
      names = "--insecure",
      description =
          "Connect to other machines without TLS: every process that reaches a member can take locks,"
              + " and change the members.")
  private boolean insecure;

  /** Checks an option by the setter of the builder for its value. */
  private abstract static class Checked implements ITypeConverter<String> {
    private final BiConsumer<LockCluster.Builder, String> setter;

    Checked(BiConsumer<LockCluster.Builder, String> setter) {
      this.setter = setter;
    }

    @Override
    public final String convert(String value) {
      try {
        setter.accept(LockCluster.builder(), value);
        return value;
      } catch (IllegalArgumentException wrong) {
        throw new TypeConversionException(wrong.getMessage());
      }
    }
  }

  /** The converter of a list of members. */
  static final class Members extends Checked {
    Members() {
      super(LockCluster.Builder::peers);
    }
  }

  /** The converter of a namespace. */
  static final class Namespace extends Checked {
    Namespace() {
      super(LockCluster.Builder::namespace);
    }
  }

  /** The converter of an address to listen on. */
  static final class Host extends Checked {
    Host() {
      super(LockCluster.Builder::listenOn);
    }
  }

  private static final class Id extends Checked {
    Id() {
      super(LockCluster.Builder::clusterId);
    }
  }

  /** Returns the name of an option that was given; null if none was. */
  @Nullable String given() {
    return clusterId != null
        ? "--cluster-id"
        : tlsKey != null
            ? "--tls-key"
            : tlsCertificate != null
                ? "--tls-cert"
                : tlsAuthorities != null
                    ? "--tls-ca"
                    : secret != null ? "--secret" : insecure ? "--insecure" : null;
  }

  /** Returns whether there are certificates. */
  boolean hasTls() {
    return tlsKey != null || secret != null;
  }

  /**
   * Returns a builder with these options.
   *
   * @throws ParameterException if the options do not fit together, or a file cannot be read
   */
  LockCluster.Builder builder(CliCommand command, String peers) {
    LockCluster.Builder builder = LockCluster.builder().peers(peers);
    if (clusterId != null) {
      builder.clusterId(clusterId);
    }
    if (secret != null && tlsKey != null) {
      throw command.usage("--secret and --tls-key exclude each other: leave one out");
    }
    if (insecure && hasTls()) {
      throw command.usage(
          "--insecure and %s exclude each other: leave one out"
              .formatted(secret == null ? "--tls-key" : "--secret"));
    }
    if (tlsKey != null && tlsCertificate != null && tlsAuthorities != null) {
      try {
        builder.tls(tlsKey, tlsCertificate, tlsAuthorities);
      } catch (IllegalArgumentException unreadable) {
        throw command.usage("--tls: " + unreadable.getMessage());
      }
    } else if (tlsKey != null || tlsCertificate != null || tlsAuthorities != null) {
      throw command.usage("TLS needs --tls-key, --tls-cert and --tls-ca");
    }
    if (secret != null) {
      try {
        builder.secret(secret);
      } catch (IllegalArgumentException unusable) {
        throw command.usage("--secret: " + unusable.getMessage());
      }
    }
    if (insecure) {
      builder.insecure();
    }
    return builder;
  }

  /**
   * Starts the member or client of a builder.
   *
   * @throws IllegalArgumentException if the member is none of the peers
   */
  LockCluster start(CliCommand command, LockCluster.Builder builder) throws CommandFailure {
    try {
      return builder.start();
    } catch (IllegalStateException isOpen) {
      throw command.usage(NO_TLS);
    } catch (IOException failed) {
      throw new CommandFailure(String.valueOf(failed.getMessage()));
    }
  }

  /** Waits for an answer of a cluster. */
  static <T> T answer(CompletableFuture<T> answer) throws CommandFailure, InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause() == null ? failed : failed.getCause();
      throw new CommandFailure(String.valueOf(cause.getMessage()));
    }
  }
}
