package dev.weblocks.cluster.ratis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;

/**
 * The identity of a member or client, and the authorities that it trusts. Both sides of each
 * connection present a certificate.
 *
 * @param privateKey a file in PEM format (PKCS #8)
 * @param certificate a file in PEM format, with the chain
 * @param trusted a file in PEM format, with the certificates of the authorities
 */
public record Tls(Path privateKey, Path certificate, Path trusted) {

  private static final long MAX_BYTES = 1 << 20;

  /**
   * Checks that the files can be read, and have a key and certificates.
   *
   * @throws IllegalArgumentException if one cannot, or has not
   */
  public Tls {
    for (Path each : new Path[] {privateKey, certificate, trusted}) {
      if (!Files.isRegularFile(each) || !Files.isReadable(each)) {
        throw new IllegalArgumentException(
            each + " is not a file that can be read, which TLS needs");
      }
    }
    requirePem(privateKey, "PRIVATE KEY", "private key");
    requirePem(certificate, "CERTIFICATE", "certificate");
    requirePem(trusted, "CERTIFICATE", "certificate");
  }

  private static void requirePem(Path file, String label, String what) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(file + " is larger than 1 MiB, which TLS does not read");
      }
      if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(label + "-----")) {
        return;
      }
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(file + " cannot be read, which TLS needs", unreadable);
    }
    throw new IllegalArgumentException(
        file + " has no " + what + " in the PEM format, which TLS needs");
  }

  Parameters parameters() {
    Parameters parameters = new Parameters();
    GrpcConfigKeys.TLS.setConf(
        parameters,
        new GrpcTlsConfig(
            privateKey.toFile(), certificate.toFile(), trusted.toFile(), /* mTlsEnabled= */ true));
    return parameters;
  }
}
