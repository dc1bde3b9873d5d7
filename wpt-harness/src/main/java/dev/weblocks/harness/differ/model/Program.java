package dev.weblocks.harness.differ.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A program: the scripts of several realms of one origin. The first realm is the main window.
 *
 * @param seed the seed of the generator; 0 for a program that is written by hand
 */
public record Program(long seed, List<Realm> realms) {

  /** The name of the main window. */
  public static final String MAIN = "main";

  /** How many deferred promises each realm has. */
  public static final int DEFERREDS = 3;

  /** How many abort controllers each realm has. */
  public static final int CONTROLLERS = 2;

  /** Copies the list. */
  public Program {
    realms = List.copyOf(realms);
  }

  /** The kind of a realm. */
  public enum Kind {
    MAIN,
    /** A frame of the main window, of the same agent. */
    FRAME,
    /** A window that the main window opens, of the same agent. */
    WINDOW,
    WORKER,
    SHARED_WORKER;

    /** Returns whether the realm belongs to the agent of the main window. */
    boolean isOfMainAgent() {
      return this == MAIN || this == FRAME || this == WINDOW;
    }
  }

  /**
   * A realm.
   *
   * @param name a word that is unique in the program
   * @param handlers the bodies that messages run; the message number is the index
   */
  public record Realm(
      String name, Kind kind, List<Statement> body, List<List<Statement>> handlers) {

    /** Copies the lists. */
    public Realm {
      body = List.copyOf(body);
      handlers = List.copyOf(handlers);
    }
  }

  /**
   * Returns a realm.
   *
   * @throws IllegalArgumentException if the program has none of this name
   */
  public Realm realm(String name) {
    return realms.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no realm " + name));
  }

  /** Returns all statements, with those in bodies of others. */
  public List<Statement> statements() {
    List<Statement> all = new ArrayList<>();
    for (Realm realm : realms) {
      add(realm.body(), all);
      realm.handlers().forEach(handler -> add(handler, all));
    }
    return all;
  }

  private static void add(List<Statement> body, List<Statement> all) {
    for (Statement statement : body) {
      all.add(statement);
      add(statement.body(), all);
    }
  }
}
