package dev.weblocks.run;

import dev.weblocks.embed.Evaluation;
import dev.weblocks.embed.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * Reads, evaluates and prints at a terminal. Lines are read until they make a statement; agents go
 * on meanwhile, and what they write appears above the line that is being typed.
 */
public final class Prompt implements ScriptRun.Output {

  private static final String FIRST = "> ";
  private static final String NEXT = "... ";

  private final Terminal terminal;
  private final LineReader reader;

  /**
   * A prompt.
   *
   * @param history the file that keeps what was typed; null for none
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

  /** Nobody who only wants to try something shall fail for want of a history. */
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
    reader.printAbove(text);
  }

  @Override
  public void err(String text) {
    reader.printAbove(text);
  }

  /** Runs until the end of the input; Ctrl-C drops what was typed, or stops waiting. */
  public void run(Window window) {
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
          show(window, "prompt-" + ++number, ready);
        }
      }
    }
  }

  private void show(Window window, String name, PromptCode.Reading.Ready ready) {
    CompletableFuture<Evaluation> outcome;
    try {
      outcome = window.evaluate(name, ready.code(), ready.await(), "_").toCompletableFuture();
    } catch (IllegalStateException noDocument) {
      out("the window has no document any more; Ctrl-D ends the prompt");
      return;
    }
    CompletableFuture<Evaluation> waiting = outcome.copy();
    Terminal.SignalHandler before =
        terminal.handle(Terminal.Signal.INT, signal -> waiting.cancel(false));
    try {
      if (waiting.join() instanceof Evaluation.Done done) {
        out(done.text());
      }
    } catch (CompletionException | java.util.concurrent.CancellationException over) {
      out(
          outcome.isDone()
              ? "the document has ended"
              : "no result yet; it goes on, and Ctrl-D ends the prompt");
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
    }
  }
}
