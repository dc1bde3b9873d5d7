package dev.weblocks.harness.cluster;

import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Keys with certificates, made by the JDK's keytool in a folder that is deleted on close. */
final class Keytool implements AutoCloseable {

  /** For a file that only this user can read, and not for long. */
  private static final String PASSWORD = "weblocks";

  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private final TemporaryDirectory folder = new TemporaryDirectory("weblocks-keys");
  private final Path store = folder.path().resolve("keys.p12");

  Keytool() throws IOException {}

  /**
   * Makes a key with a certificate, signed by itself.
   *
   * @param alias its name in this object
   * @param arguments further ones of keytool, such as a signer
   * @throws IOException if keytool does not exist or fails
   */
  void generate(String alias, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-alias", alias, "-dname", "CN=weblocks " + alias));
    command.addAll(List.of("-validity", "3650", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool of the JDK failed: " + output.strip());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool makes a key", interrupted);
    }
  }

  /** Returns the certificate of a key in PEM format. */
  String certificate(String alias) throws IOException {
    try {
      return pem("CERTIFICATE", load().getCertificate(alias).getEncoded());
    } catch (GeneralSecurityException unexpected) {
      throw new IOException(unexpected);
    }
  }

  /** Returns a key in PEM format. */
  String key(String alias) throws IOException {
    try {
      return pem("PRIVATE KEY", load().getKey(alias, PASSWORD.toCharArray()).getEncoded());
    } catch (GeneralSecurityException unexpected) {
      throw new IOException(unexpected);
    }
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
  }

  private static String pem(String label, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, LINES.encodeToString(content), label);
  }

  @Override
  public void close() {
    folder.close();
  }
}
