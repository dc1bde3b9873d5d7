package dev.weblocks.harness.differ;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of a program on one origin. It starts with {@code /index.html} in a top-level window,
 * which sends a POST request to {@code /report} when it is quiet.
 *
 * @param files paths such as {@code /index.html}, {@code /worker1.js} and {@code /runtime.js}, with
 *     their texts; not modifiable
 */
public record ProgramFiles(SortedMap<String, String> files) {

  /** The path of the first document. */
  public static final String INDEX = "/index.html";

  /** The path of the script that each realm loads first. */
  public static final String RUNTIME = "/runtime.js";

  /** The path of the request with the observation as JSON. */
  public static final String REPORT = "/report";

  /** Copies the map. */
  public ProgramFiles {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }
}
