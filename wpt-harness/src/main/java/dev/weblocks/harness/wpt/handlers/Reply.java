package dev.weblocks.harness.wpt.handlers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer, sent as a whole. If WPT's server sends an answer in parts with pauses between them, it
 * is sent at the time of the last part.
 *
 * @param reason phrase of the status; null for the usual one
 * @param body must not be changed
 * @param delay time to wait before it is sent
 */
@SuppressWarnings("ArrayRecordComponent") // may be large: not copied, must not be changed
public record Reply(
    int status,
    @Nullable String reason,
    List<Map.Entry<String, String>> headers,
    byte[] body,
    Duration delay) {

  /** A reply with status 200, without headers and body. */
  public static final Reply EMPTY = new Reply(200, null, List.of(), new byte[0], Duration.ZERO);

  public Reply {
    headers = List.copyOf(headers);
  }

  /** Returns a copy with another status and its usual phrase. */
  public Reply withStatus(int other) {
    return withStatus(other, null);
  }

  /** Returns a copy with another status and phrase. */
  public Reply withStatus(int other, @Nullable String phrase) {
    return new Reply(other, phrase, headers, body, delay);
  }

  /** Returns a copy with one more header, after those of the same name. */
  public Reply adding(String name, String value) {
    List<Map.Entry<String, String>> all = new ArrayList<>(headers);
    all.add(Map.entry(name, value));
    return withHeaders(all);
  }

  /** Returns a copy in which a header replaces all of the same name. */
  public Reply setting(String name, String value) {
    List<Map.Entry<String, String>> all = new ArrayList<>(headers);
    all.removeIf(header -> header.getKey().equalsIgnoreCase(name));
    all.add(Map.entry(name, value));
    return withHeaders(all);
  }

  /** Returns a copy with other headers. */
  public Reply withHeaders(List<Map.Entry<String, String>> others) {
    return new Reply(status, reason, others, body, delay);
  }

  /** Returns whether there is a header with a name. */
  public boolean has(String name) {
    return header(name).isPresent();
  }

  Optional<String> header(String name) {
    return headers.stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** Returns a copy with another body. */
  public Reply withBody(byte[] other) {
    return new Reply(status, reason, headers, other, delay);
  }

  /** Returns a copy with a body of one byte per char. */
  Reply withText(String text) {
    return withBody(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns a copy whose delay is longer by a pause. */
  public Reply after(Duration pause) {
    return new Reply(status, reason, headers, body, delay.plus(pause));
  }
}
