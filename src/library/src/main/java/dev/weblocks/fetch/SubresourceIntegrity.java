package dev.weblocks.fetch;

import dev.weblocks.file.ByteSequence;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The check of response bodies against integrity metadata, a list of digests.
 *
 * @see <a href="https://w3c.github.io/webappsec-subresource-integrity/">Subresource Integrity</a>
 */
final class SubresourceIntegrity {

  /** The hash algorithms, weakest first. */
  private static final List<String> ALGORITHMS = List.of("sha256", "sha384", "sha512");

  private record Hash(int strength, String value) {}

  private SubresourceIntegrity() {}

  /**
   * <a
   * href="https://w3c.github.io/webappsec-subresource-integrity/#does-response-match-metadatalist">do
   * bytes match metadataList</a>
   *
   * @throws OutOfMemoryError if the bytes do not fit into memory
   */
  static boolean matches(ByteSequence bytes, String metadataList) {
    List<Hash> metadata = strongest(parse(metadataList)); // 1, 3
    if (metadata.isEmpty()) { // 2
      return true;
    }
    String actual = digest(ALGORITHMS.get(metadata.getFirst().strength), bytes);
    return metadata.stream().anyMatch(each -> each.value.equals(actual)); // 4, 5
  }

  /**
   * <a href="https://w3c.github.io/webappsec-subresource-integrity/#parse-metadata">parse
   * metadata</a>
   */
  private static List<Hash> parse(String metadata) {
    List<Hash> result = new ArrayList<>();
    for (String item : metadata.split("[\\t\\n\\f\\r ]+", -1)) {
      String expression = item.split("\\?", 2)[0];
      int dash = expression.indexOf('-');
      if (dash >= 0) {
        int strength = ALGORITHMS.indexOf(expression.substring(0, dash).toLowerCase(Locale.ROOT));
        String value = normalized(expression.substring(dash + 1));
        if (strength >= 0 && value != null) {
          result.add(new Hash(strength, value));
        }
      }
    }
    return result;
  }

  /** Converts base64 or base64url text to standard base64; returns null for any other text. */
  private static @Nullable String normalized(String value) {
    try {
      byte[] bytes = Base64.getDecoder().decode(value.replace('-', '+').replace('_', '/'));
      return Base64.getEncoder().encodeToString(bytes);
    } catch (IllegalArgumentException noBase64) {
      return null;
    }
  }

  /**
   * <a href="https://w3c.github.io/webappsec-subresource-integrity/#get-the-strongest-metadata">get
   * the strongest metadata from set</a>
   */
  private static List<Hash> strongest(List<Hash> set) {
    int strength = set.stream().mapToInt(Hash::strength).max().orElse(-1);
    return set.stream().filter(each -> each.strength == strength).toList();
  }

  private static String digest(String algorithm, ByteSequence bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-" + algorithm.substring(3));
      return Base64.getEncoder().encodeToString(digest.digest(bytes.toByteArray()));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this JVM lacks " + algorithm, missing);
    }
  }
}
