package dev.weblocks.agent;

import java.io.IOException;
import java.net.URI;

/** A module as the engine reads it. On the event loop. */
public interface ModuleFile {

  /** The URL: what stacks show, and what tells one module from another. */
  String path();

  /** The URL for {@code import.meta.url}; asked after {@link #isJson}. */
  URI uri();

  /** Whether it is a JSON module. The agent may pause. */
  boolean isJson();

  /**
   * The text. The agent may pause.
   *
   * @throws IOException if there shall be no such module: the engine will ask again for it
   */
  String text() throws IOException;
}
