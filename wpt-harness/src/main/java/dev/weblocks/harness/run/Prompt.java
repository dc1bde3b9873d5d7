package dev.weblocks.harness.run;

import dev.weblocks.embed.EvaluatedValue;
import dev.weblocks.embed.EvaluationException;
import dev.weblocks.embed.EvaluationOptions;
import dev.weblocks.embed.Window;
import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.model.UncaughtError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * The prompt at a terminal: reads, evaluates and prints. Lines are read until they form a complete
 * statement. Agents run during the input; their output appears above the line being typed.
 */
public final class Prompt implements ScriptRun.Output {

  private static final String FIRST = "> ";
  private static final String NEXT = "... ";

  private final Terminal terminal;
  private final LineReader reader;

  /**
   * Creates a prompt.
   *
   * @param history file for the history of input; null for none
   */
  public Prompt(Terminal terminal, @Nullable Path history) {
    this.terminal = terminal;
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .appName("weblocks")
            .terminal(terminal)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true) // ! is an operator
            .option(LineReader.Option.HISTORY_IGNORE_SPACE, false);
    if (history != null && canHold(history)) {
      builder.variable(LineReader.HISTORY_FILE, history);
    }
    reader = builder.build();
  }

  /** Returns whether the history can be stored. If not, the prompt works without a history. */
  private static boolean canHold(Path history) {
    Path directory = history.getParent();
    try {
      if (directory != null) {
        Files.createDirectories(directory);
      }
      return directory != null && Files.isWritable(directory);
    } catch (IOException readOnly) {
      return false;
    }
  }

  @Override
  public void out(String text) {
    reader.printAbove(HarmlessText.onTerminal(text));
  }

  @Override
  public void err(String text) {
    reader.printAbove(HarmlessText.onTerminal(text));
  }

  /**
   * Runs until the end of the input. Ctrl-C discards the current input, stops waiting for a
   * promise, or closes the page of a running script, because nothing else stops a script.
   *
   * @param windows opens a window and waits until it is loaded; called at the beginning, and after
   *     a page was closed
   * @param errors receives the errors of the input
   */
  public void run(Supplier<Window> windows, Consumer<UncaughtError> errors) {
    Window window = windows.get();
    try (PromptCode codes = new PromptCode()) {
      StringBuilder typed = new StringBuilder();
      int number = 0;
      while (true) {
        String line;
        try {
          line = reader.readLine(typed.isEmpty() ? FIRST : NEXT);
        } catch (UserInterruptException dropped) {
          typed.setLength(0);
          continue;
        } catch (EndOfFileException end) {
          return;
        }
        typed.append(typed.isEmpty() ? "" : "\n").append(line);
        if (typed.toString().isBlank()) {
          typed.setLength(0);
          continue;
        }
        if (codes.read(typed.toString()) instanceof PromptCode.Reading.Ready ready) {
          typed.setLength(0);
          if (!show(window, "prompt-" + ++number, ready, errors)) {
            window.close();
            out("the script was stopped; its page was replaced, and declarations are lost");
            window = windows.get();
          }
        }
      }
    }
  }

  /** Evaluates code and prints its value. Returns whether the window can still be used. */
  private boolean show(
      Window window, String name, PromptCode.Reading.Ready ready, Consumer<UncaughtError> errors) {
    CompletableFuture<Void> interrupted = new CompletableFuture<>();
    Terminal.SignalHandler before =
        terminal.handle(Terminal.Signal.INT, signal -> interrupted.complete(null));
    try {
      CompletableFuture<EvaluatedValue> outcome =
          window.evaluate(
              ready.code(),
              EvaluationOptions.newBuilder().name(name).await(ready.await()).keepAs("_").build());
      CompletableFuture.anyOf(outcome, interrupted).join();
      if (!outcome.isDone()) {
        if (!ready.await()) {
          return false;
        }
        out("no result yet; the script continues, and Ctrl-D ends the prompt");
      } else {
        out(outcome.join().text());
      }
    } catch (CompletionException failed) {
      switch (failed.getCause()) {
        case EvaluationException thrown -> errors.accept(thrown.error());
        case CancellationException over -> out("the document has ended");
        case IllegalStateException noDocument ->
            out("the window no longer has a document; Ctrl-D ends the prompt");
        case null, default -> throw failed;
      }
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
    }
    return true;
  }
}
