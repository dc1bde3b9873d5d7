package dev.weblocks.harness.wpt;

import dev.weblocks.harness.wpt.handlers.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pipes of a request: functions in {@code ?pipe=} that change the answer one after the other:
 * {@code status(code)}, {@code header(name,value,append)}, {@code slice(start,end)}, {@code
 * trickle(delays)} and {@code sub(escape)}. A backslash in an argument escapes the next character.
 */
final class Pipes {

  @FunctionalInterface
  interface Substituting {
    byte[] apply(byte[] content, Substitution.Escape escape) throws ServerFailure;
  }

  private record Call(String function, List<String> arguments) {
    Call {
      arguments = List.copyOf(arguments);
    }
  }

  private final String text;
  private final Substituting substituting;

  Pipes(String text, Substituting substituting) {
    this.text = text;
    this.substituting = substituting;
  }

  /**
   * Returns the answer changed by the pipes.
   *
   * @throws ServerFailure with status 500 for invalid pipes, 501 for unsupported ones
   */
  Reply apply(Reply reply) throws ServerFailure {
    for (Call call : parse(text)) {
      reply = apply(call, reply);
    }
    return reply;
  }

  private static List<Call> parse(String text) {
    List<Call> calls = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      StringBuilder name = new StringBuilder();
      while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != '(') {
        name.append(text.charAt(at++));
      }
      List<String> arguments = new ArrayList<>();
      boolean called = at < text.length() && text.charAt(at) == '(';
      at++;
      if (called) {
        at = parseArguments(text, at, arguments);
      }
      if (called || !name.isEmpty()) {
        calls.add(new Call(name.toString(), arguments));
      }
    }
    return calls;
  }

  /** Parses arguments. Returns the position after them. */
  private static int parseArguments(String text, int from, List<String> arguments) {
    StringBuilder argument = new StringBuilder();
    int at = from;
    while (at < text.length() && text.charAt(at) != ')') {
      char c = text.charAt(at++);
      if (c == ',') {
        arguments.add(argument.toString());
        argument.setLength(0);
      } else if (c == '\\' && at < text.length()) {
        char escaped = text.charAt(at++);
        argument.append(
            switch (escaped) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              case 't' -> '\t';
              default -> escaped;
            });
      } else {
        argument.append(c);
      }
    }
    arguments.add(argument.toString());
    return at + 1;
  }

  private Reply apply(Call call, Reply reply) throws ServerFailure {
    List<String> arguments = call.arguments();
    return switch (call.function()) {
      case "status" -> reply.withStatus(number(requireCount(call, 1, 1).getFirst()));
      case "header" -> {
        requireCount(call, 2, 3);
        boolean append = arguments.size() == 3 && isTrue(arguments.get(2));
        yield append
            ? reply.adding(arguments.get(0), arguments.get(1))
            : reply.setting(arguments.get(0), arguments.get(1));
      }
      case "slice" -> slice(requireCount(call, 1, 2), reply);
      case "trickle" -> trickle(requireCount(call, 1, 1).getFirst(), reply);
      case "sub" -> {
        requireCount(call, 0, 1);
        boolean none = !arguments.isEmpty() && arguments.getFirst().equals("none");
        yield reply.withBody(
            substituting.apply(
                reply.body(), none ? Substitution.Escape.NONE : Substitution.Escape.HTML));
      }
      default ->
          throw new ServerFailure(501, "the pipe '" + call.function() + "' is not supported");
    };
  }

  private List<String> requireCount(Call call, int least, int most) throws ServerFailure {
    if (call.arguments().size() < least || call.arguments().size() > most) {
      throw senseless();
    }
    return call.arguments();
  }

  private ServerFailure senseless() {
    return new ServerFailure(500, "the pipe '" + text + "' is malformed");
  }

  private int number(String argument) throws ServerFailure {
    try {
      return Integer.parseInt(argument.strip());
    } catch (NumberFormatException e) {
      throw senseless();
    }
  }

  private boolean isTrue(String argument) throws ServerFailure {
    return switch (argument.toLowerCase(java.util.Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw senseless();
    };
  }

  /**
   * Slices the body between two positions. {@code null} means the beginning or the end; negative
   * numbers count from the end.
   */
  private Reply slice(List<String> arguments, Reply reply) throws ServerFailure {
    int length = reply.body().length;
    int from = place(arguments.getFirst(), 0, length);
    int to = arguments.size() < 2 ? length : place(arguments.get(1), length, length);
    byte[] part = Arrays.copyOfRange(reply.body(), from, Math.max(from, to));
    return reply.withBody(part).setting("Content-Length", Integer.toString(part.length));
  }

  private int place(String argument, int otherwise, int length) throws ServerFailure {
    if (argument.equalsIgnoreCase("null")) {
      return otherwise;
    }
    int place = number(argument);
    return Math.clamp(place < 0 ? (long) length + place : place, 0, length);
  }

  /**
   * Delays the answer. {@code delays} consists of pauses ({@code d} and seconds) and numbers of
   * bytes to send, separated by colons. {@code rN} at the end repeats the N items before it until
   * everything is sent. This server sends all bytes after the last pause.
   */
  private Reply trickle(String delays, Reply reply) throws ServerFailure {
    List<String> steps = List.of(delays.split(":", -1));
    double seconds = 0;
    long sent = 0;
    int repeated = 0;
    for (String step : steps) {
      if (step.startsWith("r")) {
        repeated = number(step.substring(1));
      } else if (step.startsWith("d")) {
        seconds += seconds(step);
      } else {
        sent += number(step);
      }
    }
    if (repeated > 0) {
      if (repeated >= steps.size() || !steps.getLast().startsWith("r")) {
        throw senseless();
      }
      double secondsOfRound = 0;
      long sentInRound = 0;
      for (String step : steps.subList(steps.size() - 1 - repeated, steps.size() - 1)) {
        if (step.startsWith("d")) {
          secondsOfRound += seconds(step);
        } else {
          sentInRound += number(step);
        }
      }
      long left = Math.max(0, reply.body().length - sent);
      if (left > 0 && sentInRound <= 0) {
        throw senseless();
      }
      long rounds = left == 0 ? 0 : (left + sentInRound - 1) / sentInRound;
      seconds += rounds * secondsOfRound;
    }
    Reply later = reply.after(Duration.ofNanos((long) (seconds * 1e9)));
    return later.has("Cache-Control") || later.has("Pragma") || later.has("Expires")
        ? later
        : later
            .adding("Cache-Control", "no-cache, no-store, must-revalidate")
            .adding("Pragma", "no-cache")
            .adding("Expires", "0");
  }

  private double seconds(String step) throws ServerFailure {
    try {
      double seconds = Double.parseDouble(step.substring(1));
      if (seconds >= 0 && seconds < 1e6) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // throw below
    }
    throw senseless();
  }
}
