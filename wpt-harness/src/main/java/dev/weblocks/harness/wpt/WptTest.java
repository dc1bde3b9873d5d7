package dev.weblocks.harness.wpt;

import org.jspecify.annotations.Nullable;

/**
 * One test: a page that can be opened.
 *
 * @param id path with variant, as WPT writes it: {@code /web-locks/held.https.any.html}
 * @param source path of its file, with leading slash
 * @param kind kind of the test
 * @param timeout timeout set by the file
 * @param url absolute URL of its page, with variant
 * @param notSupported reason why the test cannot run; null if it can
 */
public record WptTest(
    String id,
    String source,
    TestKind kind,
    TestTimeout timeout,
    String url,
    @Nullable String notSupported) {

  /** Returns whether this version can run the test. */
  public boolean supported() {
    return notSupported == null;
  }
}
