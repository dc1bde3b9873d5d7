package dev.weblocks.harness.differ;

import dev.weblocks.harness.differ.model.Acceptor;
import dev.weblocks.harness.differ.model.Deviation;
import dev.weblocks.harness.differ.model.Program;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The judgement of one observation.
 *
 * @param known the known differences that explain the observation; empty unless it is known
 * @param closest the schedule of the model that gives most lines, as text; empty unless the
 *     observation differs
 */
public record Comparison(
    Program program,
    Observation observation,
    Verdict verdict,
    List<KnownDifference> known,
    List<String> closest) {

  /** The kinds of results. */
  public enum Verdict {
    CONFORMS,
    /** The model gives the lines with a known deviation. */
    KNOWN,
    /** The model gives the lines, and must give further ones. */
    CUT_OFF,
    /** The search in the model reached its limit. */
    UNDECIDED,
    /** The engine did not report in time. */
    ENDLESS,
    DIFFERS;

    /** Returns whether this is a finding. */
    public boolean isDifference() {
      return isOfTime() || this == DIFFERS;
    }

    /** Returns whether more patience may change the verdict. */
    boolean isOfTime() {
      return this == CUT_OFF || this == ENDLESS;
    }
  }

  /** The limit of a search, in steps of the model: some seconds at most. */
  private static final long LIMIT = 1_500_000;

  /**
   * Compares an observation with the model.
   *
   * @param known the known differences of the engine
   */
  public static Comparison of(
      Program program, Observation observation, List<KnownDifference> known) {
    Acceptor.Result result = search(program, observation, Set.of());
    if (!observation.complete()) {
      return new Comparison(program, observation, Verdict.ENDLESS, List.of(), result.closest());
    }
    Verdict verdict =
        switch (result.verdict()) {
          case CONFORMS -> Verdict.CONFORMS;
          case CUT_OFF -> Verdict.CUT_OFF;
          case DIFFERS -> Verdict.DIFFERS;
          case UNDECIDED -> Verdict.UNDECIDED;
        };
    if (verdict.isDifference()) {
      for (KnownDifference each : known) {
        if (conforms(program, observation, EnumSet.of(each.deviation()))) {
          return new Comparison(program, observation, Verdict.KNOWN, List.of(each), List.of());
        }
      }
      if (known.size() > 1 && conforms(program, observation, deviations(known))) {
        List<KnownDifference> needed = needed(program, observation, known);
        return new Comparison(program, observation, Verdict.KNOWN, needed, List.of());
      }
    }
    return new Comparison(program, observation, verdict, List.of(), result.closest());
  }

  /** Returns those of the known differences without which the observation is not explained. */
  private static List<KnownDifference> needed(
      Program program, Observation observation, List<KnownDifference> known) {
    List<KnownDifference> needed = new ArrayList<>(known);
    for (KnownDifference each : known) {
      List<KnownDifference> others = new ArrayList<>(needed);
      others.remove(each);
      if (conforms(program, observation, deviations(others))) {
        needed = others;
      }
    }
    return needed;
  }

  private static Set<Deviation> deviations(List<KnownDifference> known) {
    Set<Deviation> deviations = EnumSet.noneOf(Deviation.class);
    known.forEach(each -> deviations.add(each.deviation()));
    return deviations;
  }

  private static boolean conforms(
      Program program, Observation observation, Set<Deviation> deviations) {
    return search(program, observation, deviations).verdict() == Acceptor.Verdict.CONFORMS;
  }

  private static Acceptor.Result search(
      Program program, Observation observation, Set<Deviation> deviations) {
    return Acceptor.search(program, observation.logs(), deviations, LIMIT);
  }

  /** Returns the first difference in one line. */
  public String summary() {
    String last = closest.isEmpty() ? "" : closest.getLast().replaceFirst("^=> ", "");
    return switch (verdict) {
      case CONFORMS -> "conforms";
      case KNOWN ->
          "known: " + String.join(", ", known.stream().map(KnownDifference::name).toList());
      case UNDECIDED -> "undecided";
      case ENDLESS -> "the engine did not report in time";
      case CUT_OFF -> "lines are missing at the end: " + last;
      case DIFFERS -> last;
    };
  }
}
