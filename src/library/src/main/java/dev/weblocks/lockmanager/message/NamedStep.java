package dev.weblocks.lockmanager.message;

/** A step of an algorithm of the Working Draft or of the early draft, with its name in traces. */
public interface NamedStep {

  /**
   * The place of a step in its specification.
   *
   * @param section the section of the algorithm, such as "4.1"; the name of the specification if
   *     its sections have no numbers
   * @param algorithm the name of the algorithm in the specification
   * @param step the path of the step within its algorithm, such as "3.4.1.1.2"
   * @param link the absolute URL of the algorithm in the specification
   */
  record Place(String section, String algorithm, String step, String link) {

    /** Returns the step as traces show it, such as "4.1 request a lock, step 3.4.1.1.2". */
    @Override
    public String toString() {
      return section + " " + algorithm + ", step " + step;
    }
  }

  Place place();
}
