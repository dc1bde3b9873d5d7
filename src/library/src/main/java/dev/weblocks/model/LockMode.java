package dev.weblocks.model;

import java.util.Objects;

/**
 * The mode of a lock or of a request for one.
 *
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#modes-scheduling">2.3</a>
 */
public enum LockMode {
  /** Any number of shared locks may be held on a name at once. */
  SHARED("shared"),
  /** An exclusive lock is the only lock on its name. */
  EXCLUSIVE("exclusive");

  private final String idlValue;

  LockMode(String idlValue) {
    this.idlValue = idlValue;
  }

  /** Returns the value of the IDL enumeration {@code LockMode}: "shared" or "exclusive". */
  public String idlValue() {
    return idlValue;
  }

  /**
   * Returns the mode for a value of the IDL enumeration.
   *
   * @throws IllegalArgumentException if {@code value} is not a value of the enumeration
   */
  public static LockMode fromIdl(String value) {
    return switch (Objects.requireNonNull(value, "value")) {
      case "shared" -> SHARED;
      case "exclusive" -> EXCLUSIVE;
      default ->
          throw new IllegalArgumentException(
              "not a LockMode: \"" + value + "\"; pass \"shared\" or \"exclusive\"");
    };
  }
}
