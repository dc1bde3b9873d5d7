package dev.weblocks.storage;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.DictionaryView;
import dev.weblocks.binding.Implementations;
import dev.weblocks.dom.Event;
import org.jspecify.annotations.Nullable;

/**
 * The {@code StorageEvent} interface.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/webstorage.html#the-storageevent-interface">
 *     HTML</a>
 */
public final class StorageEvent extends Event {

  private @Nullable String key;
  private @Nullable String oldValue;
  private @Nullable String newValue;
  private String url = "";
  private @Nullable Storage storageArea;

  /** Creates an event without type, for {@code createEvent()}. */
  public StorageEvent(Realm realm) {
    super(realm, "", false, false);
  }

  /** Creates the event for a change that another window made. */
  StorageEvent(Realm realm, StorageBottle.Change change, Storage storageArea) {
    super(realm, "storage", false, false);
    this.key = change.key();
    this.oldValue = change.oldValue();
    this.newValue = change.newValue();
    this.url = change.url();
    this.storageArea = storageArea;
  }

  private StorageEvent(Realm realm, String type, DictionaryView init) {
    super(realm, type, init);
    this.key = init.stringOrNull("key");
    this.oldValue = init.stringOrNull("oldValue");
    this.newValue = init.stringOrNull("newValue");
    this.url = init.string("url");
    this.storageArea = init.objectOrNull("storageArea", Storage.class);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/webstorage.html#dom-storageevent-initstorageevent">initStorageEvent()</a>
   */
  private void initStorageEvent(Arguments args) {
    if (initialize(args)) {
      key = args.stringOrNull(3);
      oldValue = args.stringOrNull(4);
      newValue = args.stringOrNull(5);
      url = args.string(6);
      storageArea = args.objectOrNull(7, Storage.class);
    }
  }

  static void define(Implementations implementations) {
    implementations
        .implement("StorageEvent", StorageEvent.class)
        .constructor((realm, args) -> new StorageEvent(realm, args.string(0), args.dictionary(1)))
        .getter("key", event -> event.key)
        .getter("oldValue", event -> event.oldValue)
        .getter("newValue", event -> event.newValue)
        .getter("url", event -> event.url)
        .getter("storageArea", event -> event.storageArea)
        .action("initStorageEvent", StorageEvent::initStorageEvent);
  }
}
