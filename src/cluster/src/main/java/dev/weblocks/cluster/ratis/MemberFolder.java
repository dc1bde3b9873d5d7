package dev.weblocks.cluster.ratis;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The data folder of a member, with a file that says whose it is. */
final class MemberFolder {

  private static final String FILE = "member.properties";

  private final Path file;
  private final String clusterId;
  private final String id;
  private final UUID storage;
  private final boolean isNew;

  private MemberFolder(Path file, String clusterId, String id, UUID storage, boolean isNew) {
    this.file = file;
    this.clusterId = clusterId;
    this.id = id;
    this.storage = storage;
    this.isNew = isNew;
  }

  /**
   * Opens a folder, and creates it if it does not exist.
   *
   * @throws IOException if it cannot be written, or belongs to another member or cluster
   */
  static MemberFolder open(Path folder, String clusterId, String id) throws IOException {
    Files.createDirectories(folder);
    if (!Files.isWritable(folder)) {
      throw new IOException("cannot write in the folder " + folder);
    }
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return new MemberFolder(file, clusterId, id, UUID.randomUUID(), true);
    }
    Properties known = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      known.load(in);
    }
    require(folder, "cluster", clusterId, known.getProperty("cluster"));
    require(folder, "member", id, known.getProperty("member"));
    try {
      UUID storage = UUID.fromString(known.getProperty("storage", ""));
      return new MemberFolder(file, clusterId, id, storage, false);
    } catch (IllegalArgumentException malformed) {
      throw new IOException(file + " has no valid id of the storage; restore it from a backup");
    }
  }

  private static void require(Path folder, String what, String wanted, @Nullable String found)
      throws IOException {
    if (!wanted.equals(found)) {
      throw new IOException(
          "the folder %s belongs to the %s '%s', not to '%s'; use another folder"
              .formatted(folder, what, found, wanted));
    }
  }

  boolean isNew() {
    return isNew;
  }

  /** Returns the id of the data, generated when the folder was empty. */
  UUID storage() {
    return storage;
  }

  void save() throws IOException {
    Properties all = new Properties();
    all.setProperty("cluster", clusterId);
    all.setProperty("member", id);
    all.setProperty("storage", storage.toString());
    Path whole = file.resolveSibling(FILE + ".tmp");
    try (Writer out = Files.newBufferedWriter(whole)) {
      all.store(out, "the member that owns this folder");
    }
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
