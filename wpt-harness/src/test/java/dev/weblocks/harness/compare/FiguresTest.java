package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void median_of_an_odd_count_is_the_middle_figure() {
    assertEquals(new Figures(5, 1, 100, 3), Figures.of(List.of(100.0, 1.0, 5.0)));
  }

  @Test
  void median_of_an_even_count_is_the_mean_of_the_middle_two() {
    assertEquals(new Figures(3, 1, 9, 4), Figures.of(List.of(4.0, 9.0, 1.0, 2.0)));
  }

  @Test
  void median_of_one_figure_is_that_figure() {
    assertEquals(new Figures(7, 7, 7, 1), Figures.of(List.of(7.0)));
  }

  @Test
  void empty_figures_are_refused() {
    assertThrows(IllegalArgumentException.class, () -> Figures.of(List.of()));
  }

  @Test
  void times_have_settled_when_the_last_quarter_hardly_improves() {
    assertTrue(Figures.settled(List.of(100.0, 98.0, 96.0), 0));
    assertTrue(Figures.settled(List.of(300.0, 100.0, 101.0, 99.0), 0));
    assertFalse(Figures.settled(List.of(100.0, 90.0, 98.0), 0));
    assertFalse(Figures.settled(List.of(100.0, 100.0, 80.0), 0));
    assertFalse(Figures.settled(List.of(100.0, 100.0), 0));
    List<Double> stepThenRest = new ArrayList<>(Collections.nCopies(12, 100.0));
    stepThenRest.addAll(Collections.nCopies(3, 80.0));
    assertFalse(Figures.settled(stepThenRest, 0));
    stepThenRest.addAll(Collections.nCopies(4, 80.0));
    assertTrue(Figures.settled(stepThenRest, 0));
    assertFalse(Figures.settled(List.of(), 0));
  }

  @Test
  void times_have_not_settled_before_they_were_quiet_for_long_enough() {
    List<Double> times = List.of(300.0, 100.0, 101.0, 99.0, 100.0);
    assertTrue(Figures.settled(times, 300));
    assertFalse(Figures.settled(times, 301));
  }
}
