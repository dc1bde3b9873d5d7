package dev.weblocks.cluster.ratis;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
  private static final String CONFIRMED = "confirmed";

  /** The folder with the log and the snapshots, which contain the secrets of sessions. */
  static final String RAFT = "raft";

  private final Path file;
  private final String clusterId;
  private final String id;
  private final UUID storage;
  private final boolean isNew;
  private volatile long confirmed;

  private MemberFolder(
      Path file, String clusterId, String id, UUID storage, boolean isNew, long confirmed) {
    this.file = file;
    this.clusterId = clusterId;
    this.id = id;
    this.storage = storage;
    this.isNew = isNew;
    this.confirmed = confirmed;
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
      OwnerOnly.createFolder(folder);
    } catch (FileSystemException failed) {
      throw new IOException("the folder " + folder + " cannot be created; use another one", failed);
    }
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      requireEmpty(folder);
      requireWritable(folder);
      OwnerOnly.createFolder(folder.resolve(RAFT));
      OwnerOnly.restrict(folder.resolve(RAFT)); // left by a start that was killed
      return new MemberFolder(file, clusterId, id, UUID.randomUUID(), true, -1);
    }
    requireWritable(folder);
    OwnerOnly.createFolder(folder.resolve(RAFT));
    OwnerOnly.restrict(folder.resolve(RAFT));
    OwnerOnly.restrict(file);
    Properties known = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      known.load(in);
    } catch (IllegalArgumentException | CharacterCodingException malformed) {
      throw new IOException(file + " is damaged; restore it from a backup");
    }
    if (known.getProperty("cluster") == null || known.getProperty("member") == null) {
      throw new IOException(file + " is empty or damaged; restore it from a backup");
    }
    require(folder, "cluster", clusterId, known.getProperty("cluster"));
    require(folder, "member", id, known.getProperty("member"));
    try {
      UUID storage = UUID.fromString(known.getProperty("storage", ""));
      long confirmed = Long.parseLong(known.getProperty(CONFIRMED, "-1")); // -1: of older versions
      return new MemberFolder(file, clusterId, id, storage, false, confirmed);
    } catch (IllegalArgumentException malformed) {
      throw new IOException(
          file + " has no valid id of the storage, or no valid index; restore it from a backup");
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
      if (files.anyMatch(each -> !isOwn(each))) {
        throw new IOException(
            "the folder " + folder + " has other files; use one for this member alone");
      }
    }
  }

  /** Returns whether a member that was killed in its first start has left a file. */
  private static boolean isOwn(Path file) {
    if (!file.endsWith(RAFT)) {
      return file.endsWith(FILE + ".tmp");
    }
    try (Stream<Path> files = Files.list(file)) {
      return files.findAny().isEmpty();
    } catch (IOException unreadable) {
      return false;
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

  /** Returns the first index of the newest file of the log with a confirmed entry; -1 for none. */
  long confirmed() {
    return confirmed;
  }

  void saveConfirmed(long index) throws IOException {
    long before = confirmed;
    confirmed = index;
    try {
      save();
    } catch (IOException failed) {
      confirmed = before;
      throw failed;
    }
  }

  void save() throws IOException {
    Properties all = new Properties();
    all.setProperty("cluster", clusterId);
    all.setProperty("member", id);
    all.setProperty("storage", storage.toString());
    all.setProperty(CONFIRMED, String.valueOf(confirmed));
    StringWriter text = new StringWriter();
    all.store(text, "the member that owns this folder");
    Path whole = file.resolveSibling(FILE + ".tmp");
    OwnerOnly.createFile(whole);
    try (FileOutputStream out = new FileOutputStream(whole.toFile())) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
      out.getFD().sync();
    }
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
