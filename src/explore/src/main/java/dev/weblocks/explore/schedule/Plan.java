package dev.weblocks.explore.schedule;

import java.util.List;

/**
 * A chooser that follows a list of actors with numbers of steps. An actor without work is skipped;
 * after the list, choices are the default. Every list is valid, so a list can be reduced part by
 * part.
 */
final class Plan implements Chooser {

  /**
   * Consecutive steps of one actor.
   *
   * @param steps maximum number of steps
   */
  record Segment(String actor, int steps) {}

  private final List<Segment> segments;
  private int at;
  private int taken;

  Plan(List<Segment> segments) {
    this.segments = List.copyOf(segments);
  }

  static void add(List<Segment> segments, String actor) {
    if (!segments.isEmpty() && segments.getLast().actor.equals(actor)) {
      segments.add(new Segment(actor, segments.removeLast().steps + 1));
    } else {
      segments.add(new Segment(actor, 1));
    }
  }

  @Override
  public int choose(Point point) {
    passOver(point.names());
    return at < segments.size() ? point.indexOf(segments.get(at).actor) : point.onward();
  }

  @Override
  public void begins(int step, String actor, List<String> ready) {
    passOver(ready);
    if (at < segments.size() && segments.get(at).actor.equals(actor)) {
      taken++;
    }
  }

  private void passOver(List<String> ready) {
    while (at < segments.size()
        && (taken >= segments.get(at).steps || !ready.contains(segments.get(at).actor))) {
      at++;
      taken = 0;
    }
  }
}
