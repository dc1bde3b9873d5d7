package dev.weblocks.harness.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files that programs can load, and the meaning of their bare module specifiers.
 *
 * @param root the directory whose files a program can load; absolute; null for its own directory
 * @param importMap null for none
 * @param nodeModules whether bare specifiers name packages in directories {@code node_modules}
 */
public record Imports(@Nullable Path root, @Nullable ImportMapFile importMap, boolean nodeModules) {

  /** Files of the directory of each program; no bare specifier has a meaning. */
  public static final Imports OWN_DIRECTORY = new Imports(null, null, false);
}
