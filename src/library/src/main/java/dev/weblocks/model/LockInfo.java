package dev.weblocks.model;

import java.util.Objects;

/**
 * A held lock or a waiting request in a {@link LockManagerSnapshot}.
 *
 * @param name the resource name, any UTF-16 string
 * @param mode the mode of the lock or request
 * @param clientId of the document, worker or {@link dev.weblocks.embed.LockClient}
 * @see <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/#dictdef-lockinfo">LockInfo</a>
 */
public record LockInfo(String name, LockMode mode, String clientId) {

  public LockInfo {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(clientId, "clientId");
  }
}
