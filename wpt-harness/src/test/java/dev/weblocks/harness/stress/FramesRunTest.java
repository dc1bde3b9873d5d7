package dev.weblocks.harness.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Environment;
import dev.weblocks.testing.TestSize;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("alone")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FramesRunTest {

  @Test
  void removed_frames_and_documents_leave_no_lock_or_context() {
    try (Environment environment = Environment.create()) {
      FramesRun.Report report =
          FramesRun.run(TestSize.of(10, 100), TestSize.of(4, 30), environment, sample -> {});
      assertEquals(List.of(), report.complaints());
      assertTrue(report.realms().isClean(), report::toString);
    }
  }
}
