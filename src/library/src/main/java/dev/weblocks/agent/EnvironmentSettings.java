package dev.weblocks.agent;

import java.util.Set;

/**
 * The immutable part of the environment settings object of a realm.
 *
 * @param id the environment id, as in {@code LockInfo.clientId} and {@code Client.id}
 * @param creationUrl the absolute URL that the realm was made for
 * @param origin the origin of the realm
 * @param topLevelOrigin origin of the top-level document; part of the storage key
 * @param secureContext whether the environment is a secure context
 * @param crossSiteAncestor whether the environment is in a frame with a cross-site ancestor
 *     document; part of the storage key
 * @param globalNames the names that {@code [Exposed]} is matched against, such as {@code Worker}
 *     and {@code DedicatedWorker}
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/webappapis.html#environment-settings-object">HTML</a>
 */
public record EnvironmentSettings(
    String id,
    String creationUrl,
    Origin origin,
    Origin topLevelOrigin,
    boolean secureContext,
    boolean crossSiteAncestor,
    Set<String> globalNames) {

  public EnvironmentSettings {
    globalNames = Set.copyOf(globalNames);
  }

  /** Creates settings without a cross-site ancestor. */
  public EnvironmentSettings(
      String id,
      String creationUrl,
      Origin origin,
      Origin topLevelOrigin,
      boolean secureContext,
      Set<String> globalNames) {
    this(id, creationUrl, origin, topLevelOrigin, secureContext, false, globalNames);
  }
}
