package dev.weblocks.harness.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file for the members and clients of one machine: a key with a certificate that is its own
 * authority, for addresses of the loopback interface. A process that can read it is a member.
 */
public final class SharedSecret {

  private SharedSecret() {}

  /**
   * Creates the file. On file systems with POSIX permissions, its owner alone can read it.
   *
   * @throws FileAlreadyExistsException if it exists
   * @throws IOException if it cannot be written, or the key cannot be made
   */
  public static void create(Path file) throws IOException {
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] ownerOnly =
        isPosix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    String content;
    try (Keytool keytool = new Keytool()) {
      keytool.generate(
          "secret", "-ext", "san=ip:127.0.0.1,ip:::1,dns:localhost,uri:weblocks:member");
      content = keytool.certificate("secret") + keytool.key("secret");
    }
    Files.createFile(file, ownerOnly);
    try {
      Files.writeString(file, content, StandardCharsets.US_ASCII);
    } catch (IOException failed) { // such as a full disk: else the next attempt finds the file
      Files.delete(file);
      throw failed;
    }
  }
}
