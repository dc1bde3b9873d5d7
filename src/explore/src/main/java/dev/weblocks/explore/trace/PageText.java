package dev.weblocks.explore.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The trusted parts of generated pages: styles and scripts, and their hashes. */
public final class PageText {

  private PageText() {}

  /** Returns the hash of a script for a Content Security Policy. */
  public static String hash(String script) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM lacks SHA-256", e);
    }
  }

  /** Returns the text of a resource beside a class, in its jar, by its absolute name. */
  public static String resource(Class<?> beside, String name) {
    try (InputStream resource = beside.getResourceAsStream(name)) {
      if (resource == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
