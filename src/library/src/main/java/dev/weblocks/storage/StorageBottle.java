package dev.weblocks.storage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The map behind {@code Storage} objects of one storage key, and its watchers. Names keep their
 * insertion order. Thread-safe: windows of several agents share it, and each method is atomic.
 *
 * @see <a href="https://storage.spec.whatwg.org/#storage-bottle">storage bottle</a>
 */
final class StorageBottle {

  /**
   * A change of the map.
   *
   * @param key null if all values were removed
   * @param oldValue null if the key had no value
   * @param newValue null if the key has no value now
   * @param url of the document that made the change
   */
  record Change(
      @Nullable String key, @Nullable String oldValue, @Nullable String newValue, String url) {}

  /** A listener for changes, called on any thread, in order of changes; may only queue a task. */
  interface Watcher {
    void changed(Change change);
  }

  private record Broadcast(Change change, List<Watcher> watchers) {}

  private static final int BYTES_PER_CODE_UNIT = 2;

  private final long quota;

  // guarded by this
  private final Map<String, String> map = new LinkedHashMap<>();
  private final Set<Watcher> watchers = new LinkedHashSet<>();
  private long usage;

  /** A cache of the names, since the map has no lookup by index; null while it is out of date. */
  private String @Nullable [] names;

  // Watchers are called outside the lock, since queueing a task wakes a driver. One thread at a
  // time delivers the broadcasts of all threads, in the order of the changes.
  private final Queue<Broadcast> broadcasts = new ConcurrentLinkedQueue<>();
  private volatile boolean delivering;

  /** Creates an empty bottle with a quota in bytes. */
  StorageBottle(long quota) {
    this.quota = quota;
  }

  /** Returns a bottle with the same names and values, and without watchers. */
  synchronized StorageBottle copy() {
    StorageBottle copy = new StorageBottle(quota);
    copy.map.putAll(map);
    copy.usage = usage;
    return copy;
  }

  synchronized void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  synchronized void unwatch(Watcher watcher) {
    watchers.remove(watcher);
  }

  synchronized int watcherCount() {
    return watchers.size();
  }

  synchronized long usage() {
    return usage;
  }

  synchronized int size() {
    return map.size();
  }

  synchronized @Nullable String get(String key) {
    return map.get(key);
  }

  synchronized boolean contains(String key) {
    return map.containsKey(key);
  }

  synchronized List<String> names() {
    return List.of(nameArray());
  }

  /** Returns the name at an index; null if the index is too large. */
  synchronized @Nullable String name(long index) {
    return index < map.size() ? nameArray()[(int) index] : null;
  }

  private String[] nameArray() {
    String[] all = names;
    if (all == null) {
      all = map.keySet().toArray(String[]::new);
      names = all;
    }
    return all;
  }

  private static long size(String key, @Nullable String value) {
    return value == null ? 0 : ((long) key.length() + value.length()) * BYTES_PER_CODE_UNIT;
  }

  /**
   * Sets a value, and broadcasts the change if the value differs.
   *
   * @param source the watcher that is not notified
   * @return false if the quota would be exceeded; nothing has changed then
   * @see <a href="https://html.spec.whatwg.org/multipage/webstorage.html#dom-storage-setitem">
   *     setItem()</a>
   */
  boolean set(String key, String value, Watcher source, String url) {
    synchronized (this) {
      // 1. to 3.
      String oldValue = map.get(key);
      if (value.equals(oldValue)) {
        return true;
      }
      // 4.
      long after = usage - size(key, oldValue) + size(key, value);
      if (after > quota) {
        return false;
      }
      // 7. first, as it may run out of memory; it takes effect in deliver()
      broadcast(new Change(key, oldValue, value, url), source);
      // 5. and 6.
      map.put(key, value);
      usage = after;
      if (oldValue == null) {
        names = null;
      }
    }
    deliver();
    return true;
  }

  /**
   * Removes a value, and broadcasts the change if there was one.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/webstorage.html#dom-storage-removeitem">
   *     removeItem()</a>
   */
  void remove(String key, Watcher source, String url) {
    synchronized (this) {
      // 1. to 4.
      String oldValue = map.get(key);
      if (oldValue == null) {
        return;
      }
      // 5. first, as it may run out of memory
      broadcast(new Change(key, oldValue, null, url), source);
      map.remove(key);
      usage -= size(key, oldValue);
      names = null;
    }
    deliver();
  }

  /**
   * Removes all values, and broadcasts the change if there were any, as browsers do; the standard
   * always broadcasts.
   *
   * @see <a href="https://html.spec.whatwg.org/multipage/webstorage.html#dom-storage-clear">
   *     clear()</a>
   */
  void clear(Watcher source, String url) {
    synchronized (this) {
      if (map.isEmpty()) {
        return;
      }
      // 2. first, as it may run out of memory
      broadcast(new Change(null, null, null, url), source);
      // 1.
      map.clear();
      usage = 0;
      names = null;
    }
    deliver();
  }

  /**
   * Enqueues a change for all watchers except the source. The caller holds the monitor.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/webstorage.html#concept-storage-broadcast">
   *     broadcast</a>
   */
  private void broadcast(Change change, Watcher source) {
    // 3.
    List<Watcher> remote = new ArrayList<>(watchers);
    remote.remove(source);
    if (!remote.isEmpty()) {
      broadcasts.add(new Broadcast(change, remote));
    }
  }

  private void deliver() {
    Throwable failure = null;
    while (true) {
      Broadcast next;
      synchronized (this) {
        next = delivering ? null : broadcasts.poll();
        if (next == null) {
          break; // the queue is empty, or another thread delivers
        }
        delivering = true;
      }
      try {
        for (int i = 0; i < next.watchers.size(); i++) { // an iterator would be an allocation
          try {
            next.watchers.get(i).changed(next.change);
          } catch (RuntimeException | Error thrown) {
            failure = thrown; // other watchers and further changes are still served
          }
        }
      } finally {
        delivering = false; // no method call: the stack of a page may be exhausted
      }
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
