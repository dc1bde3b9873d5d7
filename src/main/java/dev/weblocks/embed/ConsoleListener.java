package dev.weblocks.embed;

/** Hears what script writes to the console. Called on threads of the driver; must not block. */
@FunctionalInterface
public interface ConsoleListener {
  void message(ConsoleMessage message);
}
