package dev.weblocks.agent;

import java.io.IOException;
import java.net.URI;

/** A module in the form in which the engine reads it. Called on the event loop. */
public interface ModuleFile {

  /** Returns the URL that identifies the module for the engine and in stack traces. */
  String path();

  /** Returns the URL for {@code import.meta.url}; called after {@link #isJson}. */
  URI uri();

  /** Returns whether the module is a JSON module. The agent may pause. */
  boolean isJson();

  /**
   * Returns the text. The agent may pause.
   *
   * @throws IOException if the module counts as absent; a later import requests it again
   */
  String text() throws IOException;
}
