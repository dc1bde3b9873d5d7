package dev.weblocks.lockmanager.message;

/**
 * The key of the lock manager of one storage bucket. Equal keys share locks, unequal ones share
 * nothing.
 *
 * @param value the name of the bucket's storage bottle; opaque to the lock managers
 * @param bucket the name of the bucket, for diagnoses; part of {@code value}
 * @param opening the number of the {@link LockCommand.OpenBucket} that opened the bucket, for one
 *     that user agents share by its name; 0 for all others
 */
public record ManagerId(String value, String bucket, long opening) {

  /** Creates a key of a bucket that was not opened by a command. */
  public ManagerId(String value, String bucket) {
    this(value, bucket, 0);
  }

  /** Returns a text that contains only {@code value}, because the rest is part of it. */
  @Override
  public String toString() {
    return "ManagerId[value=" + value + "]";
  }
}
