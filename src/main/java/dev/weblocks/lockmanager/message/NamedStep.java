package dev.weblocks.lockmanager.message;

/** A step of an algorithm, as traces name it: of the Working Draft, or of a text before it. */
public interface NamedStep {

  /** Returns where in the texts the algorithm is, such as "4.1". */
  String section();

  /** Returns the algorithm's name in the words of its text. */
  String algorithm();

  /** Returns the path of the step within its algorithm, such as "3.4.1.1.2". */
  String step();

  /** Returns the absolute URL of the algorithm in the text that is meant. */
  String link();
}
