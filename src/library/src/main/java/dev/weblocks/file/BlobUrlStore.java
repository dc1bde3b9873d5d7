package dev.weblocks.file;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.storage.StorageKey;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import dev.weblocks.url.UrlSerializer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The blob URL store of a user agent. The entry of a {@code blob:} URL is kept until the URL is
 * revoked or the realm that created it is discarded. Thread-safe.
 *
 * @see <a href="https://w3c.github.io/FileAPI/#BlobURLStore">File API</a>
 */
public final class BlobUrlStore {

  /**
   * The entry of a URL. It stays valid after the URL is revoked.
   *
   * @param bytes the bytes of the blob
   * @param type the MIME type of the blob, empty for none
   * @param environment the environment that created the URL; its origin is also that of the URL
   * @see <a href="https://w3c.github.io/FileAPI/#blob-url-entry">blob URL entry</a>
   */
  public record Entry(ByteSequence bytes, String type, EnvironmentSettings environment) {

    /**
     * Returns whether an environment may use the URL.
     *
     * @see <a href="https://w3c.github.io/FileAPI/#check-for-same-partition-blob-url-usage">check
     *     for same-partition blob URL usage</a>
     */
    public boolean isSamePartition(EnvironmentSettings other) {
      StorageKey key = StorageKey.obtain(environment);
      return key == null
          ? environment.origin().equals(other.origin())
          : key.equals(StorageKey.obtain(other));
    }
  }

  private record Held(Entry entry, Realm maker) {}

  private final Map<String, Held> byUrl = new ConcurrentHashMap<>();

  private BlobUrlStore() {}

  /** Returns the store of a user agent. */
  public static BlobUrlStore of(UserAgent userAgent) {
    return userAgent.supplements().get(BlobUrlStore.class, BlobUrlStore::new);
  }

  /** The URLs that a realm has created; they are removed when the realm is discarded. */
  private static final class UrlsOfRealm {
    private final Set<String> urls = ConcurrentHashMap.newKeySet();

    static UrlsOfRealm of(Realm realm, BlobUrlStore store) {
      return realm
          .supplements()
          .get(
              UrlsOfRealm.class,
              () -> {
                UrlsOfRealm made = new UrlsOfRealm();
                realm.onDiscard(() -> made.urls.forEach(store.byUrl::remove));
                return made;
              });
    }
  }

  /**
   * Creates a URL for a blob. Called on the event loop of the realm.
   *
   * @see <a href="https://w3c.github.io/FileAPI/#add-an-entry">add an entry to the blob URL
   *     store</a>
   */
  public String add(Realm realm, Blob blob) {
    EnvironmentSettings settings = realm.settings();
    String url =
        "blob:" + settings.origin().serialize() + "/" + realm.agent().userAgent().ids().nextUuid();
    UrlsOfRealm.of(realm, this).urls.add(url);
    byUrl.put(url, new Held(new Entry(blob.bytes(), blob.type(), settings), realm));
    return url;
  }

  /**
   * Returns the entry of a URL, ignoring its fragment; null for none.
   *
   * @see <a href="https://w3c.github.io/FileAPI/#blob-url-resolve">resolve a blob URL</a>
   */
  public @Nullable Entry resolve(UrlRecord url) {
    if (!url.scheme().equals("blob")) {
      return null;
    }
    Held held = byUrl.get(UrlSerializer.serialize(url, true));
    return held == null || held.maker.isDiscarded() ? null : held.entry;
  }

  /** <a href="https://w3c.github.io/FileAPI/#dfn-createObjectURL">createObjectURL()</a> */
  private static String createObjectUrl(Arguments args) {
    Realm realm = args.realm();
    return of(realm.agent().userAgent()).add(realm, args.object(0, Blob.class));
  }

  /** <a href="https://w3c.github.io/FileAPI/#dfn-revokeObjectURL">revokeObjectURL()</a> */
  private static void revokeObjectUrl(Arguments args) {
    Realm realm = args.realm();
    UrlRecord url = UrlParser.parse(args.string(0)); // 1
    if (url == null) {
      return;
    }
    BlobUrlStore store = of(realm.agent().userAgent());
    Entry entry = store.resolve(url); // 2, 3
    if (entry != null && entry.isSamePartition(realm.settings())) { // 4 to 6
      Held held = store.byUrl.remove(url.href()); // 7; a no-op for a URL with a fragment
      if (held != null) {
        UrlsOfRealm.of(held.maker, store).urls.remove(url.href());
      }
    }
  }

  static void define(Implementations implementations) {
    implementations
        .mixin("URL", PlatformObject.class) // static members only, so the class is not used
        .staticOperation("createObjectURL", BlobUrlStore::createObjectUrl)
        .staticOperation(
            "revokeObjectURL",
            args -> {
              revokeObjectUrl(args);
              return null;
            });
  }
}
