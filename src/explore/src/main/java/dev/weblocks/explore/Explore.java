package dev.weblocks.explore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A JUnit test that explores the orders of the steps of scripts. The method has a parameter of type
 * {@link Scene}, and sets up that scene; other parameters are resolved as in any test. It is called
 * once for each order, on a thread of the exploration, and never concurrently. It must make all
 * state that the scripts change.
 *
 * <p>The test fails at the first finding: a script that throws or rejects, a failed {@linkplain
 * Scene#atEnd check}, a deadlock, or a run without end. The message has the simplest order of steps
 * that leads to the finding, and a string that repeats it. The file {@code timeline.html} is
 * published to the directory of JUnit's reports. With {@link Orders#ALL} the test also fails if not
 * all orders were run.
 *
 * <p>A report entry named {@code explored} has the number of orders. The configuration parameter or
 * system property {@value #REPLAY} runs only the order of a replay string, in every test of the
 * run.
 *
 * <p>Needs JUnit 5.14 or newer. Example:
 *
 * {@snippet file="dev/weblocks/explore/ExploreExampleTest.java" region="example"}
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(ExploreExtension.class)
public @interface Explore {

  /** The name of the configuration parameter with a replay string. */
  String REPLAY = "weblocks.explore.replay";

  /** The default of {@link #name()}. */
  String DEFAULT_NAME = "{order}";

  /** Returns the orders to run. */
  Orders value() default Orders.RANDOM;

  /** Returns the seeds for {@link Orders#RANDOM} and {@link Orders#PRIORITIES}: a test for each. */
  long[] seeds() default 1;

  /**
   * Returns the number of ordering constraints that a defect may need to be found with {@link
   * Orders#PRIORITIES}; at least 1.
   */
  int depth() default 3;

  /**
   * Returns how often an order of {@link Orders#ALL} may switch away from an agent that has work;
   * negative for no limit.
   */
  int preemptions() default -1;

  /** Returns the maximum number of orders; at least 1. */
  int schedules() default 1_000;

  /** Returns the maximum number of steps in an order, a run with more is a finding; at least 1. */
  int maxSteps() default 10_000;

  /** Returns whether time may advance to the next timer while there is other work. */
  boolean earlyTimers() default false;

  /** Returns how many seconds of real time a step may take before it is stopped; at least 1. */
  int stepSeconds() default 10;

  /** Returns the replay string of the only order to run; empty to explore. */
  String replay() default "";

  /**
   * Returns the display name of each test: {@code {displayName}} stands for the name of the method,
   * {@code {order}} for the orders, such as {@code random orders, seed 1}.
   */
  String name() default DEFAULT_NAME;
}
