package dev.weblocks.wpt;

import org.jspecify.annotations.Nullable;

/**
 * One test: a page that can be opened.
 *
 * @param id path with variant, as WPT writes it: {@code /web-locks/held.https.any.html}
 * @param source path of the file behind it, with leading slash
 * @param kind what it is made of
 * @param timeout the file's own choice
 * @param url absolute URL of its page, with variant
 * @param notSupported why it cannot run; null when it can
 */
public record WptTest(
    String id,
    String source,
    TestKind kind,
    TestTimeout timeout,
    String url,
    @Nullable String notSupported) {

  /** Whether this version runs it. */
  public boolean supported() {
    return notSupported == null;
  }
}
