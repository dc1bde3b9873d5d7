package dev.weblocks.file;

import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;

/**
 * The {@code File} interface.
 *
 * @see <a href="https://w3c.github.io/FileAPI/#file-section">File API</a>
 */
public final class File extends Blob {

  private final String name;
  private final double lastModified;
  private boolean lastModifiedIsSeen;

  private File(Realm realm, Snapshot from) {
    super(realm, from.bytes(), from.type());
    this.name = from.name();
    this.lastModified = from.lastModified();
  }

  /**
   * The serialized form of a file.
   *
   * @param lastModified whole milliseconds since the Unix epoch
   */
  private record Snapshot(ByteSequence bytes, String type, String name, double lastModified) {}

  /**
   * Creates a file with the current time as its modification time. Called on the event loop.
   *
   * @param name as script sees it
   * @param type the MIME type as script sees it, empty for none
   */
  public static File of(Realm realm, ByteSequence bytes, String name, String type) {
    return new File(realm, new Snapshot(bytes, type, name, now(realm)));
  }

  /** Returns a copy of this file with another name. */
  public File withName(String other) {
    return new File(realm(), new Snapshot(bytes(), type(), other, lastModified));
  }

  /** Returns the name as script sees it. */
  public String name() {
    return name;
  }

  /** <a href="https://w3c.github.io/FileAPI/#file-constructor">File()</a> */
  private static File construct(Realm realm, Arguments args) {
    DictionaryView options = args.dictionary(2);
    return new File(
        realm,
        new Snapshot(
            processBlobParts(realm, args.list(0), options, "File"),
            normalizedType(options.string("type")),
            args.string(1),
            options.isPresent("lastModified") ? options.number("lastModified") : now(realm)));
  }

  /** <a href="https://w3c.github.io/FileAPI/#dfn-lastModified">lastModified</a> */
  private double lastModified() {
    if (!lastModifiedIsSeen) {
      lastModifiedIsSeen = true;
      realm().agent().clock().timeIsSeen();
    }
    return lastModified;
  }

  private static double now(Realm realm) {
    Clock clock = realm.agent().clock();
    return Math.floor(clock.epochMillisAtZero() + clock.nanoTime() / 1e6);
  }

  static void define(Implementations implementations) {
    implementations
        .implement("File", File.class)
        .constructor(File::construct)
        .getter("name", file -> file.name)
        .getter("lastModified", File::lastModified)
        .serializable(
            file -> new Snapshot(file.bytes(), file.type(), file.name, file.lastModified),
            (realm, state) -> new File(realm, (Snapshot) state));
  }
}
