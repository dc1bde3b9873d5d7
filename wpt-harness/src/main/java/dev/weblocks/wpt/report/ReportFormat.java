package dev.weblocks.wpt.report;

/** A way to write a run down. */
@FunctionalInterface
public interface ReportFormat {

  /** The run as text that ends with a line end; holds no lone surrogate. */
  String write(RunReport run);
}
