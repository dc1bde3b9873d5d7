package dev.weblocks.cluster.ratis;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/**
 * The file in which Ratis keeps the term of a member and its vote in it. If the disk is full while
 * Ratis replaces it, it is empty, and Ratis does not start with it.
 */
final class TermFile {

  private TermFile() {}

  /**
   * Returns whether the member may have voted. Ratis writes the file with term 0 when it creates
   * the folder.
   *
   * @param current the folder of the log
   */
  static boolean hasVotes(Path current) throws IOException {
    Path file = current.resolve("raft-meta");
    if (!Files.exists(file)) {
      return false;
    }
    Properties known = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      known.load(in);
    }
    return !"0".equals(known.getProperty("term")); // an empty file has lost its term
  }

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
