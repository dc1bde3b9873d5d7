package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.model.UncaughtError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A member that script calls for the first time where its stack ends works later. */
@Tag("overflow")
class OverflowedFirstCallTest {

  private static final long STACK_BYTES = 1 << 20;

  /** Calls each member in the last frames of stacks of different sizes, then as usual. */
  private static final String SCRIPT =
      """
      const members = [
        () => new BroadcastChannel('x').close(),
        () => structuredClone({}),
        () => setTimeout(() => {}),
        () => crypto.getRandomValues(new Uint8Array(3)).length,
        () => localStorage.setItem('a', 'b'),
        () => new Blob(['x']).size,
        () => AbortSignal.any([new AbortController().signal]).aborted,
      ];
      const frames = [(d) => d(), (d) => [d()], (d) => -d(), (d) => `${d()}`, (d) => ({ a: d() })];
      let member;
      let calls;
      function deep() {
        try {
          deep();
        } finally {
          if (calls-- > 0) {
            try {
              member();
            } catch {}
          }
        }
      }
      for (member of members) {
        for (const frame of frames) {
          calls = 300;
          try {
            frame(deep);
          } catch {}
        }
      }
      const failures = [];
      for (const each of members) {
        try {
          each();
        } catch (e) {
          failures.push(`${each}: ${e}`);
        }
      }
      failures.join('; ');
      """;

  @Test
  void member_whose_first_call_overflows_keeps_its_arguments() throws Exception {
    List<String> failures = Collections.synchronizedList(new ArrayList<>());
    Thread script =
        new Thread(
            null,
            () -> {
              try (UserAgent userAgent =
                      UserAgent.newBuilder()
                          .environment(SharedEnvironment.ENVIRONMENT)
                          .errorListener(error -> {
                            if (error.kind() == UncaughtError.Kind.DEFECT) {
                              failures.add(error.message());
                            }
                          })
                          .build();
                  Context context =
                      Context.newBuilder("js")
                          .option("engine.WarnInterpreterOnly", "false")
                          .build();
                  CallerDrivenInstallation installation =
                      userAgent.installInto(context).install()) {
                failures.add(context.eval("js", SCRIPT).asString());
                installation.runUntilIdle();
              }
            },
            "script",
            STACK_BYTES);
    script.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure.toString()));
    script.start();
    script.join();
    assertEquals(List.of(""), failures);
  }
}
