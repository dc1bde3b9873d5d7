package dev.weblocks.fault;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The places at which faults are injected, for all class loaders. A place is an allocation that
 * {@link FaultyClasses} has found, or a call of embedder code. Counts the calls at each place, and
 * throws at one of them. Thread-safe.
 */
public final class FaultPoints {

  /** A call at a place: the n-th since {@link #begin}, from 1 on. */
  public record Call(String place, int n) {
    @Override
    public String toString() {
      return place + " #" + n;
    }
  }

  /** The beginning of the name of each place where embedder code is called. */
  static final String EMBEDDER = "embedder: ";

  private static final Object LOCK = new Object();
  private static final List<String> ALLOCATIONS = new ArrayList<>();

  // guarded by LOCK
  private static final Map<String, Integer> CALLS = new LinkedHashMap<>();
  private static @Nullable Call target;
  private static @Nullable Supplier<? extends Throwable> fault;
  private static int left;
  private static @Nullable Throwable thrown;
  private static volatile boolean counting;

  private FaultPoints() {}

  /** Returns the id of an allocation for {@link #allocation}. */
  static int register(String place) {
    synchronized (LOCK) {
      ALLOCATIONS.add(place);
      return ALLOCATIONS.size() - 1;
    }
  }

  static int registered() {
    synchronized (LOCK) {
      return ALLOCATIONS.size();
    }
  }

  /**
   * Sets what {@link #start} counts, from zero, and where it throws.
   *
   * @param at the call that throws; null for none
   * @param what creates the fault
   * @param times how many calls throw: this one, and the next ones at any place of its kind
   */
  static void begin(@Nullable Call at, Supplier<? extends Throwable> what, int times) {
    synchronized (LOCK) {
      CALLS.clear();
      target = at;
      fault = what;
      left = times;
      thrown = null;
      counting = false;
    }
  }

  /** Starts counting and throwing. Called by scenarios once they are set up. */
  public static void start() {
    counting = true;
  }

  /** Stops counting and throwing. Called by scenarios before they check the invariants. */
  public static void end() {
    counting = false;
  }

  /** Returns the number of calls at each place since {@link #begin}. */
  static Map<String, Integer> calls() {
    synchronized (LOCK) {
      return new LinkedHashMap<>(CALLS);
    }
  }

  /**
   * Returns the first fault that was thrown since {@link #begin}; null if the call was not made.
   */
  static @Nullable Throwable thrown() {
    synchronized (LOCK) {
      return thrown;
    }
  }

  /** Counts a call at an allocation; instrumented code calls it before each allocation. */
  public static void allocation(int id) {
    if (counting) {
      count(id, "");
    }
  }

  /** Counts a call of embedder code, which calls this first. */
  public static void embedder(String place) {
    if (counting) {
      count(-1, EMBEDDER + place);
    }
  }

  private static void count(int id, String embedder) {
    Throwable failure = null;
    synchronized (LOCK) {
      if (!counting) {
        return;
      }
      String place = id < 0 ? embedder : ALLOCATIONS.get(id);
      int n = CALLS.merge(place, 1, Integer::sum);
      Call at = target;
      Supplier<? extends Throwable> create = fault;
      if (at != null && create != null && left > 0) {
        boolean first = thrown == null && at.n == n && at.place.equals(place);
        if (first || (thrown != null && (id < 0) == at.place.startsWith(EMBEDDER))) {
          failure = create.get();
          left--;
          if (first) {
            thrown = failure;
          }
        }
      }
    }
    if (failure != null) {
      FaultPoints.<RuntimeException>sneak(failure);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }
}
