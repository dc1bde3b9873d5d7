package dev.weblocks.lockmanager.message;

/**
 * The key of the lock manager of one storage bucket. Equal keys share locks, unequal ones share
 * nothing.
 *
 * @param value the name of the bucket's storage bottle; opaque to the lock managers
 * @param bucket the name of the bucket, for diagnoses; part of {@code value}
 */
public record ManagerId(String value, String bucket) {

  /** Returns a text that omits {@code bucket}, because {@code value} contains it. */
  @Override
  public String toString() {
    return "ManagerId[value=" + value + "]";
  }
}
