package dev.weblocks.cluster.ratis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.security.TlsConf.CertificatesConf;
import org.apache.ratis.security.TlsConf.PrivateKeyConf;

/**
 * The identity of a member or client, and the authorities that it trusts. Both sides of each
 * connection present a certificate.
 *
 * @param privateKey a file in PEM format (PKCS #8)
 * @param certificate a file in PEM format, with the chain
 * @param trusted a file in PEM format, with the certificates of the authorities
 */
public record Tls(Path privateKey, Path certificate, Path trusted) {

  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN [A-Z0-9 ]{0,20}CERTIFICATE-----([^-]*)-----END ");

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
    if (!text(privateKey).contains("PRIVATE KEY-----")) {
      throw new IllegalArgumentException(
          privateKey + " has no private key in the PEM format, which TLS needs");
    }
    var unused = List.of(certificates(certificate), certificates(trusted));
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(file + " is larger than 1 MiB, which TLS does not read");
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(file + " cannot be read, which TLS needs", unreadable);
    }
  }

  /**
   * Returns the identity that members and clients share.
   *
   * @param file has the private key, and its certificate, which is its own authority
   * @throws IllegalArgumentException if it cannot be read or has not, or other users can read it
   */
  public static Tls shared(Path file) {
    Tls tls = new Tls(file, file, file);
    try {
      if (OwnerOnly.isOpenToOthers(file)) {
        throw new IllegalArgumentException(
            "other users can read or change "
                + file
                + "; allow it to the owner alone, such as by chmod 600");
      }
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(file + " cannot be read, which TLS needs", unreadable);
    }
    return tls;
  }

  /** Returns the certificates in a file, in their order. */
  private static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> all = new ArrayList<>();
    Matcher blocks = CERTIFICATE.matcher(text(file));
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      while (blocks.find()) {
        byte[] content = Base64.getMimeDecoder().decode(blocks.group(1));
        all.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(content)));
      }
    } catch (CertificateException | IllegalArgumentException malformed) {
      throw new IllegalArgumentException(
          file + " has a damaged certificate; TLS needs a whole one", malformed);
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          file + " has no certificate in the PEM format, which TLS needs");
    }
    return all;
  }

  /** Returns the role of the certificate. */
  PeerRole role() {
    return PeerRole.of(certificates(certificate).getFirst());
  }

  /**
   * Returns the parameters of connections.
   *
   * @param acceptsWithoutRole whether the other side of a connection that is made may have a
   *     certificate without a role
   */
  Parameters parameters(boolean acceptsWithoutRole) {
    GrpcTlsConfig.Builder config =
        new GrpcTlsConfig.Builder()
            .setPrivateKey(new PrivateKeyConf(privateKey.toFile()))
            .setKeyCertificates(new CertificatesConf(certificate.toFile()))
            .setMutualTls(true);
    try {
      config.setTrustManager(new MemberTrust(certificates(trusted), acceptsWithoutRole));
    } catch (GeneralSecurityException unusable) {
      throw new IllegalArgumentException(trusted + " cannot be used for TLS", unusable);
    }
    Parameters parameters = new Parameters();
    GrpcConfigKeys.TLS.setConf(parameters, config.build());
    return parameters;
  }
}
