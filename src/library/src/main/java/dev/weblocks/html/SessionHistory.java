package dev.weblocks.html;

import dev.weblocks.messaging.SerializedValue;
import dev.weblocks.url.UrlRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The session history of a top-level window and of the frames in its documents. Each navigable has
 * its own entries, and all of them share one sequence of steps. Thread-safe.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/document-sequences.html#traversable-navigable">HTML:
 *     traversable navigables</a>
 */
final class SessionHistory {

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#document-state-2">document
   * state</a>: shared by the entries of one document, also when it is loaded again
   */
  static final class DocumentState {
    final Navigation.Initiator initiator;

    /** The resource of an {@code about:srcdoc} document; null for any other. */
    final @Nullable String srcdoc;

    /**
     * <a href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#nested-history">nested
     * histories</a>, in order of creation of the frames
     */
    private final List<OfNavigable> nested = new ArrayList<>();

    /** The window of the document while it is active or kept; else null. */
    private @Nullable Window window;

    /** The group of the document when it was last loaded. */
    private @Nullable BrowsingContextGroup group;

    /**
     * <a href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#latest-entry">latest
     * entry</a>
     */
    private @Nullable Entry latest;

    DocumentState(Navigation.Initiator initiator, @Nullable String srcdoc) {
      this.initiator = initiator;
      this.srcdoc = srcdoc;
    }

    private void dropWindows() {
      window = null;
      for (OfNavigable each : nested) {
        each.entries.forEach(entry -> entry.document.dropWindows());
        each.active = null;
      }
    }
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#session-history-entry">session
   * history entry</a>
   */
  static final class Entry {
    final UrlRecord url;
    final @Nullable SerializedValue state;
    final DocumentState document;
    private final int step;

    Entry(UrlRecord url, @Nullable SerializedValue state, DocumentState document, int step) {
      this.url = url;
      this.state = state;
      this.document = document;
      this.step = step;
    }
  }

  /** The entries of one navigable, by ascending step. Guarded by the session history. */
  static final class OfNavigable {
    private final @Nullable DocumentState parent;
    private final String name;
    private final List<Entry> entries = new ArrayList<>();
    private @Nullable Entry active;

    /** Whether the entries wait for the frame of this name, as its document is loaded again. */
    private boolean waits;

    private OfNavigable(@Nullable DocumentState parent, String name) {
      this.parent = parent;
      this.name = name;
    }

    /** Returns the last entry up to a step; null for none. */
    private @Nullable Entry target(int step) {
      Entry found = null;
      for (Entry each : entries) {
        if (each.step <= step) {
          found = each;
        }
      }
      return found;
    }
  }

  enum Handling {
    PUSH,
    REPLACE
  }

  /**
   * The change that a navigation makes when it commits.
   *
   * @param into the existing entry whose document is loaded again; null for a new entry
   * @param step the step that becomes the current one with {@code into}; negative for no change
   * @param fresh the document of a new entry
   */
  record Change(Handling handling, @Nullable Entry into, int step, DocumentState fresh) {}

  private final OfNavigable top = new OfNavigable(null, "");
  private int currentStep;

  /** The last step that an entry has, or a later one. */
  private int lastStep;

  OfNavigable top() {
    return top;
  }

  synchronized int currentStep() {
    return currentStep;
  }

  synchronized @Nullable Entry active(OfNavigable of) {
    return of.active;
  }

  synchronized @Nullable Window windowOf(DocumentState document) {
    return document.window;
  }

  /** Returns the entry of a navigable at a step; null for none. */
  synchronized @Nullable Entry target(OfNavigable of, int step) {
    return of.target(step);
  }

