package dev.weblocks.cluster.ratis;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The file in which Ratis keeps the term of a member and its vote in it. If the disk is full while
 * Ratis replaces it, it is empty, and Ratis does not start with it.
 */
final class TermFile {

  private TermFile() {}

  /**
   * Writes the file if it is empty. A member must not vote twice in one term, and its last vote is
   * unknown. So the file gets a term that no member has reached, with a vote for itself. The next
   * election begins with the term after that one.
   *
   * @param current the folder of the log
   * @param term greater than any before
   * @return whether the file was empty
   */
  static boolean repair(Path current, String id, long term) throws IOException {
    Path file = current.resolve("raft-meta");
    if (!Files.exists(file) || Files.size(file) > 0) {
      return false;
    }
    Path whole = current.resolve("raft-meta.repaired");
    try (FileOutputStream out = new FileOutputStream(whole.toFile())) {
      out.write(("term=" + term + "\nvotedFor=" + id + "\n").getBytes(StandardCharsets.ISO_8859_1));
      out.getFD().sync();
    }
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }
}
