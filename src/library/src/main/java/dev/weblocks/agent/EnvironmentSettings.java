package dev.weblocks.agent;

import java.util.Set;

/**
 * An immutable state of the environment settings object of a realm.
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

  /** Returns these settings with another environment id. */
  public EnvironmentSettings withId(String another) {
    return new EnvironmentSettings(
        another,
        creationUrl,
        origin,
        topLevelOrigin,
        secureContext,
        crossSiteAncestor,
        globalNames);
  }

  EnvironmentSettings withCreationUrl(String url) {
    return new EnvironmentSettings(
        id, url, origin, topLevelOrigin, secureContext, crossSiteAncestor, globalNames);
  }

  /** Returns whether two environments differ at most in their ids and URLs. */
  public boolean isLike(EnvironmentSettings other) {
    return origin.equals(other.origin)
        && topLevelOrigin.equals(other.topLevelOrigin)
        && secureContext == other.secureContext
        && crossSiteAncestor == other.crossSiteAncestor
        && globalNames.equals(other.globalNames);
  }
}
