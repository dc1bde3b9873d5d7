package dev.weblocks.harness.cli;

import dev.weblocks.embed.Window;
import dev.weblocks.harness.run.Prompt;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.run.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** A run of code typed at the prompt, in one window without a script. */
final class PromptRun {

  private final CliEnvironment cli;
  private final RunEnvironment own;
  private final RunPlan plan;

  PromptRun(CliEnvironment cli, RunEnvironment own, RunPlan plan) {
    this.cli = cli;
    this.own = own;
    this.plan = plan;
  }

  int run() throws CommandFailure {
    try (Terminal terminal = own.prompts().open()) {
      Prompt prompt = new Prompt(terminal, history());
      prompt.out("weblocks, origin " + plan.origin() + "; Ctrl-C discards the input, Ctrl-D ends");
      Site site =
          plan.site(
              List.of(own.workingDirectory()),
              own.workingDirectory(),
              note -> prompt.err("weblocks: " + note));
      ScriptRun run =
          new ScriptRun(
              site,
              List.of(),
              plan.scheduling(
                  RunPlan.realTimeDriver(),
                  plan.environment(cli, own),
                  new LateRequests(null, plan.clock()),
                  builder -> {}),
              prompt);
      try {
        String page = site.addEmptyPage(own.workingDirectory(), 1);
        prompt.run(
            () -> {
              Window window = run.open("prompt", page);
              window.loaded().join();
              return window;
            },
            run::uncaught);
      } finally {
        cli.endScripts(run::close);
      }
    } catch (IOException e) {
      throw new CommandFailure("the terminal cannot be used: " + e.getMessage());
    }
    return Main.AS_EXPECTED;
  }

  /**
   * Returns the history file according to the XDG Base Directory Specification; null if no home
   * directory is known.
   */
  private @Nullable Path history() {
    String state = cli.variable().apply("XDG_STATE_HOME");
    String home = cli.property().apply("user.home");
    Path base =
        state != null && Path.of(state).isAbsolute()
            ? Path.of(state)
            : home == null || home.isEmpty() ? null : Path.of(home, ".local", "state");
    return base == null ? null : base.resolve("weblocks").resolve("run-history");
  }
}
