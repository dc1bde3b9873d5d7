package dev.weblocks.lockmanager.message;

/** A step of an algorithm of the Working Draft or of the early draft, with its name in traces. */
public interface NamedStep {

  /** Returns the section of the algorithm, such as "4.1". */
  String section();

  /** Returns the algorithm's name in the words of its text. */
  String algorithm();

  /** Returns the path of the step within its algorithm, such as "3.4.1.1.2". */
  String step();

  /** Returns the absolute URL of the algorithm in its text. */
  String link();
}
