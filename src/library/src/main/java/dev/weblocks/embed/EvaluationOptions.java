package dev.weblocks.embed;

import java.util.Objects;

/**
 * The options of {@link Window#evaluate(String, EvaluationOptions)}. Immutable.
 *
 * {@snippet file="dev/weblocks/embed/WindowExamplesTest.java" region="evaluationOptions"}
 */
public final class EvaluationOptions {

  static final EvaluationOptions DEFAULT = newBuilder().build();

  final String name;
  final boolean await;
  final String keepAs;

  private EvaluationOptions(Builder builder) {
    name = builder.name;
    await = builder.await;
    keepAs = builder.keepAs;
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /** A builder for the options of an evaluation. Not thread-safe. */
  public static final class Builder {
    private String name = "evaluate";
    private boolean await;
    private String keepAs = "";

    private Builder() {}

    /** Sets the name of the script in stack traces; default is {@code evaluate}. */
    public Builder name(String name) {
      this.name = Objects.requireNonNull(name, "name");
      return this;
    }

    /** Sets whether to wait for the value as {@code await} does; default is false. */
    public Builder await(boolean await) {
      this.await = await;
      return this;
    }

    /** Sets the name of a global property that stores the value; default is empty, for none. */
    public Builder keepAs(String keepAs) {
      this.keepAs = Objects.requireNonNull(keepAs, "keepAs");
      return this;
    }

    public EvaluationOptions build() {
      return new EvaluationOptions(this);
    }
  }
}
