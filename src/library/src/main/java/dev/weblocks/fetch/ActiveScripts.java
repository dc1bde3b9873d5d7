package dev.weblocks.fetch;

import dev.weblocks.agent.Agent;
import dev.weblocks.binding.CallStack;
import dev.weblocks.binding.RealmBinding;
import dev.weblocks.binding.ScriptException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The scripts on the stack of an {@code import()} call. Only an error's stack shows which function
 * contains the call. Used on the event loop.
 */
final class ActiveScripts {

  /** A line of a stack trace. A function name may contain anything, so the match is greedy. */
  private static final Pattern FRAME = Pattern.compile(" +at (?:.* \\()?(\\S+):\\d+:\\d+\\)?");

  private final Agent agent;
  private final RealmBinding binding;
  private final Value internalFunction;

  ActiveScripts(Agent agent, RealmBinding binding, Value internalFunction) {
    this.agent = agent;
    this.binding = binding;
    this.internalFunction = internalFunction;
  }

  private List<String> ofError() {
    String stack =
        binding.errors().stack(binding.values().exception(ScriptException.typeError("")));
    return stack == null
        ? List.of()
        : stack
            .lines()
            .map(FRAME::matcher)
            .filter(Matcher::matches)
            .map(frame -> frame.group(1))
            .toList();
  }

  /**
   * Returns the URL of the innermost script; null if there is none or error stacks are disabled.
   */
  @Nullable String innermost() {
    List<String> scripts = ofError();
    return scripts.isEmpty() ? null : scripts.getFirst();
  }

  /** Returns the URLs of the scripts, innermost first. */
  List<String> urls() {
    List<String> scripts = ofError();
    return scripts.isEmpty() ? CallStack.scripts(agent, internalFunction) : scripts;
  }
}
