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

    /** Returns whether the engine seems to have had too little time. */
    boolean isOfTime() {
      return this == CUT_OFF || this == ENDLESS;
    }

    /** Returns whether a second look with more patience may change the verdict. */
    boolean mayChange() {
      return isOfTime() || this == UNDECIDED;
    }
  }

  /** The limits of the searches, in steps of the model: a short look everywhere comes first. */
  enum Patience {
    SHORT(50_000, 200_000),
    LONG(50_000, 200_000, 800_000, 3_200_000);

    private final long[] limits;

    Patience(long... limits) {
      this.limits = limits;
    }
  }

  /**
   * Compares an observation with the model.
   *
   * @param known the known differences of the engine
   */
  static Comparison of(
      Program program, Observation observation, List<KnownDifference> known, Patience patience) {
    if (!observation.complete()) {
      return new Comparison(program, observation, Verdict.ENDLESS, List.of(), List.of());
    }
    List<List<KnownDifference>> levels = levels(known);
    List<KnownDifference> all = levels.getLast();
    Acceptor.Result widest = null;
    for (long limit : patience.limits) {
      List<List<KnownDifference>> undecided = new ArrayList<>();
      for (List<KnownDifference> level : levels) {
        Acceptor.Result result = search(program, observation, level, limit);
        if (result.verdict() == Acceptor.Verdict.CONFORMS) {
          List<KnownDifference> needed = needed(program, observation, level, limit);
          Verdict verdict = level.isEmpty() ? Verdict.CONFORMS : Verdict.KNOWN;
          return new Comparison(program, observation, verdict, needed, List.of());
        }
        if (result.verdict() == Acceptor.Verdict.UNDECIDED) {
          undecided.add(level);
        } else if (level.equals(all)) {
          widest = result;
        }
      }
      levels = undecided;
    }
    if (!levels.isEmpty() || widest == null) {
      return new Comparison(program, observation, Verdict.UNDECIDED, List.of(), List.of());
    }
    boolean cutOff = widest.verdict() == Acceptor.Verdict.CUT_OFF;
    Verdict verdict = cutOff ? Verdict.CUT_OFF : Verdict.DIFFERS;
    return new Comparison(program, observation, verdict, List.of(), widest.closest());
  }

  /**
   * Returns growing parts of the known differences, from none on: the search in a smaller part is
   * shorter.
   */
  private static List<List<KnownDifference>> levels(List<KnownDifference> known) {
    List<List<KnownDifference>> levels = new ArrayList<>(List.of(List.of()));
    List<KnownDifference> level =
        new ArrayList<>(known.stream().filter(each -> !each.deviation().addsChoices()).toList());
    if (!level.isEmpty()) {
      levels.add(List.copyOf(level));
    }
    for (KnownDifference each : known) {
      if (each.deviation().addsChoices()) {
        level.add(each);
        levels.add(List.copyOf(level));
      }
    }
    return levels;
  }

  /** Returns those of the known differences without which no explanation is found. */
  private static List<KnownDifference> needed(
      Program program, Observation observation, List<KnownDifference> known, long limit) {
    List<KnownDifference> needed = new ArrayList<>(known);
    for (KnownDifference each : known) {
      List<KnownDifference> others = new ArrayList<>(needed);
      others.remove(each);
      if (search(program, observation, others, limit).verdict() == Acceptor.Verdict.CONFORMS) {
        needed = others;
      }
    }
    return needed;
  }

  private static Acceptor.Result search(
      Program program, Observation observation, List<KnownDifference> known, long limit) {
    return Acceptor.search(program, observation.logs(), deviations(known), limit);
  }

  private static Set<Deviation> deviations(List<KnownDifference> known) {
    Set<Deviation> deviations = EnumSet.noneOf(Deviation.class);
    known.forEach(each -> deviations.add(each.deviation()));
    return deviations;
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
