package dev.weblocks.explore.schedule;

/**
 * One of the parts into which several machines divide the same work, item by item in turn.
 *
 * @param number number of the part, from 1 to {@code total}
 * @param total number of parts, at least 1
 */
public record Shard(int number, int total) {

  /** The only part of undivided work. */
  public static final Shard WHOLE = new Shard(1, 1);

  /** The name of the setting with a shard in reports; absent if the work was not divided. */
  public static final String SETTING = "shard";

  /** Checks the range. */
  public Shard {
    if (number < 1 || number > total) {
      throw new IllegalArgumentException(number + "/" + total + " is no part of a whole");
    }
  }

  /** Returns whether an item belongs to this part, by its index from 0. */
  public boolean has(long index) {
    return index % total == number - 1;
  }

  /** Returns how many of the first items of the work belong to this part. */
  public long sizeOf(long items) {
    return (items - number + total) / total;
  }

  /** Returns the index, among all items, of an item of this part; both from 0. */
  public long indexOf(long own) {
    return own * total + number - 1;
  }

  /** Returns the form of options and reports: {@code 2/4}. */
  @Override
  public String toString() {
    return number + "/" + total;
  }
}
