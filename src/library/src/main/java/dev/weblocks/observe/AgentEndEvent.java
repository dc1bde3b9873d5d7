package dev.weblocks.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The event of an agent that has ended; its duration is the lifetime of the agent. */
@Name("dev.weblocks.AgentEnd")
@Label("Agent Ended")
@Description("An agent has ended; the duration is its lifetime.")
@Category({"Weblocks", "Agents"})
@StackTrace(false)
final class AgentEndEvent extends Event {

  @Label("Agent")
  @Nullable String agent;

  @Label("Lived")
  @Description("The duration by the clock of the driver, including time before the recording")
  @Timespan(Timespan.NANOSECONDS)
  long lived;
}
