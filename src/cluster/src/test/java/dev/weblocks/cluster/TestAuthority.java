package dev.weblocks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.cluster.ratis.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** An authority for tests, which issues certificates for the loopback interface. */
public final class TestAuthority {

  private static final String PASSWORD = "password";

  private final Path folder;
  private final String name;
  private final Path store;

  /** A key with its certificate and the authority that has signed it, as files. */
  public record Identity(Path key, Path certificate, Path authority) {
    LockCluster.Builder of(String peers) {
      return LockCluster.builder()
          .peers(peers)
          .lease(Duration.ofSeconds(5))
          .tls(key, certificate, authority);
    }

    /** Returns the same files for connections. */
    public Tls tls() {
      return new Tls(key, certificate, authority);
    }
  }

  /** Creates an authority with its files in a folder. */
  public TestAuthority(Path folder, String name) throws Exception {
    this.folder = folder;
    this.name = name;
    this.store = folder.resolve(name + ".p12");
    generate("ca", "-ext", "bc:c");
  }

  /** Issues a certificate with a role, such as {@code member}. */
  public Identity issue(String owner, String role) throws Exception {
    return issueWithNames(owner, "ip:127.0.0.1,uri:weblocks:" + role);
  }

  /** Issues a certificate with a subjectAltName. */
  public Identity issueWithNames(String owner, String names) throws Exception {
    generate(owner, "-signer", "ca", "-ext", "san=" + names);
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    return new Identity(
        pem(owner + ".key", "PRIVATE KEY", keys.getKey(owner, PASSWORD.toCharArray()).getEncoded()),
        pem(owner + ".crt", "CERTIFICATE", keys.getCertificate(owner).getEncoded()),
        pem("ca.crt", "CERTIFICATE", keys.getCertificate("ca").getEncoded()));
  }

  private void generate(String alias, String... more) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=" + alias));
    command.addAll(List.of("-alias", alias, "-keystore", store.toString()));
    command.addAll(List.of("-storepass", PASSWORD));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
  }

  private Path pem(String file, String label, byte[] content)
      throws IOException, GeneralSecurityException {
    return Files.writeString(
        folder.resolve(name + "-" + file),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(
                label,
                Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content),
                label));
  }
}
