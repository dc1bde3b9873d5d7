package dev.weblocks.lockmanager;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list in insertion order. Removal takes constant time, because each item owns its
 * link.
 *
 * @param <T> the type of the items
 */
final class Chain<T> {

  /** The link of one item, which is in at most one chain at a time. */
  static final class Link<T> {
    private final T item;
    private @Nullable Chain<T> chain;
    private @Nullable Link<T> previous;
    private @Nullable Link<T> next;

    Link(T item) {
      this.item = item;
    }

    T item() {
      return item;
    }

    @Nullable Link<T> next() {
      if (chain != null) {
        chain.operations.add();
      }
      return next;
    }
  }

  private final OperationCount operations;
  private @Nullable Link<T> first;
  private @Nullable Link<T> last;

  Chain(OperationCount operations) {
    this.operations = operations;
  }

  boolean isEmpty() {
    return first == null;
  }

  @Nullable Link<T> first() {
    operations.add();
    return first;
  }

  List<T> items() {
    List<T> items = new ArrayList<>();
    for (Link<T> link = first; link != null; link = link.next) {
      items.add(link.item);
    }
    return items;
  }

  void append(Link<T> link) {
    adopt(link);
    link.previous = last;
    if (last == null) {
      first = link;
    } else {
      last.next = link;
    }
    last = link;
  }

  void prepend(Link<T> link) {
    adopt(link);
    link.next = first;
    if (first == null) {
      last = link;
    } else {
      first.previous = link;
    }
    first = link;
  }

  /**
   * Removes a link.
   *
   * @throws IllegalStateException if the link is not in this chain
   */
  void remove(Link<T> link) {
    if (link.chain != this) {
      throw new IllegalStateException("not in this chain: " + link.item);
    }
    operations.add();
    Link<T> before = link.previous;
    Link<T> after = link.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    link.chain = null;
    link.previous = null;
    link.next = null;
  }

  private void adopt(Link<T> link) {
    if (link.chain != null) {
      throw new IllegalStateException("already in a chain: " + link.item);
    }
    operations.add();
    link.chain = this;
  }
}
