package dev.weblocks.cluster.ratis;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and folders that no other user of the machine can read, as they contain secrets. Without
 * effect on file systems without POSIX permissions, such as those of Windows.
 */
final class OwnerOnly {

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnly() {}

  /** Creates a folder and those above it that do not exist; leaves one that does as it is. */
  static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, attributes(folder, FOLDER));
  }

  /** Creates a file, or restricts the one that exists. */
  static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, attributes(file, FILE));
    } catch (FileAlreadyExistsException left) {
      restrict(file);
    }
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Takes the permissions of other users away. Logs a warning if that is impossible. */
  static void restrict(Path path) throws IOException {
    if (!isPosix(path) || !isOpenToOthers(path)) {
      return;
    }
    try {
      Files.setPosixFilePermissions(path, Files.isDirectory(path) ? FOLDER : FILE);
    } catch (IOException failed) { // such as of another owner, or on a disk without permissions
      System.getLogger("dev.weblocks.cluster")
          .log(
              Level.WARNING,
              "other users of this machine can read {0}, which has secrets, and that cannot be"
                  + " changed; move it to a folder of the user that runs the member",
              path);
    }
  }

  /** Returns whether users other than the owner have any permission. */
  static boolean isOpenToOthers(Path path) throws IOException {
    return isPosix(path) && !FOLDER.containsAll(Files.getPosixFilePermissions(path));
  }
}
