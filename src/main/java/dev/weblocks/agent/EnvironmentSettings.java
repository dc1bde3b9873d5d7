package dev.weblocks.agent;

import java.util.Set;

/**
 * The environment settings object of a realm, as far as it never changes.
 *
 * @param id the environment id: what {@code LockInfo.clientId} and {@code Client.id} show
 * @param creationUrl absolute URL that the realm was made for
 * @param origin whose the realm is
 * @param topLevelOrigin origin of the top-level document; part of the storage key
 * @param secureContext whether it is a secure context
 * @param crossSiteAncestor whether it is in a frame, and a document above it is of another site;
 *     part of the storage key
 * @param globalNames what {@code [Exposed]} is matched with, such as {@code Worker} and {@code
 *     DedicatedWorker}
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

  /** Settings of a document at the top, or of what one has made. */
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
