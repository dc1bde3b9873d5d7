package dev.weblocks.cluster.ratis;

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

  /**
   * Checks that the files can be read.
   *
   * @throws IllegalArgumentException if one cannot
   */
  public Tls {
    for (Path each : new Path[] {privateKey, certificate, trusted}) {
      if (!Files.isRegularFile(each) || !Files.isReadable(each)) {
        throw new IllegalArgumentException(
            each + " is not a file that can be read, which TLS needs");
      }
    }
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
