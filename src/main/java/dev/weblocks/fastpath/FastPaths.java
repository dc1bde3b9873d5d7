package dev.weblocks.fastpath;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which fast paths are taken: all, but for tests and for those who look for a defect.
 *
 * @param off those that are not
 */
public record FastPaths(Set<FastPath> off) {

  /** All are taken. */
  public static final FastPaths ALL_ON = new FastPaths(Set.of());

  /** The system property that names those to leave out, with commas in between, or says all. */
  public static final String OFF = "dev.weblocks.fastPathsOff";

  public FastPaths {
    off = Set.copyOf(off);
  }

  /** All but some are taken. */
  public static FastPaths without(FastPath... off) {
    return new FastPaths(Set.of(off));
  }

  /** None is taken. */
  public static FastPaths allOff() {
    return new FastPaths(EnumSet.allOf(FastPath.class));
  }

  /**
   * What the process was started with, for those who make what has fast paths.
   *
   * @throws IllegalArgumentException if the property {@link #OFF} names one that there is not
   */
  public static FastPaths ofProcess() {
    return of(System.getProperty(OFF));
  }

  /**
   * What a value of the property {@link #OFF} says; null if it is not set.
   *
   * @throws IllegalArgumentException if it names one that there is not
   */
  public static FastPaths of(@Nullable String property) {
    if (property == null) {
      return ALL_ON;
    }
    if (property.equals("all")) {
      return allOff();
    }
    Set<FastPath> off = EnumSet.noneOf(FastPath.class);
    for (String name : property.split(",", -1)) {
      off.add(named(name));
    }
    return new FastPaths(off);
  }

  private static FastPath named(String name) {
    return Arrays.stream(FastPath.values())
        .filter(path -> path.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "-D"
                    + OFF
                    + ": there is no fast path '"
                    + name
                    + "'; use all, or some of "
                    + Arrays.stream(FastPath.values())
                        .map(FastPath::name)
                        .collect(Collectors.joining(", "))));
  }

  /** Whether one is taken. To be asked once, by who makes the object that takes it. */
  public boolean isOn(FastPath path) {
    return !off.contains(path);
  }
}
