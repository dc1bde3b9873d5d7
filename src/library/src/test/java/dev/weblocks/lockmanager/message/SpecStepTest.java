package dev.weblocks.lockmanager.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SpecStepTest {
  @Test
  void text_of_a_step_has_section_algorithm_and_path() {
    assertEquals("4.1 request a lock, step 3.4.1.1.2", SpecStep.REQUEST_REJECTS_STOLEN.toString());
    assertEquals("4.1 request a lock, step 3.5.1", SpecStep.REQUEST_MISSES.toString());
    assertEquals("4.4 process the lock request queue, step 2.14", SpecStep.QUEUE_GRANTS.toString());
    assertEquals("2.4 waiting promise settles, step 2", SpecStep.RELEASED_RESOLVES.toString());
    assertEquals("4.5 snapshot the lock state, step 6", SpecStep.SNAPSHOT_RESOLVES.toString());
  }

  @Test
  void a_step_links_to_its_section_in_the_pinned_draft() {
    assertEquals(
        "https://www.w3.org/TR/2025/WD-web-locks-20250924/#algorithm-process-request",
        SpecStep.QUEUE_GRANTS.place().link());
  }
}
