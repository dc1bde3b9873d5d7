package dev.weblocks.cluster.ratis;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
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
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new IOException(folder + " is not a folder; name one for the data of this member");
    }
    try {
      Files.createDirectories(folder);
    } catch (FileSystemException failed) {
      throw new IOException("the folder " + folder + " cannot be created; use another one", failed);
    }
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      requireEmpty(folder);
      requireWritable(folder);
      return new MemberFolder(file, clusterId, id, UUID.randomUUID(), true);
    }
    requireWritable(folder);
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

  private static void requireWritable(Path folder) throws IOException {
    if (!Files.isWritable(folder)) {
      throw new IOException(
          "cannot write in the folder " + folder + "; use another one, or change its owner");
    }
  }

  private static void requireEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      if (files.anyMatch(each -> !each.endsWith(FILE + ".tmp"))) {
        throw new IOException(
            "the folder " + folder + " has other files; use one for this member alone");
      }
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
