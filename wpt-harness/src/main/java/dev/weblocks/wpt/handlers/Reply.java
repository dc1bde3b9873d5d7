package dev.weblocks.wpt.handlers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer. It is sent as a whole: where WPT's server sends it in parts, with pauses between them,
 * all comes when the last part would.
 *
 * @param reason null for the usual phrase of the status
 * @param body never changed
 * @param delay how long to wait before it is sent
 */
@SuppressWarnings("ArrayRecordComponent") // bodies may be large: not copied, not to be changed
public record Reply(
    int status,
    @Nullable String reason,
    List<Map.Entry<String, String>> headers,
    byte[] body,
    Duration delay) {

  /** Status 200 without headers and body. */
  public static final Reply EMPTY = new Reply(200, null, List.of(), new byte[0], Duration.ZERO);

  public Reply {
    headers = List.copyOf(headers);
  }

  /** A status with its usual phrase. */
  public Reply withStatus(int other) {
    return withStatus(other, null);
  }

  /** A status with a phrase. */
  public Reply withStatus(int other, @Nullable String phrase) {
    return new Reply(other, phrase, headers, body, delay);
  }

  /** One more header, after those of the same name. */
  public Reply adding(String name, String value) {
    List<Map.Entry<String, String>> all = new ArrayList<>(headers);
    all.add(Map.entry(name, value));
    return withHeaders(all);
  }

  /** A header in place of all of the same name. */
  public Reply setting(String name, String value) {
    List<Map.Entry<String, String>> all = new ArrayList<>(headers);
    all.removeIf(header -> header.getKey().equalsIgnoreCase(name));
    all.add(Map.entry(name, value));
    return withHeaders(all);
  }

  /** Other headers. */
  public Reply withHeaders(List<Map.Entry<String, String>> others) {
    return new Reply(status, reason, others, body, delay);
  }

  /** Whether there is a header of that name. */
  public boolean has(String name) {
    return header(name).isPresent();
  }

  /** The first header of that name. */
  Optional<String> header(String name) {
    return headers.stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** Another body. */
  public Reply withBody(byte[] other) {
    return new Reply(status, reason, headers, other, delay);
  }

  /** A body of one byte per char. */
  Reply withText(String text) {
    return withBody(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A pause in addition to those so far. */
  public Reply after(Duration pause) {
    return new Reply(status, reason, headers, body, delay.plus(pause));
  }
}
