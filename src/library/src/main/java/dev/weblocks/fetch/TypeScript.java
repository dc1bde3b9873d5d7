package dev.weblocks.fetch;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Recognizes TypeScript, which is not run, by the names of files. */
public final class TypeScript {

  private static final Pattern FILE =
      Pattern.compile("[^?#]*/(?<stem>[^/?#]+)(?<extension>\\.[cm]?tsx?)(?:[?#].*)?");

  private TypeScript() {}

  /**
   * Returns what to do about a script in TypeScript, as the end of a sentence about it; null if its
   * URL does not end in {@code .ts} or the like.
   */
  public static @Nullable String remedy(String url) {
    Matcher file = FILE.matcher(url);
    return !file.matches()
        ? null
        : "is TypeScript by its name, and only JavaScript runs: strip its types, such as with npx"
            + " esbuild "
            + word(file.group("stem") + file.group("extension"))
            + " --outfile="
            + word(file.group("stem") + ".js");
  }

  /** Returns a word for a shell: users paste the command, and others may have named the file. */
  private static String word(String name) {
    String path = name.startsWith("-") ? "./" + name : name;
    return path.matches("[A-Za-z0-9_./-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