  /** Returns the number of steps, at least 1. */
  synchronized int length() {
    return Math.max(1, usedSteps().size());
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#getting-all-used-history-steps">getting
   * all used history steps</a>
   */
  private NavigableSet<Integer> usedSteps() {
    NavigableSet<Integer> steps = new TreeSet<>();
    forEachList(top, list -> list.entries.forEach(entry -> steps.add(entry.step)));
    return steps;
  }

  private static void forEachList(OfNavigable list, Consumer<OfNavigable> action) {
    action.accept(list);
    DocumentState before = null;
    for (Entry entry : List.copyOf(list.entries)) {
      if (entry.document != before) {
        before = entry.document;
        List.copyOf(before.nested).forEach(each -> forEachList(each, action));
      }
    }
  }

  /**
   * Returns the step at a distance from the current one; negative if there is none.
   *
   * @param pending the step of a traversal in flight, which counts as the current one; negative for
   *     none
   */
  synchronized int stepAt(int delta, int pending) {
    NavigableSet<Integer> used = usedSteps();
    Integer now = used.floor(pending < 0 ? currentStep : pending);
    if (now == null) { // closed
      return -1;
    }
    List<Integer> steps = List.copyOf(used);
    int index = steps.indexOf(now) + delta;
    return index >= 0 && index < steps.size() ? steps.get(index) : -1;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#getting-the-used-step">getting
   * the used step</a>
   */
  private int usedStep() {
    Integer step = usedSteps().floor(currentStep);
    return step == null ? 0 : step;
  }

  synchronized void setCurrentStep(int step) {
    currentStep = step;
  }

  /**
   * Makes an entry the active one of its navigable, whose document is loaded.
   *
   * @return whether the document has shown another entry
   */
  synchronized boolean activate(OfNavigable of, Entry entry) {
    of.active = entry;
    boolean changes = entry.document.latest != entry;
    entry.document.latest = entry;
    return changes;
  }

  /** Returns the entry that a new frame shows again in place of its attributes; null for none. */
  synchronized @Nullable Entry entryToRestore(OfNavigable frame) {
    Entry entry = frame.active == null ? frame.target(currentStep) : null;
    return entry == null || entry.url.scheme().equals("about") ? null : entry;
  }

  /** Returns the groups of the documents of the top-level window. */
  synchronized Set<BrowsingContextGroup> groups() {
    Set<BrowsingContextGroup> groups = new LinkedHashSet<>();
    for (Entry each : top.entries) {
      if (each.document.group != null) {
        groups.add(each.document.group);
      }
    }
    return groups;
  }

  /** Adds the entries of a new frame, or returns those that its document had when it was left. */
  synchronized OfNavigable addFrame(OfNavigable parent, String name) {
    Entry shown = parent.active;
    if (shown == null) { // the parent's agent is ending
      return new OfNavigable(null, name);
    }
    for (OfNavigable each : shown.document.nested) {
      if (each.waits && each.name.equals(name)) {
        each.waits = false;
        return each;
      }
    }
    OfNavigable made = new OfNavigable(shown.document, name);
    shown.document.nested.add(made);
    return made;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#update-for-navigable-creation/destruction">update
   * for navigable creation/destruction</a>, after a frame was removed
   */
  synchronized void removeFrame(OfNavigable frame) {
    if (frame.parent != null) {
      frame.parent.nested.remove(frame);
      frame.entries.clear();
      frame.active = null;
      currentStep = usedStep();
    }
  }

  /**
   * Makes a new document the active one of a navigable.
   *
   * @return the entry of the document
   */
  synchronized Entry commit(OfNavigable of, Window window, UrlRecord url, Change change) {
    Entry left = of.active;
    if (left != null && of != top) {
      left.document.dropWindows(); // documents of frames are not kept
    }
    Entry into = change.into;
    Entry committed;
    if (into != null && of.entries.contains(into)) {
      prepareFrames(into.document, into == left);
      committed =
          into.url.equals(url)
              ? into
              : replace(of, into, new Entry(url, into.state, into.document, into.step));
      if (change.step >= 0) {
        currentStep = change.step;
      }
    } else if (of.entries.isEmpty()) {
      committed = add(of, new Entry(url, null, change.fresh, of == top ? currentStep : first(of)));
    } else if (left == null || change.handling == Handling.REPLACE) {
      Entry target = left == null ? of.target(currentStep) : left;
      Entry replaced = target == null ? of.entries.getFirst() : target;
      committed = replace(of, replaced, new Entry(url, null, change.fresh, replaced.step));
    } else {
      committed = push(of, new Entry(url, null, change.fresh, currentStep + 1));
    }
    committed.document.window = window;
    committed.document.group = of == top ? window.group() : null;
    committed.document.latest = committed;
    of.active = committed;
    return committed;
  }

  private static Entry replace(OfNavigable of, Entry replaced, Entry by) {
    of.entries.set(of.entries.lastIndexOf(replaced), by);
    return by;
  }

  /** Lets the entries of frames wait for their frames, unless the document is reloaded. */
  private static void prepareFrames(DocumentState document, boolean reload) {
    document.dropWindows();
    if (reload) { // frames begin anew; their steps stay used
      document.nested.removeIf(each -> each.entries.size() <= 1);
    }
    document.nested.forEach(each -> each.waits = !reload);
  }

  /** Returns the step of the first entry of the document that contains a frame. */
  private int first(OfNavigable frame) {
    int[] first = {currentStep};
    forEachList(
        top,
        list ->
            list.entries.stream()
                .filter(entry -> entry.document == frame.parent)
                .findFirst()
                .ifPresent(entry -> first[0] = entry.step));
    return first[0];
  }

  private static Entry add(OfNavigable of, Entry entry) {
    of.entries.add(entry);
    return entry;
  }

  /** Returns false if no entry has a later step than the current one. */
  synchronized boolean hasForward() {
    return lastStep > currentStep;
  }

  /**
   * Clears the forward session history, and adds an entry at the next step.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#clear-the-forward-session-history">clear
   *     the forward session history</a>
   */
  private Entry push(OfNavigable of, Entry entry) {
    if (hasForward()) {
      forEachList(top, list -> list.entries.removeIf(each -> each.step > currentStep));
    }
    currentStep = entry.step;
    lastStep = entry.step;
    return add(of, entry);
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/browsing-the-web.html#url-and-history-update-steps">URL
   * and history update steps</a>, as far as they concern the history
   */
  synchronized void sameDocument(
      OfNavigable of,
      Window window,
      UrlRecord url,
      @Nullable SerializedValue state,
      Handling handling) {
    Entry left = of.active;
    if (left == null || left.document.window != window) {
      return;
    }
    Entry entry =
        handling == Handling.REPLACE
            ? replace(of, left, new Entry(url, state, left.document, left.step))
            : push(of, new Entry(url, state, left.document, currentStep + 1));
    of.active = entry;
    entry.document.latest = entry;
  }

  /** Removes a window from its entry, so that traversal loads the document again. */
  synchronized void forgetWindow(Window window) {
    for (Entry each : top.entries) {
      if (each.document.window == window) {
        each.document.dropWindows();
      }
    }
  }

  synchronized void clear() {
    top.entries.clear();
    top.active = null;
  }
}
